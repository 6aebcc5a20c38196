/** The text of a selection in a patch, taken from its lines and not from the page: no numbers, one side, nothing missing. */
import { LINE_CHARACTERS } from './drawn-lines';
import type { Grouping } from './patch-groups';
import { ADDED, type PatchLines, REMOVED } from './patch-lines';

/** A place in the text of one line. */
export interface TextPlace {
  line: number;
  offset: number;
}

/**
 * The lines between two places in drawing order, the first and last of them in part. `side` leaves out what is not on
 * it. A line that is drawn cut is copied whole where the selection goes past its end.
 */
export function selectedText(
  { texts, types }: PatchLines,
  { order }: Grouping,
  start: TextPlace,
  end: TextPlace,
  side: 'old' | 'new' | null,
): string {
  const left = side === 'old' ? ADDED : side === 'new' ? REMOVED : -1;
  const from = order.indexOf(start.line);
  const to = order.indexOf(end.line);
  if (from < 0 || to < from) return '';
  const copied: string[] = [];
  for (let at = from; at <= to; at += 1) {
    const line = order[at]!;
    if (types[line] === left) continue;
    const text = texts[line]!;
    const first = at === from ? start.offset : 0;
    const last = at === to && end.offset < LINE_CHARACTERS ? end.offset : text.length;
    copied.push(text.slice(first, last));
  }
  return copied.join('\n');
}
