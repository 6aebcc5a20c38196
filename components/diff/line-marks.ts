/** Lines that a link or a person marked: by side and number, as a link names them. */
import type { LineAnchor } from '@/lib/domain/line-anchor';
import { ADDED, type PatchLines, REMOVED } from './patch-lines';

export type MarkedLines = NonNullable<LineAnchor['lines']>;

/** The side and number by which a line is named: removed lines by the old side, all others by the new one. */
export function nameOfLine({ types, oldNumbers, newNumbers }: PatchLines, line: number, side?: 'L' | 'R'): MarkedLines {
  const old = types[line] === REMOVED || (side === 'L' && types[line] !== ADDED);
  const number = old ? oldNumbers[line]! : newNumbers[line]!;
  return { side: old ? 'L' : 'R', from: number, to: number };
}

/** Marks grown to another line of the same side; on another side they begin anew. */
export function extended(marked: MarkedLines | null, by: MarkedLines): MarkedLines {
  if (marked === null || marked.side !== by.side) return by;
  return { side: by.side, from: Math.min(marked.from, by.from), to: Math.max(marked.from, by.to) };
}

/** The shown lines that are marked, by index. */
export function markedIndices({ oldNumbers, newNumbers, hunks }: PatchLines, marked: MarkedLines | null): Set<number> {
  const indices = new Set<number>();
  if (marked === null) return indices;
  const numbers = marked.side === 'L' ? oldNumbers : newNumbers;
  for (const { from, to } of hunks) {
    for (let line = from; line < to; line += 1) {
      const number = numbers[line]!;
      if (number >= marked.from && number <= marked.to && number > 0) indices.add(line);
    }
  }
  return indices;
}
