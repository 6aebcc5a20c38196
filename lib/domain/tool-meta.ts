/** What a tool call's `meta` tells a card, parsed once: hunks, snippets, exit code. `meta` is anybody's JSON, so nothing is taken for granted. */
import { z } from 'zod';
import type { Json } from './conversation';

const count = z.number().int().min(0);

const lineSchema = z.object({ type: z.enum(['context', 'added', 'removed']), text: z.string() });

export const metaHunkSchema = z.object({
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
export const metaDiffSchema = z.object({
  path: z.string(),
  old_text: z.string().nullable().default(null),
  new_text: z.string().nullable().default(null),
  hunks: z.array(metaHunkSchema).default([]),
  kind: z.enum(DIFF_KINDS).optional(),
  /** A whole-file replacement because the comparison ran out of time. */
  coarse: z.boolean().default(false),
  size_before: count.nullable().default(null),
  size_after: count.nullable().default(null),
});
export type MetaDiff = z.output<typeof metaDiffSchema>;

const snippetSchema = z.object({
  path: z.string(),
  old_text: z.string().nullable(),
  new_text: z.string(),
  cut: z.boolean().default(false),
});
export type MetaSnippet = z.output<typeof snippetSchema>;

const statSchema = z.object({
  files: count,
  additions: count,
  deletions: count,
  /** Changed sites that were left out of `diffs` by a limit. */
  omitted: count.default(0),
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
    diffs: each(fields.diffs, metaDiffSchema),
    stat: statSchema.safeParse(fields.diff_stat).data ?? null,
    snippets: each(fields.snippets, snippetSchema),
    exitCode: typeof fields.exit_code === 'number' ? fields.exit_code : null,
    description: text(fields.description),
    parentToolCallId: text(fields.parent_tool_call_id),
  };
}

function each<Schema extends z.ZodType>(value: Json | undefined, schema: Schema): z.output<Schema>[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
