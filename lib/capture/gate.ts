/** Lets many readers and writers of a private directory in together, or one cleaner alone. */

export interface Gate {
  /** Runs `work` together with others of its kind. */
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits until nobody is in, and keeps everybody out while `work` runs. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function gate(): Gate {
  let inside = 0;
  let whenEmpty: (() => void) | null = null;
  let closed: Promise<unknown> | null = null;
  const leave = () => {
    inside -= 1;
    if (inside === 0) whenEmpty?.();
  };
  return {
    async together(work) {
      while (closed !== null) await closed;
      inside += 1;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async alone(work) {
      while (closed !== null) await closed;
      const run = async () => {
        if (inside > 0) {
          await new Promise<void>((resolve) => {
            whenEmpty = resolve;
          });
        }
        whenEmpty = null;
        return work();
      };
      const result = run();
      closed = result
        .catch(() => {})
        .finally(() => {
          closed = null;
        });
      return result;
    },
  };
}
