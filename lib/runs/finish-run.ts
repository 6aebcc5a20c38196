/** Ends runs: the last look, the delta, one transaction, `workspace.diff.completed`, the terminal event. */
import { type ChangeSummary, type Gap, isChange } from '@/lib/domain/change';
import { isToolOpen } from '@/lib/domain/conversation';
import { changeIdOf, type RunId } from '@/lib/domain/ids';
import type { TerminalStatus } from '@/lib/domain/run';
import { type ChangeToSave, findChange, saveChange } from '@/lib/store/change-store';
import { saveRunEnd } from '@/lib/store/run-store';
import { addMessage, announceCallEnd, endSpeech } from './conversation-log';
import { publish } from './event-bus';
import type { House } from './house';
import { releaseLook } from './last-look';
import type { LiveRun } from './live-run';
import { recordRun } from './record-run';
import { summaryOf } from './records';
import { tell } from './tell';

export interface RunEnd {
  status: TerminalStatus;
  stopReason: string | null;
  error: string | null;
  /** The answer of an outside host, where it comes with the end. */
  message?: string | undefined;
  /** The body that ends it, for safe repeats; null where nobody sent one. */
  completion: string | null;
  /** Gaps that the end itself is the reason for (`checkpoint_expired`). */
  gaps?: Gap[];
  /** Whether its agent may still write: then the record can be superseded until the next run of the session. */
  mayWriteLate?: boolean;
}

/** Ends a run. A second end waits for the first, whose outcome stands. Never rejects. */
export function finishRun(house: House, live: LiveRun, end: RunEnd): Promise<void> {
  live.ending ??= endRun(house, live, end).catch((error: unknown) => {
    // The run must end whatever happens; what could not be stored is said where the operator looks.
    console.error('A run could not be recorded:', error);
    if (!live.isTold) settle(house, live, end, null);
  });
  return live.ending;
}

async function endRun(house: House, live: LiveRun, end: RunEnd): Promise<void> {
  for (const permission of live.permissions.values()) permission.answer(null);
  closeCalls(house, live);
  endSpeech(house, live);
  if (end.message) addMessage(house, live, 'assistant', end.message);
  await Promise.all(live.pending);

  const { record, forget } = await recordRun(house, live, end.gaps ?? []);
  const changed = isChange({ fileCount: record.files.length, git: record.git, gaps: record.gaps });
  settle(house, live, end, changed ? record : null);
  const keepsLooks = end.mayWriteLate === true && !house.stopping;
  if (keepsLooks) house.lateWork.set(live.session.id, live);
  // Nobody waits for the tidying; what a stop cuts short, the sweep at the next start does.
  void tidy(house, live, changed ? null : forget, keepsLooks).catch(() => undefined);
}

async function tidy(
  house: House,
  live: LiveRun,
  forget: (() => Promise<void>) | null,
  keepsLooks: boolean,
): Promise<void> {
  await forget?.();
  if (!keepsLooks) await letGo(house, live);
}

/** Lets go of the looks that a finished run holds. */
export async function letGo(house: House, live: LiveRun): Promise<void> {
  for (const snapshot of await live.recorder.handOver()) await releaseLook(house, snapshot);
}

/** Stores the end with its change in one transaction, then tells it: the change first, the terminal event last. */
function settle(house: House, live: LiveRun, end: RunEnd, record: ChangeToSave | null): void {
  live.run = {
    ...live.run,
    status: end.status,
    finishedAt: record?.finishedAt ?? Date.now(),
    stopReason: end.stopReason,
    error: end.error,
  };
  const { run } = live;
  try {
    if (record) {
      const at = saveChange(house.store, record, (store) => saveRunEnd(store, run, end.completion));
      publish(house, {
        event: 'workspace.diff.completed',
        ...summaryOf(record, house.settings.limits.summaryRows),
        at,
      });
    } else {
      saveRunEnd(house.store, run, end.completion);
    }
  } finally {
    house.live.delete(run.id);
    tell(house, live, { event: `run.${end.status}`, run });
    live.isTold = true;
  }
}

/** Calls that the agent left open end with the run. */
function closeCalls(house: House, live: LiveRun): void {
  for (const entry of live.calls.values()) {
    if (!isToolOpen(entry.call.status)) continue;
    entry.call = { ...entry.call, status: 'cancelled', finishedAt: Date.now() };
    live.recorder.endCall(entry.call.id, Date.now());
    announceCallEnd(house, live, entry);
  }
}

/** The change of a run as it is stored, or null where there is none. */
export function changeOfRun(house: House, runId: RunId): ChangeSummary | null {
  return findChange(house.store, changeIdOf({ source: 'run', runId }), house.settings.limits.summaryRows);
}
