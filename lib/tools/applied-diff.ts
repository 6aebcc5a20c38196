/** Shows what an edit did as a fenced unified diff for a model, bounded (seed 002). */
import { diffLines, hunkTexts } from '@/lib/domain/line-diff';

/** Unchanged lines around each change. */
const CONTEXT_LINES = 3;

export interface DiffBounds {
  /** Lines of a diff shown to a model. */
  maxLines: number;
  /** Milliseconds a comparison may take. */
  timeoutMs: number;
}

/** The fenced block of the difference; null where nothing differs. */
export function diffBlock(before: string, after: string, { maxLines, timeoutMs }: DiffBounds): string | null {
  const diff = diffLines(before, after, { context: CONTEXT_LINES, timeoutMs });
  if (diff.hunks.length === 0) return null;
  const lines = hunkTexts(diff);
  // Where every line of both sides ends with a return, it says nothing.
  const plain = isReturned(before) && isReturned(after) ? lines.map((line) => line.replace(/\r$/, '')) : lines;
  return fenced(bounded(plain, maxLines));
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
