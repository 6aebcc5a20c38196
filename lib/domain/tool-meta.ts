/** What a tool call's `meta` tells a card, parsed once: hunks, snippets, exit code. `meta` is anybody's JSON, so nothing is taken for granted. */
import * as z from 'zod/mini';
import type { Json } from './conversation';

// Zod's small form: every timeline reads cards, and the whole of zod is a fifth of what a page may load.
const count = z.int().check(z.nonnegative());
const countOrNull = z._default(z.nullable(count), null);
const textOrNull = z._default(z.nullable(z.string()), null);
const flag = z._default(z.boolean(), false);

const lineSchema = z.object({ type: z.enum(['context', 'added', 'removed']), text: z.string() });

const hunkSchema = z.object({
  old_start: count,
  old_lines: count,
  new_start: count,
  new_lines: count,
  lines: z.array(lineSchema),
});

/** Why a site has no hunks, or what it is beside a modification. */
export const DIFF_KINDS = [
  'modified',
  'created',
  'deleted',
  'unchanged',
  'binary',
  'oversized',
  'symlink',
  'unknown',
] as const;
export type DiffKind = (typeof DIFF_KINDS)[number];

/** One changed site of one file, as CONTRACT's `meta.diffs` has it. Outside hosts may send the first four fields alone. */
const diffSchema = z.object({
  path: z.string(),
  old_text: textOrNull,
  new_text: textOrNull,
  hunks: z._default(z.array(hunkSchema), []),
  kind: z.optional(z.enum(DIFF_KINDS)),
  /** A whole-file replacement because the comparison ran out of time. */
  coarse: flag,
  size_before: countOrNull,
  size_after: countOrNull,
});
export type MetaDiff = z.output<typeof diffSchema>;

const snippetSchema = z.object({
  path: z.string(),
  old_text: z.nullable(z.string()),
  new_text: z.string(),
  cut: flag,
});
export type MetaSnippet = z.output<typeof snippetSchema>;

const statSchema = z.object({
  files: count,
  additions: count,
  deletions: count,
  /** Changed sites that were left out of `diffs` by a limit. */
  omitted: z._default(count, 0),
});
export type DiffStat = z.output<typeof statSchema>;

export interface ToolMeta {
  diffs: MetaDiff[];
  stat: DiffStat | null;
  snippets: MetaSnippet[];
  exitCode: number | null;
  /** What the call is for, in the agent's words. */
  description: string | null;
  /** The call whose subagent made this one. */
  parentToolCallId: string | null;
}

/** What can be read of `meta`; the rest is passed over. */
export function readToolMeta(meta: Json): ToolMeta {
  const fields = typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? meta : {};
  const text = (value: Json | undefined) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    diffs: each(fields.diffs, diffSchema),
    stat: statSchema.safeParse(fields.diff_stat).data ?? null,
    snippets: each(fields.snippets, snippetSchema),
    exitCode: typeof fields.exit_code === 'number' ? fields.exit_code : null,
    description: text(fields.description),
    parentToolCallId: text(fields.parent_tool_call_id),
  };
}

function each<Schema extends z.ZodMiniType>(value: Json | undefined, schema: Schema): z.output<Schema>[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
