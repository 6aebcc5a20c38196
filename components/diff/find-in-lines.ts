/** Finds text in the lines that a patch shows, mounted or not. */
import type { PatchLines } from './patch-lines';

export interface Hit {
  line: number;
  from: number;
  to: number;
}

/** Hits that are kept; more are only said to exist. */
export const MOST_HITS = 5000;

/** Every place where `text` stands, whatever its case, in the order of the patch; at most `MOST_HITS`. */
export function findInLines({ texts, hunks }: PatchLines, text: string): Hit[] {
  const wanted = text.toLowerCase();
  const hits: Hit[] = [];
  if (wanted === '') return hits;
  for (const { from, to } of hunks) {
    for (let line = from; line < to; line += 1) {
      const lower = texts[line]!.toLowerCase();
      for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
        hits.push({ line, from: at, to: at + wanted.length });
        if (hits.length === MOST_HITS) return hits;
      }
    }
  }
  return hits;
}
