/** Where a selection of the page begins and ends in the lines of a patch. */
import type { TextPlace } from './selected-text';

/** The places of `range` inside `root`, or null where it lies outside or within one cell's own text. */
export function selectionPlaces(
  root: HTMLElement,
  range: Range,
  lineOfKey: (key: string) => number | undefined,
): { start: TextPlace; end: TextPlace } | null {
  const cells = [...root.querySelectorAll<HTMLElement>('td.diff-code[data-change-key]')].filter((cell) =>
    range.intersectsNode(cell),
  );
  const [first, last] = [cells[0], cells.at(-1)];
  if (!first || !last) return null;
  const startLine = lineOfKey(first.dataset.changeKey!);
  const endLine = lineOfKey(last.dataset.changeKey!);
  if (startLine === undefined || endLine === undefined) return null;
  const before = document.createRange();
  before.selectNodeContents(first);
  const startsInside = before.comparePoint(range.startContainer, range.startOffset) === 0;
  if (startsInside) before.setEnd(range.startContainer, range.startOffset);
  const within = document.createRange();
  within.selectNodeContents(last);
  const endsInside = within.comparePoint(range.endContainer, range.endOffset) === 0;
  if (endsInside) within.setEnd(range.endContainer, range.endOffset);
  return {
    start: { line: startLine, offset: startsInside ? before.toString().length : 0 },
    end: { line: endLine, offset: endsInside ? within.toString().length : Number.POSITIVE_INFINITY },
  };
}
