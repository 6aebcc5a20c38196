/** One prompt to its terminal state. */
import type { RunId, SessionId } from './ids';

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export type TerminalStatus = Exclude<RunStatus, 'running'>;
/** Whether the baseline existed before the first write could happen. */
export type BaselineState = 'pending' | 'ready' | 'late' | 'missing';

export interface Run {
  id: RunId;
  sessionId: SessionId;
  status: RunStatus;
  /** An outside host runs it and tells us; else our own agent does. */
  external: boolean;
  prompt: string;
  workspace: string;
  baseline: BaselineState;
  /** How long the baseline took, ms, and how many files it covers; null until it exists. */
  baselineMs: number | null;
  baselineFiles: number | null;
  startedAt: number;
  finishedAt: number | null;
  /** Why the agent stopped, in its own word (`end_turn`, `exit 1`, `signal SIGTERM`). */
  stopReason: string | null;
  /** What a person is told of a run that did not complete. */
  error: string | null;
}

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return status !== 'running';
}
