/** Changes of layout during which the thing acted on stays where it was on the screen. */
import { flushSync } from 'react-dom';

/** The nearest ancestor that scrolls vertically, or the document's own scroller. */
export function scrollerOf(element: Element): Element {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at);
    if ((overflowY === 'auto' || overflowY === 'scroll') && at !== document.body) return at;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** Applies `update` at once and scrolls by as much as it moved `anchor`. */
export function keepInPlace(anchor: Element, update: () => void): void {
  const before = anchor.getBoundingClientRect().top;
  flushSync(update);
  if (!anchor.isConnected) return;
  const moved = anchor.getBoundingClientRect().top - before;
  if (moved !== 0) scrollerOf(anchor).scrollTop += moved;
}
