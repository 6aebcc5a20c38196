/** What a tool call's `meta` tells of the places it changed. `meta` is anybody's JSON, so nothing is taken for granted. */
import * as z from 'zod/mini';
import type { Json } from './conversation';
import { fieldsOf, readToolSummary, type ToolSummary } from './tool-summary';

// Zod's small form: whoever opens a card waits for it.
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

export interface ToolMeta extends ToolSummary {
  diffs: MetaDiff[];
  snippets: MetaSnippet[];
}

/** What can be read of `meta`; the rest is passed over. */
export function readToolMeta(meta: Json): ToolMeta {
  const fields = fieldsOf(meta) ?? {};
  return {
    ...readToolSummary(meta),
    diffs: each(fields.diffs, diffSchema),
    snippets: each(fields.snippets, snippetSchema),
  };
}

function each<Schema extends z.ZodMiniType>(value: Json | undefined, schema: Schema): z.output<Schema>[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
