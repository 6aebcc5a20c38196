/** Runs one piece of work at a time, and lets those who ask before a turn begins share that turn. */

export interface WorkQueue<Result> {
  /** The result of a turn that begins after this call. */
  share(): Promise<Result>;
  /** Runs `work` alone, between turns. */
  alone<Other>(work: () => Promise<Other>): Promise<Other>;
}

export function workQueue<Result>(turn: () => Promise<Result>): WorkQueue<Result> {
  let tail: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Result> | null = null;
  const after = <Other>(work: () => Promise<Other>): Promise<Other> => {
    const result = tail.then(work);
    tail = result.catch(() => {});
    return result;
  };
  return {
    share() {
      waiting ??= after(() => {
        waiting = null;
        return turn();
      });
      return waiting;
    },
    alone: after,
  };
}
