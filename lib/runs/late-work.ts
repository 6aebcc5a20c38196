/** Reopens the record of a run whose agent still writes: a background subagent outlives the prompt that started it. */
import type { AgentUpdate } from '@/lib/agents/agent';
import type { KeptBodies } from '@/lib/capture/capture';
import { isChange } from '@/lib/domain/change';
import { isToolOpen } from '@/lib/domain/conversation';
import type { SessionId } from '@/lib/domain/ids';
import { type ChangeToSave, deleteChange, keptBodies, keptName, saveChange } from '@/lib/store/change-store';
import { runItem } from '@/lib/store/run-store';
import { addText } from './conversation-log';
import { publish } from './event-bus';
import { changeOfRun, letGo } from './finish-run';
import type { House } from './house';
import { type LiveRun, track } from './live-run';
import { recordRun } from './record-run';
import { summaryOf } from './records';
import { hearCall } from './tool-runs';

/** Hears an update that came while no prompt was running. Without a run to reopen it is nobody's. */
export function hearLate(house: House, sessionId: SessionId, update: AgentUpdate): void {
  const live = house.lateWork.get(sessionId);
  if (!live) return;
  if (update.type === 'text') addText(house, live, update.role, update.messageKey, update.text);
  if (update.type !== 'tool') return;
  const { entry, settled } = hearCall(house, live, update.call, {
    paths: 'announced',
    mayBeginAt: Date.now(),
    request: null,
  });
  if (isToolOpen(entry.call.status)) return;
  track(
    live,
    settled.then(() => supersede(house, live)),
  );
}

/** Records the run anew where its workspace changed since its last record. */
async function supersede(house: House, live: LiveRun): Promise<void> {
  if (house.lateWork.get(live.session.id) !== live || !(await live.recorder.changedSinceFinish())) return;
  const earlier = changeOfRun(house, live.run.id);
  const bodies = earlier && keptBodies(house.store, earlier.changeId);
  live.generation += 1;
  const { record, forget } = await recordRun(house, live, []);
  const isStill = isChange({ fileCount: record.files.length, git: record.git, gaps: record.gaps });
  if (!isStill) await forget();
  if (isStill) publishSuperseding(house, record, saveChange(house.store, record));
  else if (earlier) {
    deleteChange(house.store, earlier.changeId);
    publishSuperseding(house, record, runItem(house.store, live.run.id) ?? 0);
  }
  if (earlier && bodies?.kept) {
    const name = keptName(earlier.changeId, earlier.generation);
    await house.capture.forget(name, bodies.kept as KeptBodies).catch(() => undefined);
  }
}

function publishSuperseding(house: House, record: ChangeToSave, at: number): void {
  publish(house, {
    event: 'workspace.diff.superseded',
    ...summaryOf(record, house.settings.limits.summaryRows),
    at,
  });
}

/** The run of a session cannot be reopened any more: the next one begins, or its agent is gone. */
export async function endLateWork(house: House, sessionId: SessionId): Promise<void> {
  const live = house.lateWork.get(sessionId);
  if (!live) return;
  house.lateWork.delete(sessionId);
  await Promise.all(live.pending);
  await letGo(house, live);
}
