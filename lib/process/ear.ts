/** Tells since when what is heard now may have been said: a busy process hears late. */

/** Milliseconds between two looks at the clock; by about twice as much a quiet process is unsure. */
const TICK_MS = 10;

export interface Ear {
  /** A moment that lies before whatever is being read now was written, ms since the epoch. */
  since(): number;
  stop(): void;
}

/**
 * Starts listening, for as long as others may speak. Node looks at its pipes, then at its timers, and so on: between two
 * looks at the pipes a timer fires at most once. What one look finds was therefore written after the last tick but one,
 * however long the process was kept from looking.
 */
export function listen(): Ear {
  let last = Date.now();
  let before = last;
  const timer = setInterval(() => {
    before = last;
    last = Date.now();
  }, TICK_MS);
  timer.unref();
  return { since: () => before, stop: () => clearInterval(timer) };
}
