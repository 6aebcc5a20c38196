/** Makes a call of what an agent's payload says of it: what it changes, how it is called, and no more of it than is needed. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Json } from '@/lib/domain/conversation';
import { kindOfTool, pathsChangedBy } from '@/lib/domain/file-tools';
import type { HookCall } from './hook-event';

/** Characters of one text of an input that are kept. */
const MAX_TEXT_CHARS = 16_384;
/** Characters of a whole input that are kept; members of one list or object; levels. */
const MAX_INPUT_CHARS = 65_536;
const MAX_MEMBERS = 100;
const MAX_DEPTH = 6;
/** Files that one call may name. */
const MAX_PATHS = 500;
/** Replacements of one call that are kept for its card. */
const MAX_SNIPPETS = 20;
const MAX_TITLE_CHARS = 200;

/** Fields that may hold somebody's address. */
const ADDRESS_FIELD = /^(user_?)?e-?mail(_?address)?$/i;

type Fields = { [key: string]: unknown };

export interface CallFacts {
  id: string | null;
  tool: string;
  input: unknown;
  /** Relative paths of the input are meant from here. */
  cwd: string | null;
}

export function hookCall({ id, tool, input, cwd }: CallFacts): HookCall {
  const name = tool.slice(0, MAX_TITLE_CHARS);
  const absolute = (path: string) => (cwd === null ? path : posix.resolve(cwd, path));
  const paths = pathsChangedBy({ tool: name, kind: kindOfTool(name), input: input as Json, locations: [] })
    .slice(0, MAX_PATHS)
    .map(absolute);
  return {
    id: id === null || id === '' ? null : id.slice(0, 256),
    tool: name,
    input: boundedJson(input),
    inputDigest: createHash('sha1')
      .update(JSON.stringify(input) ?? '')
      .digest('hex'),
    title: titleOf(name, input, paths, cwd),
    paths,
    snippets: snippetsOf(input, paths),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textIn(fields: unknown, ...names: string[]): string | null {
  if (!isFields(fields)) return null;
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** `Edit src/a.ts`, the command of a shell, else the tool's own name. */
function titleOf(tool: string, input: unknown, paths: string[], cwd: string | null): string {
  const command = commandIn(input);
  if (kindOfTool(tool) === 'execute' && command !== null) return firstLine(command);
  const path = paths[0] ?? textIn(input, 'file_path', 'filePath', 'path', 'absolute_path', 'pattern', 'query', 'url');
  if (path === null || path === undefined) return tool;
  const near = cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  return firstLine(`${tool} ${near}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}`);
}

/** The command of a shell: a text, the words of an argument list, or several commands. */
function commandIn(input: unknown): string | null {
  if (!isFields(input)) return null;
  const command = input.command ?? input.cmd ?? input.commands;
  if (typeof command === 'string') return command === '' ? null : command;
  if (!Array.isArray(command)) return null;
  const words = command.filter((word) => typeof word === 'string');
  const isShell = words.length === 3 && words[1]?.startsWith('-');
  return isShell ? (words[2] ?? null) : words.join(input.commands === undefined ? ' ' : '; ');
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 1)}…` : line;
}

/** The replacements an edit announces; a whole-file write has no text before. */
function snippetsOf(input: unknown, paths: string[]): HookCall['snippets'] {
  const [path] = paths;
  if (path === undefined || !isFields(input)) return [];
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  return edits.slice(0, MAX_SNIPPETS).flatMap((edit) => {
    const oldText = textIn(edit, 'old_string', 'oldString', 'old_text', 'old_str');
    const newText = isFields(edit)
      ? textIn(edit, 'new_string', 'newString', 'new_text', 'new_str', 'content', 'file_text')
      : null;
    if (oldText === null && newText === null) return [];
    const cut = (oldText?.length ?? 0) > MAX_TEXT_CHARS || (newText?.length ?? 0) > MAX_TEXT_CHARS;
    return [
      {
        path,
        old_text: oldText?.slice(0, MAX_TEXT_CHARS) ?? null,
        new_text: newText?.slice(0, MAX_TEXT_CHARS) ?? '',
        cut,
      },
    ];
  });
}

/** A value with long texts cut, large structures pruned, and addresses of people left out. */
export function boundedJson(value: unknown): Json {
  return bounded(value, 0, { left: MAX_INPUT_CHARS });
}

function bounded(value: unknown, depth: number, room: { left: number }): Json {
  if (room.left <= 0) return '…';
  if (typeof value === 'string') {
    const kept = value.slice(0, Math.min(MAX_TEXT_CHARS, room.left));
    room.left -= kept.length;
    return kept.length < value.length ? `${kept}…` : kept;
  }
  room.left -= 1;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((item) => bounded(item, depth + 1, room));
  const entries = Object.entries(value).filter(([key]) => !ADDRESS_FIELD.test(key));
  return Object.fromEntries(
    entries.slice(0, MAX_MEMBERS).map(([key, item]) => [key.slice(0, MAX_TITLE_CHARS), bounded(item, depth + 1, room)]),
  );
}
