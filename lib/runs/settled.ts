/** Waits, bounded, for what is still being found out behind a run: looks after its calls, drift before it. */
import type { LiveRun } from './live-run';

/** Milliseconds that drift and looks behind a run get before it is read. */
const SETTLE_MS = 2_000;

export async function settled(live: LiveRun): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    Promise.all(live.pending),
    new Promise((done) => {
      timer = setTimeout(done, SETTLE_MS);
    }),
  ]);
  clearTimeout(timer);
}
