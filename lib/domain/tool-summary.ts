/**
 * What a tool call's `meta` tells in one line, read by hand: every timeline reads it of every call, and a library of
 * schemas is a tenth of what a page may load.
 */
import type { Json } from './conversation';

export interface DiffStat {
  files: number;
  additions: number;
  deletions: number;
  /** Changed sites that were left out of `diffs` by a limit. */
  omitted: number;
}

export interface ToolSummary {
  stat: DiffStat | null;
  exitCode: number | null;
  /** What the call is for, in the agent's words. */
  description: string | null;
  /** The call whose subagent made this one. */
  parentToolCallId: string | null;
  /** There are places it changed, or announced to change: `readToolMeta` reads them. */
  hasSites: boolean;
}

type Fields = Record<string, Json>;

/** What can be read of `meta`; the rest is passed over. */
export function readToolSummary(meta: Json): ToolSummary {
  const fields = fieldsOf(meta) ?? {};
  return {
    stat: readStat(fieldsOf(fields.diff_stat)),
    exitCode: typeof fields.exit_code === 'number' ? fields.exit_code : null,
    description: textOf(fields.description),
    parentToolCallId: textOf(fields.parent_tool_call_id),
    hasSites: isFilled(fields.diffs) || isFilled(fields.snippets),
  };
}

function readStat(fields: Fields | null): DiffStat | null {
  if (fields === null) return null;
  const { files, additions, deletions, omitted = 0 } = fields;
  return isCount(files) && isCount(additions) && isCount(deletions) && isCount(omitted)
    ? { files, additions, deletions, omitted }
    : null;
}

/** The fields of a JSON object; null for any other value. */
export function fieldsOf(value: Json | undefined): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isFilled(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}
