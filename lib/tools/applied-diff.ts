/** Shows what an edit did: a fenced unified diff for a model, bounded, and the hunks for programs (seed 002). */

import type { Json } from '@/lib/domain/conversation';
import { diffLines, hunkTexts } from '@/lib/domain/line-diff';
import type { Hunk } from '@/lib/domain/patch';

/** Unchanged lines around each change. */
const CONTEXT_LINES = 3;
/** Bytes of hunks that are kept with a call. */
const MAX_HUNK_BYTES = 128 * 1024;

export interface DiffBounds {
  /** Lines of a diff shown to a model. */
  maxLines: number;
  /** Milliseconds a comparison may take. */
  timeoutMs: number;
}

export interface AppliedDiff {
  /** The fenced block; null where nothing differs. */
  block: string | null;
  /** `meta.diffs` of the call (CONTRACT, `tool_call`). */
  diffs: Json;
}

/** The difference of a file's two texts; `before` null for a file that is new, or was no text. */
export function appliedDiff(path: string, before: string | null, after: string, bounds: DiffBounds): AppliedDiff {
  const diff = diffLines(before ?? '', after, { context: CONTEXT_LINES, timeoutMs: bounds.timeoutMs });
  if (diff.hunks.length === 0) return { block: null, diffs: [] };
  const { hunks, cut } = boundedHunks(diff.hunks);
  const entry: { [key: string]: Json } = {
    path,
    old_text: before === null ? null : sideOf(hunks, 'added'),
    new_text: sideOf(hunks, 'removed'),
    hunks: hunks.map(hunkToWire),
    coarse: diff.coarse,
    ...(cut && { cut }),
  };
  const plain =
    isReturned(before) && isReturned(after) ? hunkTexts(diff).map((line) => line.replace(/\r$/, '')) : hunkTexts(diff);
  return { block: fenced(bounded(plain, bounds.maxLines)), diffs: [entry] };
}

/** The first `maxLines` lines, and how many more there are. */
function bounded(lines: string[], maxLines: number): string[] {
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `... (${lines.length - maxLines} more lines truncated)`];
}

/** Lines in a block that none of them can close: the fence is longer than any run of backticks in them. */
export function fenced(lines: string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${lines.join('\n')}\n${fence}`;
}

/** Whether every line of a text ends with a return and a line feed. */
export function isReturned(text: string | null): boolean {
  return text?.includes('\n') === true && !/(^|[^\r])\n/.test(text);
}

function boundedHunks(hunks: Hunk[]): { hunks: Hunk[]; cut: boolean } {
  const kept: Hunk[] = [];
  let bytes = 0;
  for (const hunk of hunks) {
    bytes += hunk.lines.reduce((sum, { text }) => sum + text.length + 32, 0);
    if (bytes > MAX_HUNK_BYTES) return { hunks: kept, cut: true };
    kept.push(hunk);
  }
  return { hunks: kept, cut: false };
}

/** The text of one side of the hunks: everything but what only the other side has. */
function sideOf(hunks: Hunk[], other: 'added' | 'removed'): string {
  return hunks
    .flatMap(({ lines }) => lines)
    .filter(({ type }) => type !== other)
    .map(({ text }) => `${text}\n`)
    .join('');
}

function hunkToWire({ oldStart, oldLines, newStart, newLines, lines }: Hunk): Json {
  return {
    old_start: oldStart,
    old_lines: oldLines,
    new_start: newStart,
    new_lines: newLines,
    lines: lines.map(({ type, text }) => ({ type, text })),
  };
}
