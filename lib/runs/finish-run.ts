/** Ends runs: the last look, the delta, one transaction, `workspace.diff.completed`, the terminal event. */
import { type ChangeSummary, type Gap, isChange } from '@/lib/domain/change';
import { isToolOpen } from '@/lib/domain/conversation';
import { changeIdOf } from '@/lib/domain/ids';
import type { TerminalStatus } from '@/lib/domain/run';
import { findChange, keptName, saveChange } from '@/lib/store/change-store';
import { saveRunEnd } from '@/lib/store/run-store';
import { addMessage, announceCallEnd, endSpeech } from './conversation-log';
import { publish } from './event-bus';
import { evidenceOf } from './evidence';
import type { House } from './house';
import { lastLook, releaseLook, replaceLastLook } from './last-look';
import type { LiveRun } from './live-run';
import { byEvidence, recordOf, recordOfGaps, summaryOf } from './records';

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
}

/** Ends a run. A second end waits for the first, whose outcome stands. Never rejects. */
export function finishRun(house: House, live: LiveRun, end: RunEnd): Promise<void> {
  live.ending ??= endRun(house, live, end).catch((error: unknown) => {
    // The run must end whatever happens; what could not be stored is said where the operator looks.
    console.error('A run could not be recorded:', error);
    settle(house, live, end, null);
  });
  return live.ending;
}

async function endRun(house: House, live: LiveRun, end: RunEnd): Promise<void> {
  const { run, session, recorder } = live;
  denyPermissions(live);
  closeCalls(house, live);
  endSpeech(house, live);
  if (end.message) addMessage(house, live, 'assistant', end.message);
  await Promise.all(live.pending);

  const changeId = changeIdOf({ source: 'run', runId: run.id });
  const keepAs = keptName(changeId, 1);
  const { delta, end: lastSnapshot, gaps } = await recorder.finish(keepAs);
  const finishedAt = Date.now();
  const about = {
    subject: { source: 'run', runId: run.id } as const,
    sessionId: session.id,
    workspace: recorder.location.root,
    startedAt: run.startedAt,
    finishedAt,
    generation: 1,
    overlaps: [...live.neighbours.keys()],
    sharedWith: [],
  };
  const allGaps = [...gaps, ...(end.gaps ?? [])];
  const record = delta
    ? recordOf(about, delta, byEvidence(evidenceOf(live)), allGaps, finishedAt)
    : recordOfGaps(about, allGaps, finishedAt);
  const changed = isChange({ fileCount: record.files.length, git: record.git, gaps: record.gaps });

  const before = lastLook(house, recorder.location.root);
  if (lastSnapshot) replaceLastLook(house, recorder.location.root, lastSnapshot, run.id);
  settle(house, live, end, changed ? record : null, finishedAt);
  if (!changed && delta) await house.capture.forget(keepAs, delta.kept).catch(() => undefined);
  for (const snapshot of await recorder.handOver()) await releaseLook(house, snapshot);
  if (before) await releaseLook(house, before.snapshot);
}

/** Stores the end with its change in one transaction, then tells it: the change first, the terminal event last. */
function settle(
  house: House,
  live: LiveRun,
  end: RunEnd,
  record: ReturnType<typeof recordOf> | null,
  finishedAt = Date.now(),
): void {
  const { session } = live;
  live.run = {
    ...live.run,
    status: end.status,
    finishedAt,
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
    publish(house, { event: `run.${end.status}`, sessionId: session.id, runId: run.id, run });
  }
}

function denyPermissions(live: LiveRun): void {
  for (const permission of live.permissions.values()) permission.answer(null);
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
export function changeOfRun(house: House, runId: LiveRun['run']['id']): ChangeSummary | null {
  return findChange(house.store, changeIdOf({ source: 'run', runId }), house.settings.limits.summaryRows);
}
