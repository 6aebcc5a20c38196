/** Tells, while a run goes on, what it changed so far. */
import type { Delta } from '@/lib/capture/capture';
import { totalsIn } from '@/lib/domain/change';
import type { ToolCallId } from '@/lib/domain/ids';
import type { ChangeToSave } from '@/lib/store/change-store';
import { evidenceOf } from './evidence';
import type { House } from './house';
import type { LiveRun } from './live-run';
import { byEvidence, recordOf, summaryOf } from './records';
import { tell } from './tell';

/** Milliseconds between two looks while one call goes on. */
const LOOK_EVERY_MS = 3_000;
/** Looks take at most this share of the time: in a large workspace they come more rarely. */
const MOST_SHARE = 1 / 20;

/** The record of a run that goes on, as of a look. */
export function recordSoFar(live: LiveRun, delta: Delta): ChangeToSave {
  return recordOf(
    {
      subject: { source: 'run', runId: live.run.id },
      sessionId: live.session.id,
      workspace: live.recorder.location.root,
      startedAt: live.run.startedAt,
      finishedAt: null,
      generation: 0,
      overlaps: [...live.neighbours.keys()],
      sharedWith: [],
    },
    delta,
    byEvidence(evidenceOf(live)),
    [],
    Date.now(),
  );
}

/** Tells what the run changed so far: counts and rows, no bodies. */
export async function publishProgress(house: House, live: LiveRun, toolCallId: ToolCallId | null): Promise<void> {
  const delta = await live.recorder.soFar().catch(() => null);
  if (!delta || live.isTold) return;
  const { files, ...record } = summaryOf(recordSoFar(live, delta), house.settings.limits.summaryRows);
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
