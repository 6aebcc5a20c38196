/** Follows the tool calls of a run: captures before, a look after, the call's own change, its card. */
import type { ToolCallUpdate } from '@/lib/agents/agent';
import { type ChangeSummary, isChange } from '@/lib/domain/change';
import type { ToolCall } from '@/lib/domain/conversation';
import { pathsChangedBy } from '@/lib/domain/file-tools';
import { changeIdOf, type ToolCallId } from '@/lib/domain/ids';
import { keptName, saveChange } from '@/lib/store/change-store';
import { cardOf } from './call-card';
import { announceCallEnd, mergedMeta, upsertCall } from './conversation-log';
import { evidenceOf } from './evidence';
import type { House } from './house';
import { type LiveCall, type LiveRun, track } from './live-run';
import { publishProgress } from './progress';
import type { CallChange, CapturePair } from './recorder';
import { byEvidence, recordOf, summaryOf } from './records';

export interface CallOptions {
  /**
   * Paths that a file tool is about to change, absolute or relative to the workspace; `announced` takes them from the
   * call's tool and input.
   */
  paths: string[] | 'announced';
  /** The earliest moment at which the call may begin without us, ms; see `Recorder.startCall`. */
  mayBeginAt: number;
  /** The body that started it, for safe repeats; null where nobody sent one. */
  request: string | null;
}

/**
 * Hears of a call: creates or updates it, captures the files it newly names, and when it ends, looks at what it did.
 * `settled` resolves with the change of a call that ended, once all of that is done.
 */
export function hearCall(
  house: House,
  live: LiveRun,
  update: ToolCallUpdate,
  options: CallOptions,
): { entry: LiveCall; settled: Promise<ChangeSummary | null> } {
  const { entry, created, ended } = upsertCall(house, live, update, options.request);
  const { recorder } = live;
  const named = options.paths === 'announced' ? pathsChangedBy(entry.call) : options.paths;
  const fresh = named.filter((path) => !entry.paths.has(path));
  for (const path of fresh) entry.paths.add(path);
  if (created) {
    entry.started = recorder.startCall({
      id: update.id,
      kind: entry.call.kind,
      paths: fresh,
      mayBeginAt: options.mayBeginAt,
      look: live.looksAfterCalls,
    });
  } else if (fresh.length > 0) {
    entry.started = Promise.all([entry.started, recorder.namePaths(update.id, fresh)]).then(() => undefined);
  }
  track(live, entry.started);
  if (!ended) return { entry, settled: Promise.resolve(null) };
  recorder.endCall(update.id, Date.now());
  const settled = endCall(house, live, entry);
  track(live, settled);
  return { entry, settled };
}

/** Ends a call by what an outside host says of it. Resolves with the call and its own change. */
export async function completeCall(
  house: House,
  live: LiveRun,
  id: ToolCallId,
  update: Omit<ToolCallUpdate, 'id'>,
  completion: string,
): Promise<{ toolCall: ToolCall; change: ChangeSummary | null }> {
  const { entry, ended } = upsertCall(house, live, { ...update, id });
  if (!ended) return { toolCall: entry.call, change: null };
  live.recorder.endCall(id, Date.now());
  const settled = endCall(house, live, entry, completion);
  track(live, settled);
  const change = await settled;
  return { toolCall: entry.call, change };
}

async function endCall(
  house: House,
  live: LiveRun,
  entry: LiveCall,
  completion?: string,
): Promise<ChangeSummary | null> {
  // A call that named no file has its card already; it is told before whatever the agent says next.
  if (entry.paths.size > 0) await entry.started.catch(() => undefined);
  const files = entry.paths.size > 0 ? await live.recorder.callCaptures(entry.call.id) : [];
  if (files.length > 0 && entry.call.status === 'completed' && !entry.isMetaForeign) {
    const card = await cardOf(house.capture, live.recorder, house.settings.limits, entry.call.id, files);
    if (card) entry.call = { ...entry.call, meta: mergedMeta(entry.call.meta, card) };
  }
  live.recorder.settleCall(entry.call.id);
  announceCallEnd(house, live, entry, completion);
  if (!live.looksAfterCalls) return null;
  const callChange = await live.recorder.lookAfterCall(entry.call.id, files);
  if (!callChange) return null;
  const change = await saveCallChange(house, live, entry, callChange, files);
  await publishProgress(house, live, entry.call.id);
  return change;
}

async function saveCallChange(
  house: House,
  live: LiveRun,
  { call }: LiveCall,
  callChange: CallChange,
  files: CapturePair[],
): Promise<ChangeSummary | null> {
  const subject = { source: 'tool', runId: live.run.id, toolCallId: call.id } as const;
  const keepAs = keptName(changeIdOf(subject), 1);
  const delta = await house.capture.compare(live.recorder.location, callChange.before, callChange.after, {
    keepAs,
    patches: true,
    captures: files,
  });
  const record = recordOf(
    {
      subject,
      sessionId: live.session.id,
      workspace: live.recorder.location.root,
      startedAt: call.startedAt,
      finishedAt: call.finishedAt,
      generation: 1,
      overlaps: [...live.neighbours.keys()],
      sharedWith: callChange.sharedWith,
    },
    delta,
    byEvidence(evidenceOf(live)),
    [],
    Date.now(),
  );
  if (!isChange({ fileCount: record.files.length, git: record.git, gaps: [] })) {
    await house.capture.forget(keepAs, delta.kept).catch(() => undefined);
    return null;
  }
  saveChange(house.store, record);
  return summaryOf(record, house.settings.limits.summaryRows);
}
