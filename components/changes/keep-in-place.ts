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
  // What is left below may be too short to scroll that far: the page is lent some room, given back as the reader
  // scrolls up. A window more than needed, since the content may not even fill one; the rest is given back at once.
  if (moved() <= 1) return;
  const giveBack = lendRoom(scroller as HTMLElement, moved() + scroller.clientHeight);
  scroller.scrollTop += moved();
  giveBack();
}

interface Loan {
  room: number;
  /** The scroller's own padding, as it was before the first loan. */
  own: number;
  giveBack: () => void;
}

const loans = new WeakMap<HTMLElement, Loan>();

function lendRoom(scroller: HTMLElement, pixels: number): () => void {
  // The document's own height may be that of the window; its body grows.
  const padded = scroller === document.scrollingElement ? document.body : scroller;
  const loan = loans.get(scroller) ?? newLoan(scroller, padded);
  loan.room += pixels;
  show(padded, loan);
  return loan.giveBack;
}

function newLoan(scroller: HTMLElement, padded: HTMLElement): Loan {
  const source: EventTarget = scroller === document.scrollingElement ? document : scroller;
  const loan: Loan = {
    room: 0,
    own: Number.parseFloat(getComputedStyle(padded).paddingBlockEnd) || 0,
    giveBack: () => {
      const below = Math.floor(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop);
      if (below <= 0) return;
      loan.room = Math.max(0, loan.room - below);
      show(padded, loan);
      if (loan.room > 0) return;
      source.removeEventListener('scroll', loan.giveBack);
      loans.delete(scroller);
    },
  };
  source.addEventListener('scroll', loan.giveBack, { passive: true });
  loans.set(scroller, loan);
  return loan;
}

function show(padded: HTMLElement, { room, own }: Loan): void {
  padded.style.paddingBlockEnd = room > 0 ? `${own + room}px` : '';
}
