/** Paints one hit of a search over the text of its line, without touching the line's elements. */
import type { Hit } from './find-in-lines';

/** As the style sheet names it. */
const HIGHLIGHT = 'tidemark-hit';

/** Where the browser cannot paint highlights, the line itself has been scrolled to; that must do. */
export function highlightHit(cell: Element | null, hit: Hit | null): void {
  if (typeof Highlight === 'undefined' || !CSS.highlights) return;
  CSS.highlights.delete(HIGHLIGHT);
  const range = cell && hit ? rangeIn(cell, hit.from, hit.to) : null;
  if (range) CSS.highlights.set(HIGHLIGHT, new Highlight(range));
}

function rangeIn(cell: Element, from: number, to: number): Range | null {
  const range = document.createRange();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (!begun && from < at + length) {
      range.setStart(node, from - at);
      begun = true;
    }
    if (begun && to <= at + length) {
      range.setEnd(node, to - at);
      return range;
    }
    at += length;
  }
  return null;
}
