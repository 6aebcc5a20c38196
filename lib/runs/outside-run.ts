/** Records the runs of outside hosts: they say when a run, a call, an answer begins and ends; repeats are safe. */
import type { ToolCallUpdate } from '@/lib/agents/agent';
import type { ChangeSummary } from '@/lib/domain/change';
import type { Json, Session, ToolCall, ToolKind } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { changeIdOf, type RunId, type SessionId, type ToolCallId } from '@/lib/domain/ids';
import type { Run, TerminalStatus } from '@/lib/domain/run';
import { findChange } from '@/lib/store/change-store';
import { findRun, runBodies } from '@/lib/store/run-store';
import { findToolCall, toolBodies } from '@/lib/store/tool-store';
import { changeOfRun, finishRun } from './finish-run';
import type { House } from './house';
import { type LiveRun, requireLive } from './live-run';
import { beginRun, settleBaseline } from './start-run';
import { completeCall, hearCall } from './tool-runs';

export interface OutsideRunStart {
  prompt: string;
  runId?: RunId | undefined;
  workspace?: string | undefined;
  /** The body as it came, canonical JSON. */
  request: string;
}

/**
 * Starts a run of an outside host. Resolves after the baseline exists, or the waiting limit has passed: the host may
 * write then. `created` is false for a repeat.
 */
export async function startOutsideRun(
  house: House,
  session: Session,
  start: OutsideRunStart,
): Promise<{ run: Run; created: boolean }> {
  const { run, live } = await beginRun(house, session, { ...start, external: true, looksAfterCalls: true });
  if (live) {
    await settleBaseline(house, live);
    return { run: live.run, created: true };
  }
  const going = house.live.get(run.id);
  // A repeat while the first is still waiting for its baseline waits as well.
  if (going && going.run.baseline === 'pending') await going.recorder.baselineTaken();
  return { run: house.live.get(run.id)?.run ?? run, created: false };
}

/** The run of a session that is going on and that an outside host runs. Throws `not_found`, `run_already_finished`. */
export function requireOutsideRun(house: House, sessionId: SessionId, runId: RunId): LiveRun {
  const run = findRun(house.store, runId);
  if (!run || run.sessionId !== sessionId) throw new AppError('not_found', 'There is no such run in this session.');
  const live = requireLive(house.live, runId);
  live.touchedAt = Date.now();
  return live;
}

export interface OutsideCallStart {
  id: ToolCallId;
  title?: string | undefined;
  tool?: string | undefined;
  kind?: ToolKind | undefined;
  paths?: string[] | undefined;
  input?: Json | undefined;
  request: string;
}

/** A call of an outside host begins. Resolves after its captures exist: the host may write then. */
export async function startOutsideCall(
  house: House,
  sessionId: SessionId,
  runId: RunId,
  start: OutsideCallStart,
): Promise<{ toolCall: ToolCall; created: boolean }> {
  const existing = findToolCall(house.store, runId, start.id);
  if (existing) {
    requireRunOf(house, sessionId, runId);
    if (toolBodies(house.store, runId, start.id).request !== start.request) {
      throw new AppError('run_id_in_use', 'This tool_call_id belongs to another call of the run.');
    }
    await house.live.get(runId)?.calls.get(start.id)?.started;
    return { toolCall: existing, created: false };
  }
  const live = requireOutsideRun(house, sessionId, runId);
  const { entry } = hearCall(house, live, callUpdate(start), {
    paths: start.paths ?? 'announced',
    mayBeginAt: Number.POSITIVE_INFINITY,
    request: start.request,
  });
  await entry.started;
  return { toolCall: entry.call, created: true };
}

function callUpdate(start: OutsideCallStart): ToolCallUpdate {
  const { id, title, tool, kind, paths, input } = start;
  return {
    id,
    status: 'in_progress',
    title: title ?? (tool ? `${tool}${paths?.[0] === undefined ? '' : ` ${paths[0]}`}` : (paths?.[0] ?? 'Tool call')),
    ...(tool === undefined ? {} : { tool }),
    kind: kind ?? (paths && paths.length > 0 ? 'edit' : 'other'),
    ...(input === undefined ? {} : { input }),
    locations: (paths ?? []).map((path) => ({ path })),
  };
}

function requireRunOf(house: House, sessionId: SessionId, runId: RunId): Run {
  const run = findRun(house.store, runId);
  if (!run || run.sessionId !== sessionId) throw new AppError('not_found', 'There is no such run in this session.');
  return run;
}

/** A call of an outside host ends. Resolves with its own change. */
export async function completeOutsideCall(
  house: House,
  sessionId: SessionId,
  runId: RunId,
  end: {
    id: ToolCallId;
    status: 'completed' | 'failed';
    output?: string | undefined;
    meta?: Json | undefined;
    completion: string;
  },
): Promise<{ toolCall: ToolCall; change: ChangeSummary | null }> {
  requireRunOf(house, sessionId, runId);
  const stored = findToolCall(house.store, runId, end.id);
  if (!stored) throw new AppError('not_found', 'There is no such tool call in this run.');
  const earlier = toolBodies(house.store, runId, end.id).completion;
  if (earlier !== null) {
    if (earlier !== end.completion)
      throw new AppError('run_already_finished', 'This tool call has already ended otherwise.');
    const changeId = changeIdOf({ source: 'tool', runId, toolCallId: end.id });
    await Promise.all(house.live.get(runId)?.pending ?? []);
    return {
      toolCall: findToolCall(house.store, runId, end.id) ?? stored,
      change: findChange(house.store, changeId, house.settings.limits.summaryRows),
    };
  }
  const live = requireOutsideRun(house, sessionId, runId);
  return completeCall(
    house,
    live,
    end.id,
    {
      status: end.status,
      ...(end.output === undefined ? {} : { output: end.output }),
      ...(end.meta === undefined ? {} : { metaWhole: end.meta }),
    },
    end.completion,
  );
}

/** An outside host's run ends. Resolves with the run and its change once both are stored and told. */
export async function completeOutsideRun(
  house: House,
  sessionId: SessionId,
  runId: RunId,
  end: {
    status: Exclude<TerminalStatus, 'interrupted'>;
    message?: string | undefined;
    error?: string | undefined;
    completion: string;
  },
): Promise<{ run: Run; change: ChangeSummary | null }> {
  const run = requireRunOf(house, sessionId, runId);
  const live = house.live.get(runId);
  if (live && live.ending === null) {
    if (!run.external)
      throw new AppError('invalid_request', 'run: this run is ended by its own agent; cancel it instead');
    live.touchedAt = Date.now();
    await finishRun(house, live, {
      status: end.status,
      stopReason: end.status,
      error: end.error ?? null,
      message: end.message,
      completion: end.completion,
    });
  } else {
    await live?.ending;
    if (runBodies(house.store, runId).completion !== end.completion) {
      throw new AppError('run_already_finished', 'This run has already ended otherwise.');
    }
  }
  return { run: findRun(house.store, runId) ?? run, change: changeOfRun(house, runId) };
}

/** Cancels a run: an outside host's at once, our own agent's by asking it to stop. Repeats are no error. */
export async function cancelRun(house: House, sessionId: SessionId, runId: RunId): Promise<void> {
  requireRunOf(house, sessionId, runId);
  const live = house.live.get(runId);
  if (!live) throw new AppError('run_already_finished', 'This run has already finished.');
  if (live.run.external) {
    await finishRun(house, live, { status: 'cancelled', stopReason: 'cancelled', error: null, completion: null });
  } else {
    live.abort.abort();
  }
}
