/** Reads and writes unified patches of one file: hunks from text, and text from hunks. */
import type { Hunk, HunkLine } from './patch';

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export interface ParsedPatch {
  hunks: Hunk[];
  /** The last line of that side is shown and has no line end. */
  noNewlineBefore: boolean;
  noNewlineAfter: boolean;
}

/**
 * The hunks of a unified patch, headers of any kind skipped. A line's kind is its first character inside the length that
 * its hunk announces, so that `--- sql` and `+++ x` are content there. Several files in one text give their hunks in a row.
 */
export function parseUnifiedPatch(text: string): ParsedPatch {
  const hunks: Hunk[] = [];
  let noNewlineBefore = false;
  let noNewlineAfter = false;
  let hunk: Hunk | null = null;
  let oldLeft = 0;
  let newLeft = 0;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    if (line.startsWith('\\')) {
      const last: HunkLine | undefined = hunk?.lines.at(-1);
      if (last && last.type !== 'added') noNewlineBefore = true;
      if (last && last.type !== 'removed') noNewlineAfter = true;
      continue;
    }
    if (hunk !== null && (oldLeft > 0 || newLeft > 0)) {
      const type = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
      if (type !== 'added') oldLeft -= 1;
      if (type !== 'removed') newLeft -= 1;
      hunk.lines.push({ type, text: line.slice(1) });
      continue;
    }
    const header = HUNK_HEADER.exec(line);
    if (header) {
      oldLeft = header[2] === undefined ? 1 : Number(header[2]);
      newLeft = header[4] === undefined ? 1 : Number(header[4]);
      hunk = {
        oldStart: Number(header[1]),
        oldLines: oldLeft,
        newStart: Number(header[3]),
        newLines: newLeft,
        lines: [],
      };
      hunks.push(hunk);
    }
  }
  return { hunks, noNewlineBefore, noNewlineAfter };
}

/** A hunk's header as git writes it: a length of one is left out. */
export function hunkHeader(hunk: Pick<Hunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'>): string {
  const range = (start: number, length: number) => (length === 1 ? `${start}` : `${start},${length}`);
  return `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
}
