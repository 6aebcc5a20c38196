/** Tells, while a run goes on, what it changed so far. */
import { totalsIn } from '@/lib/domain/change';
import type { ToolCallId } from '@/lib/domain/ids';
import { evidenceOf } from './evidence';
import type { House } from './house';
import type { LiveRun } from './live-run';
import { byEvidence, recordOf, summaryOf } from './records';
import { tell } from './tell';

/** Milliseconds between two looks while one call goes on. */
const LOOK_EVERY_MS = 3_000;
/** Looks take at most this share of the time: in a large workspace they come more rarely. */
const MOST_SHARE = 1 / 20;

/** Tells what the run changed so far: counts and rows, no bodies. */
export async function publishProgress(house: House, live: LiveRun, toolCallId: ToolCallId | null): Promise<void> {
  const delta = await live.recorder.soFar().catch(() => null);
  if (!delta || live.isTold) return;
  const { recorder, run, session } = live;
  const { files, ...record } = summaryOf(
    recordOf(
      {
        subject: { source: 'run', runId: run.id },
        sessionId: session.id,
        workspace: recorder.location.root,
        startedAt: run.startedAt,
        finishedAt: null,
        generation: 0,
        overlaps: [],
        sharedWith: [],
      },
      delta,
      byEvidence(evidenceOf(live)),
      [],
      Date.now(),
    ),
    house.settings.limits.summaryRows,
  );
  live.progress = { changeId: record.changeId, toolCallId, truncated: record.truncated, ...totalsIn(record), files };
  tell(house, live, { event: 'workspace.diff.progress', ...live.progress });
}

/** Looks from time to time while a call goes on, so that a long command shows what it has changed. */
export function followProgress(house: House, live: LiveRun): void {
  let told = 0;
  const schedule = (ms: number) => {
    const timer = setTimeout(() => void look().catch(() => schedule(LOOK_EVERY_MS)), ms);
    timer.unref();
  };
  const look = async () => {
    if (live.ending !== null) return;
    const isBusy = [...live.recorder.calls.values()].some((call) => call.end === null);
    const startedAt = performance.now();
    const mark = isBusy ? await live.recorder.look() : null;
    if (mark && mark.state !== told) {
      told = mark.state;
      await publishProgress(house, live, null);
    }
    schedule(Math.max(LOOK_EVERY_MS, (performance.now() - startedAt) / MOST_SHARE));
  };
  schedule(LOOK_EVERY_MS);
}
