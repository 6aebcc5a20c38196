/** Finds out what changed in a workspace between the end of the last run in it and the start of this one. */
import type { Snapshot } from '@/lib/capture/capture';
import { type DeltaFile, isChange } from '@/lib/domain/change';
import { changeIdOf } from '@/lib/domain/ids';
import { keptName, saveChange } from '@/lib/store/change-store';
import type { House } from './house';
import { lastLook, releaseLook, replaceLastLook } from './last-look';
import type { LiveRun } from './live-run';
import { recordOf, summaryOf } from './records';
import { tell } from './tell';

/**
 * Compares the last look at the workspace with this run's baseline, and stores the difference as `drift:<run>`.
 * While another run goes on in the workspace there is no drift: what changed is that run's. A first run has none.
 */
export async function recordDrift(house: House, live: LiveRun, baseline: Snapshot | null): Promise<void> {
  const { run, session, recorder } = live;
  if (!baseline) return;
  const { root } = recorder.location;
  const last = lastLook(house, root);
  const alone = live.neighbours.size === 0;
  replaceLastLook(house, root, baseline, run.id);
  if (!last) return;
  try {
    if (!alone) return;
    const subject = { source: 'drift', runId: run.id } as const;
    const changeId = changeIdOf(subject);
    const delta = await house.capture.compare(recorder.location, last.snapshot, baseline, {
      keepAs: keptName(changeId, 1),
      patches: true,
      captures: [],
    });
    const record = recordOf(
      {
        subject,
        sessionId: session.id,
        workspace: root,
        startedAt: last.takenAt,
        finishedAt: baseline.finishedAt,
        generation: 1,
        overlaps: [],
        sharedWith: [],
      },
      delta,
      driftOrigin,
      [],
      Date.now(),
    );
    if (!isChange({ fileCount: record.files.length, git: record.git, gaps: [] })) {
      await house.capture.forget(keptName(changeId, 1), delta.kept);
      return;
    }
    const at = saveChange(house.store, record);
    tell(house, live, {
      event: 'workspace.drift.detected',
      drift: summaryOf(record, house.settings.limits.summaryRows),
      at,
    });
  } finally {
    await releaseLook(house, last.snapshot);
  }
}

/** Outside runs nobody's tools were active: what git moved came with git, the rest was somebody else. */
function driftOrigin(row: DeltaFile) {
  return { origin: row.movedByGit ? ('git' as const) : ('other' as const), toolCallIds: [] };
}
