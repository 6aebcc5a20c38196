/** Compares two texts line by line, bounded in time: the hunks of an applied edit, and of a record made without git. */
import { structuredPatch } from 'diff';
import type { Hunk, HunkLine } from './patch';
import { hunkHeader } from './unified-patch';

export interface LineDiff {
  hunks: Hunk[];
  /** One hunk that replaces everything, because the comparison ran out of time. */
  coarse: boolean;
  /** The last line of that side is shown and has no line end. */
  noNewlineBefore: boolean;
  noNewlineAfter: boolean;
}

export interface LineDiffOptions {
  /** Unchanged lines around each change. */
  context: number | 'all';
  /** Milliseconds it may take; past it, `coarse`. */
  timeoutMs: number;
}

/** The hunks from `before` to `after`, numbered as git numbers them. Lines end at a line feed; a return before it belongs to the line. */
export function diffLines(before: string, after: string, { context, timeoutMs }: LineDiffOptions): LineDiff {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: context === 'all' ? Number.MAX_SAFE_INTEGER : context,
    timeout: timeoutMs,
  });
  if (!patch) return coarseDiff(before, after);
  let noNewlineBefore = false;
  let noNewlineAfter = false;
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }): Hunk => {
    const kept: HunkLine[] = [];
    for (const line of lines) {
      const type = LINE_TYPES[line[0] as string];
      if (type) {
        kept.push({ type, text: line.slice(1) });
        continue;
      }
      // "\ No newline at end of file" speaks of the line before it.
      const last = kept.at(-1)?.type;
      if (last !== 'added') noNewlineBefore = true;
      if (last !== 'removed') noNewlineAfter = true;
    }
    return {
      // A side without lines begins before its first one.
      oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
      oldLines,
      newStart: newLines === 0 ? newStart - 1 : newStart,
      newLines,
      lines: kept,
    };
  });
  return { hunks, coarse: false, noNewlineBefore, noNewlineAfter };
}

const LINE_TYPES: Record<string, HunkLine['type'] | undefined> = { ' ': 'context', '+': 'added', '-': 'removed' };

/** Everything removed, everything added. */
function coarseDiff(before: string, after: string): LineDiff {
  const [removed, added] = [linesOf(before), linesOf(after)];
  return {
    hunks: [
      {
        oldStart: removed.length === 0 ? 0 : 1,
        oldLines: removed.length,
        newStart: added.length === 0 ? 0 : 1,
        newLines: added.length,
        lines: [
          ...removed.map((text): HunkLine => ({ type: 'removed', text })),
          ...added.map((text): HunkLine => ({ type: 'added', text })),
        ],
      },
    ],
    coarse: true,
    noNewlineBefore: before !== '' && !before.endsWith('\n'),
    noNewlineAfter: after !== '' && !after.endsWith('\n'),
  };
}

/** The lines of a text, without their line feeds; what follows the last one is a line only where it holds something. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The hunks as unified text, without the names of the files: what `parseUnifiedPatch` reads back. */
export function hunkTexts({ hunks, noNewlineBefore, noNewlineAfter }: LineDiff): string[] {
  const lines: string[] = [];
  const marker = '\\ No newline at end of file';
  for (const [at, hunk] of hunks.entries()) {
    const isLast = at === hunks.length - 1;
    lines.push(hunkHeader(hunk));
    const lastOld = hunk.lines.findLastIndex(({ type }) => type !== 'added');
    const lastNew = hunk.lines.findLastIndex(({ type }) => type !== 'removed');
    for (const [index, { type, text }] of hunk.lines.entries()) {
      lines.push(`${type === 'added' ? '+' : type === 'removed' ? '-' : ' '}${text}`);
      if (isLast && ((noNewlineBefore && index === lastOld) || (noNewlineAfter && index === lastNew)))
        lines.push(marker);
    }
  }
  return lines;
}
