/** What is kept in memory of a run that is going on. */
import type { AgentState, Message, PermissionRequest, Session, ToolCall } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import type { ChangeProgress } from '@/lib/domain/events';
import type { PermissionId, RunId, SessionId, ToolCallId } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import type { Recorder } from './recorder';

/** A message that still grows. */
export interface LiveMessage {
  message: Message;
  /** The agent's own key for it, so that later chunks find it; null where it has none. */
  key: string | null;
  unsaved: boolean;
  /** When it was last stored, ms. */
  savedAt: number;
}

export interface LiveCall {
  call: ToolCall;
  /** Its place in the timeline. */
  at: number;
  unsaved: boolean;
  savedAt: number;
  /** Its `meta` came from an outside host and is kept verbatim. */
  isMetaForeign: boolean;
  /** Paths of it that were captured. */
  paths: Set<string>;
  /** Resolves when its captures and first look are done. */
  started: Promise<void>;
}

export interface LivePermission {
  request: PermissionRequest;
  answer(optionId: string | null): void;
}

export interface LiveRun {
  run: Run;
  session: Session;
  recorder: Recorder;
  /** Cancels the agent of a run of ours. */
  abort: AbortController;
  /** Whether each call is followed by a look at the workspace; not where one call is the whole run. */
  looksAfterCalls: boolean;
  calls: Map<ToolCallId, LiveCall>;
  /** The message that text is being added to. */
  speaking: LiveMessage | null;
  permissions: Map<PermissionId, LivePermission>;
  /** What it changed so far, as it was last told. */
  progress: ChangeProgress | null;
  /** Runs that went on in the same workspace at the same time, with what their file tools named. */
  neighbours: Map<RunId, Recorder>;
  /** When a request last spoke of it: what the time-to-live of outside hosts' runs counts from. */
  touchedAt: number;
  /** Work that must be done before the run can end: looks after calls, drift. */
  pending: Set<Promise<unknown>>;
  /** Whether its terminal event was published: nothing of it is told after that but a superseding record. */
  isTold: boolean;
  /** Grows with each record of it. */
  generation: number;
  /** Set once the run is ending; a second end waits for the first. */
  ending: Promise<void> | null;
}

/** Runs that are going on, by id: the checkpoint vault. Keyed by run; a run belongs to one session. */
export type LiveRuns = Map<RunId, LiveRun>;

/** The run that is going on in a session, or null. */
export function liveRunOf(live: LiveRuns, sessionId: SessionId): LiveRun | null {
  for (const entry of live.values()) if (entry.session.id === sessionId) return entry;
  return null;
}

/** A run that must be going on. Throws `run_already_finished`. */
export function requireLive(live: LiveRuns, runId: RunId): LiveRun {
  const found = live.get(runId);
  if (!found || found.ending !== null) throw new AppError('run_already_finished', 'This run has already finished.');
  return found;
}

/** Keeps a piece of work of a run until it is done, so that the run's end waits for it. */
export function track(live: LiveRun, work: Promise<unknown>): void {
  const settled = work.catch(() => undefined).finally(() => live.pending.delete(settled));
  live.pending.add(settled);
}

/** An agent that has not said anything of itself yet. */
export const NO_AGENT_STATE: AgentState = {
  phase: 'off',
  note: null,
  choices: [],
  commands: [],
  usage: null,
  takesImages: false,
};
