/** Makes the record of a run from its baseline to now, and moves the workspace's last look on. */
import type { Gap } from '@/lib/domain/change';
import { changeIdOf } from '@/lib/domain/ids';
import { type ChangeToSave, keptName } from '@/lib/store/change-store';
import { evidenceOf } from './evidence';
import type { House } from './house';
import { lastLook, releaseLook, replaceLastLook } from './last-look';
import type { LiveRun } from './live-run';
import { byEvidence, recordOf, recordOfGaps } from './records';

export interface RunRecord {
  record: ChangeToSave;
  /** Lets the bodies go again, for a record that is not stored. */
  forget(): Promise<void>;
}

/** The record of everything from the baseline to now, under the run's generation. `more` are gaps beside the recorder's. */
export async function recordRun(house: House, live: LiveRun, more: Gap[]): Promise<RunRecord> {
  const { run, session, recorder, generation } = live;
  const { root } = recorder.location;
  const subject = { source: 'run', runId: run.id } as const;
  const keepAs = keptName(changeIdOf(subject), generation);
  const { delta, end, gaps } = await recorder.finish(keepAs);
  const about = {
    subject,
    sessionId: session.id,
    workspace: root,
    startedAt: run.startedAt,
    finishedAt: Date.now(),
    generation,
    overlaps: [...live.neighbours.keys()],
    sharedWith: [],
  };
  const allGaps = [...gaps, ...more];
  const record = delta
    ? recordOf(about, delta, byEvidence(evidenceOf(live)), allGaps, about.finishedAt)
    : recordOfGaps(about, allGaps, about.finishedAt);
  const before = lastLook(house, root);
  if (end) replaceLastLook(house, root, end, run.id);
  if (before) await releaseLook(house, before.snapshot);
  return {
    record,
    forget: async () => {
      if (delta) await house.capture.forget(keepAs, delta.kept).catch(() => undefined);
    },
  };
}
