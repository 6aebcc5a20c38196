/**
 * The shapes of answers, as the API document publishes them. Each is held to its TypeScript type when the project is
 * compiled: a field that one of them has and the other has not stops the build.
 */
import { z } from 'zod';
import {
  type ChangedFile,
  type ChangedFileBody,
  type ChangeSummary,
  GAP_REASONS,
  type Gap,
  type GitMove,
  type GitSummary,
  type LineEndings,
} from './change';
import {
  type Message,
  type PermissionOption,
  type PermissionRequest,
  type PlanEntry,
  type Session,
  TOOL_KINDS,
  TOOL_STATUSES,
  type ToolCall,
  type ToolLocation,
} from './conversation';
import { HTTP_STATUS } from './errors';
import type { Wire } from './events';
import { type HookIntakeState, INTAKE_AGENTS } from './hooks';
import type { Hunk, HunkLine } from './patch';
import { RUN_STATUSES, type Run } from './run';

/** `Shape` where each field takes what the type has there, and no field is missing or too many; else an error that names it. */
type Fitting<Type, Shape> = {
  [Key in keyof Shape]: Key extends keyof Type
    ? Type[Key] extends z.input<Shape[Key] & z.ZodType>
      ? Shape[Key]
      : { wrong: Key; is: Type[Key] }
    : { unknown: Key };
} & { [Key in Exclude<keyof Type, keyof Shape>]: { missing: Key } };

/** A schema of a type as it stands on the wire. */
function schemaOf<Type extends object>() {
  return <Shape extends z.ZodRawShape>(shape: Shape & Fitting<Wire<Type>, Shape>) => z.object(shape as Shape);
}

const count = z.int().min(0);
const at = z.int().describe('Milliseconds since the epoch');
const text = z.string();
const json = z.json();
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) => z.enum(words);

export const sessionSchema = schemaOf<Session>()({
  id: text,
  title: text,
  workspace: text.describe('The real path of the folder'),
  workspace_kind: oneOf(['git', 'filesystem', 'unknown']),
  agent: text.nullable().describe('The agent that runs its prompts; null where an outside host does'),
  created_at: at,
});

export const runSchema = schemaOf<Run>()({
  id: text,
  session_id: text,
  status: oneOf(RUN_STATUSES),
  external: z.boolean().describe('An outside host runs it and tells us'),
  prompt: text,
  workspace: text,
  baseline: oneOf(['pending', 'ready', 'late', 'missing']).describe(
    'Whether it existed before the first write could happen',
  ),
  baseline_ms: count.nullable(),
  baseline_files: count.nullable(),
  started_at: at,
  finished_at: at.nullable(),
  stop_reason: text.nullable(),
  error: text.nullable(),
});

export const messageSchema = schemaOf<Message>()({
  id: text,
  run_id: text,
  role: oneOf(['user', 'assistant', 'thought']),
  text,
  created_at: at,
});

const locationSchema = schemaOf<ToolLocation>()({ path: text, line: z.int().optional() });

export const toolCallSchema = schemaOf<ToolCall>()({
  id: text,
  run_id: text,
  title: text,
  tool: text.nullable(),
  kind: oneOf(TOOL_KINDS),
  status: oneOf(TOOL_STATUSES),
  locations: z.array(locationSchema),
  input: json,
  output: text.nullable(),
  output_bytes: count,
  output_truncated: z.boolean(),
  meta: json.describe('Kept verbatim; the hunks of an applied edit stand in `diffs`'),
  brief: z.boolean().describe('A list leaves long output and hunks out; the call itself has them'),
  started_at: at,
  finished_at: at.nullable(),
});

export const gapSchema = schemaOf<Gap>()({
  reason: z.enum(GAP_REASONS),
  path: text.optional(),
  detail: text.optional(),
  count: count.optional(),
});

const gitMoveSchema = schemaOf<GitMove>()({
  action: oneOf(['commit', 'checkout', 'pull', 'merge', 'rebase', 'reset', 'stash', 'other']),
  from: text,
  to: text,
  from_name: text.nullable(),
  to_name: text.nullable(),
  commits: count,
});

const gitSchema = schemaOf<GitSummary>()({
  head_before: text.nullable(),
  head_after: text.nullable(),
  branch_before: text.nullable(),
  branch_after: text.nullable(),
  moved_count: count.describe('Rows of origin `git`'),
  moves: z.array(gitMoveSchema),
});

const endings = oneOf(['lf', 'crlf', 'mixed']);
const lineEndingsSchema = schemaOf<LineEndings>()({ before: endings, after: endings, lines: count });
const entryKind = oneOf(['file', 'symlink', 'submodule']);

const changedFileShape = {
  id: text,
  path: text.describe('Relative to the workspace with `/`; `../` above it in the same repository; absolute elsewhere'),
  path_quoted: z.boolean().describe('The path is C-quoted as git writes it'),
  display_path: text,
  old_path: text.nullable(),
  change_type: oneOf(['added', 'modified', 'deleted', 'renamed']),
  additions: count,
  deletions: count,
  binary: z.boolean(),
  truncated: z.boolean(),
  oversized: z.boolean().describe('Never read in whole: counts are 0 and mean nothing'),
  size_before: count.nullable(),
  size_after: count.nullable(),
  mode_before: text.nullable(),
  mode_after: text.nullable(),
  kind_before: entryKind.nullable(),
  kind_after: entryKind.nullable(),
  line_endings: lineEndingsSchema.nullable().describe('Set when both sides are equal but for line ends'),
  ignored: z.boolean(),
  evidence: z.array(oneOf(['snapshot', 'capture'])),
  origin: oneOf(['tool', 'command', 'git', 'other']).describe('Who did it'),
  tool_call_ids: z.array(text),
} as const;

export const changedFileSchema = schemaOf<ChangedFile>()(changedFileShape);

export const changedFileBodySchema = schemaOf<ChangedFileBody>()({
  ...changedFileShape,
  patch: text.nullable(),
  patch_bytes: count,
  expired: z.boolean(),
});

export const changeSchema = schemaOf<ChangeSummary>()({
  change_id: text.describe('`run:<run>`, `tool:<run>:<call>` or `drift:<run>`'),
  session_id: text,
  run_id: text,
  source: oneOf(['run', 'tool', 'drift']),
  tool_call_id: text.nullable(),
  generation: count.describe('Grows when a later record supersedes this one'),
  workspace: text,
  workspace_kind: oneOf(['git', 'filesystem', 'unknown']),
  started_at: at.nullable(),
  finished_at: at.nullable(),
  changed_count: count.describe('Every row but those of origin `git`, listed or not'),
  added_count: count,
  modified_count: count,
  deleted_count: count,
  renamed_count: count,
  binary_count: count,
  additions: count,
  deletions: count,
  truncated: z.boolean(),
  total_patch_bytes: count,
  created_at: at,
  gaps: z.array(gapSchema).describe('What the record does not cover, and why'),
  overlaps: z.array(text).describe('Other runs that went on in this workspace at the same time'),
  shared_with: z.array(text).describe('For a tool change: other calls that were going on meanwhile'),
  git: gitSchema.nullable(),
  files: z.array(changedFileSchema).describe('The first 500; the rest is paged'),
});

const hunkLineSchema = schemaOf<HunkLine>()({ type: oneOf(['context', 'added', 'removed']), text });
const hunkSchema = schemaOf<Hunk>()({
  old_start: count,
  old_lines: count,
  new_start: count,
  new_lines: count,
  lines: z.array(hunkLineSchema),
});

export const comparisonSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    before_present: z.boolean(),
    after_present: z.boolean(),
    hunks: z.array(hunkSchema),
    coarse: z.boolean(),
    no_newline_before: z.boolean(),
    no_newline_after: z.boolean(),
  }),
  z.object({
    kind: z.enum(['binary', 'oversized']),
    size_before: count.nullable(),
    size_after: count.nullable(),
    id_before: text.nullable(),
    id_after: text.nullable(),
  }),
  z.object({ kind: z.literal('symlink'), target_before: text.nullable(), target_after: text.nullable() }),
  z.object({ kind: z.literal('submodule'), id_before: text.nullable(), id_after: text.nullable() }),
]);

const permissionOptionSchema = schemaOf<PermissionOption>()({
  option_id: text,
  name: text,
  kind: oneOf(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
});

export const permissionSchema = schemaOf<PermissionRequest>()({
  id: text,
  run_id: text,
  tool_call_id: text.nullable(),
  title: text,
  options: z.array(permissionOptionSchema),
  created_at: at,
  answer: z.object({ option_id: text.nullable(), at }).nullable(),
});

export const planEntrySchema = schemaOf<PlanEntry>()({
  content: text,
  status: oneOf(['pending', 'in_progress', 'completed']),
  priority: oneOf(['high', 'medium', 'low']),
});

export const agentSchema = z.object({
  id: text,
  name: text,
  kind: z.enum(['shell', 'acp']),
  available: z.boolean(),
  reason: text.optional(),
});

export const shareSchema = z.object({ id: text, url: text, expires_at: at.nullable(), created_at: at });

export const hookStateSchema = schemaOf<HookIntakeState>()({
  agent: z.enum(INTAKE_AGENTS),
  events: count,
  last_event_at: at.nullable(),
  problem: text.nullable(),
});

export const snapshotSchema = z.object({
  files: z.record(
    text,
    z.object({
      size: count,
      mtime_ns: z.number().describe('A whole number of up to 64 bits'),
      head_hash: z.number().describe('A whole number of up to 64 bits'),
    }),
  ),
  captured_at: text.describe('RFC 3339'),
});

export const snapshotDeltaSchema = z.object({
  added: z.array(text),
  changed: z.array(text),
  removed: z.array(text),
  is_drift: z.boolean(),
});

export const errorSchema = z.object({
  error: z.object({ code: z.enum(Object.keys(HTTP_STATUS) as [keyof typeof HTTP_STATUS]), message: text }),
});
