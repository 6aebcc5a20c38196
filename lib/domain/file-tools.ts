/** Which tools of which agents can change which paths, told from their names and inputs alone (AGENT-FACTS §2, §3). */
import type { Json, ToolKind, ToolLocation } from './conversation';

/** What an agent announced of a call before it ran. */
export interface AnnouncedCall {
  /** The tool's own name where it is known. */
  tool: string | null;
  kind: ToolKind | null;
  input: Json;
  locations: ToolLocation[];
}

/** Fields of an input that name one file, in the spelling of the agents that use them. */
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'target_file', 'filename'];
/** Fields that name the two ends of a move. */
const MOVE_FIELDS = ['source', 'destination', 'old_path', 'new_path', 'source_path', 'destination_path', 'from', 'to'];
/** Fields that hold a patch in the "*** Begin Patch" form. */
const PATCH_FIELDS = ['input', 'patch', 'patchText', 'patch_text', 'command', 'cmd'];

type Extract = (input: { [key: string]: Json }) => string[];

const onePath: Extract = (input) => named(input, PATH_FIELDS).slice(0, 1);
const patchPaths: Extract = (input) => PATCH_FIELDS.flatMap((field) => pathsOfPatch(textOf(input[field])));
/** `editor` of Cline and the text editor tool of Claude also only show files. */
const editorPath: Extract = (input) => (input.command === 'view' ? [] : onePath(input));
const edits: Extract = (input) => [
  ...onePath(input),
  ...(Array.isArray(input.edits) ? input.edits.filter(isRecord).flatMap(onePath) : []),
];

interface Tool {
  kind: ToolKind;
  /** Absent where a tool changes no file that its input names. */
  paths?: Extract;
}

const write: Tool = { kind: 'edit', paths: onePath };
const patch: Tool = { kind: 'edit', paths: patchPaths };
const read: Tool = { kind: 'read' };
const search: Tool = { kind: 'search' };
const fetch: Tool = { kind: 'fetch' };
const think: Tool = { kind: 'think' };
/** A shell changes anything; but Codex also patches by `apply_patch <<EOF`, and then the command names the files. */
const shell: Tool = { kind: 'execute', paths: patchPaths };

/** Tools by name. Names that several agents share mean the same in each. */
const TOOLS: { [name: string]: Tool } = {
  // Claude Code
  Read: read,
  Edit: write,
  Write: write,
  MultiEdit: { kind: 'edit', paths: edits },
  NotebookEdit: write,
  NotebookRead: read,
  Bash: shell,
  Glob: search,
  Grep: search,
  LS: search,
  WebFetch: fetch,
  WebSearch: fetch,
  TodoWrite: think,
  TaskCreate: think,
  TaskUpdate: think,
  Agent: think,
  Task: think,
  str_replace_based_edit_tool: { kind: 'edit', paths: editorPath },
  str_replace_editor: { kind: 'edit', paths: editorPath },
  // Codex
  apply_patch: patch,
  exec_command: shell,
  shell,
  shell_command: shell,
  local_shell: shell,
  update_plan: think,
  spawn_agent: think,
  wait_agent: think,
  view_image: read,
  // Gemini CLI and Qwen Code
  read_file: read,
  read_many_files: read,
  write_file: write,
  replace: write,
  run_shell_command: shell,
  list_directory: search,
  glob: search,
  grep_search: search,
  search_file_content: search,
  google_web_search: fetch,
  web_fetch: fetch,
  web_search: fetch,
  write_todos: think,
  todo_write: think,
  save_memory: think,
  invoke_agent: think,
  agent: think,
  // Qwen Code and opencode
  edit: write,
  // opencode
  read,
  write,
  multiedit: { kind: 'edit', paths: edits },
  patch,
  bash: shell,
  grep: search,
  list: search,
  webfetch: fetch,
  websearch: fetch,
  todowrite: think,
  todoread: think,
  task: think,
  // Cline
  editor: { kind: 'edit', paths: editorPath },
  write_to_file: write,
  replace_in_file: write,
  delete_file: { kind: 'delete', paths: onePath },
  run_commands: shell,
  execute_command: shell,
  read_files: read,
  search_files: search,
  list_files: search,
  // Servers of files that speak MCP, ours among them
  edit_file: write,
  create_file: write,
  move_file: { kind: 'move', paths: (input) => named(input, MOVE_FIELDS) },
};

const CHANGING_KINDS: ReadonlySet<ToolKind | null> = new Set(['edit', 'delete', 'move'] as const);

/** What kind of tool a name stands for; `other` where it is unknown. */
export function kindOfTool(name: string): ToolKind {
  return toolNamed(name)?.kind ?? 'other';
}

/**
 * The paths that a call may change, as it writes them: absolute, or relative to where the agent works. None for
 * tools that only read, and none for a command: what a command changes, only snapshots know.
 */
export function pathsChangedBy({ tool, kind, input, locations }: AnnouncedCall): string[] {
  const known = tool === null ? undefined : toolNamed(tool);
  const fields = isRecord(input) ? input : { input };
  const located = locations.map((location) => location.path);
  if (known) {
    const paths = known.paths?.(fields) ?? [];
    // An agent may tell where before it tells what.
    return unique(paths.length === 0 && CHANGING_KINDS.has(known.kind) ? located : paths);
  }
  if (kind === 'execute') return unique(patchPaths(fields));
  if (!CHANGING_KINDS.has(kind)) return [];
  return unique([
    ...located,
    ...onePath(fields),
    ...(kind === 'move' ? named(fields, MOVE_FIELDS) : []),
    ...patchPaths(fields),
  ]);
}

/** The files that a patch in the "*** Begin Patch" form adds, updates, deletes or moves. */
export function pathsOfPatch(text: string): string[] {
  if (!text.includes('*** Begin Patch')) return [];
  const paths: string[] = [];
  for (const match of text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm)) {
    paths.push(match[1] as string);
  }
  return paths;
}

/** A tool of an MCP server is announced as `mcp__server__tool`. */
function toolNamed(name: string): Tool | undefined {
  const last = name.slice(name.lastIndexOf('__') + (name.includes('__') ? 2 : 1));
  return Object.hasOwn(TOOLS, last) ? TOOLS[last] : undefined;
}

function named(input: { [key: string]: Json }, fields: string[]): string[] {
  return fields
    .map((field) => input[field])
    .filter((value): value is string => typeof value === 'string' && value !== '');
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('\n') : '';
}

function isRecord(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unique(paths: string[]): string[] {
  return [...new Set(paths)];
}
