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
  const scroller = scrollerOf(anchor);
  const moved = () => anchor.getBoundingClientRect().top - before;
  if (moved() === 0) return;
  scroller.scrollTop += moved();
  // What is left below may be too short to scroll that far: it is lent some room, given back as the reader scrolls up.
  const short = moved();
  const block = anchor.closest<HTMLElement>('section[data-change]');
  if (short > 1 && block) {
    lendRoom(block, scroller, short);
    scroller.scrollTop += moved();
  }
}

const roomOf = new WeakMap<HTMLElement, { stop: () => void }>();

function lendRoom(block: HTMLElement, scroller: Element, pixels: number): void {
  roomOf.get(block)?.stop();
  let room = (Number.parseFloat(block.style.marginBlockEnd) || 0) + pixels;
  block.style.marginBlockEnd = `${room}px`;
  const source: EventTarget = scroller === document.scrollingElement ? document : scroller;
  const giveBack = () => {
    const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    if (below <= 0) return;
    room = Math.max(0, room - below);
    block.style.marginBlockEnd = room > 0 ? `${room}px` : '';
    if (room === 0) stop();
  };
  const stop = () => {
    source.removeEventListener('scroll', giveBack);
    roomOf.delete(block);
  };
  source.addEventListener('scroll', giveBack, { passive: true });
  roomOf.set(block, { stop });
}
