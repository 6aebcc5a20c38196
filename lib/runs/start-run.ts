/** Begins runs: the row, the recorder, the baseline before the first write, and what changed since the last one. */
import type { WorkspaceLocation } from '@/lib/capture/capture';
import type { Session } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { mintId, type RunId } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import { findRun, insertRun, runBodies, saveBaseline } from '@/lib/store/run-store';
import { findSession } from '@/lib/store/session-store';
import { addMessage } from './conversation-log';
import { recordDrift } from './drift';
import type { House } from './house';
import { type LiveRun, liveRunOf, track } from './live-run';
import { followProgress } from './progress';
import { Recorder } from './recorder';
import { tell } from './tell';
import { defaultTitle, retitle } from './titles';

export interface RunStart {
  external: boolean;
  prompt: string;
  runId?: RunId | undefined;
  /** A workspace of its own; else the session's. */
  workspace?: string | undefined;
  /** Whether each tool call is followed by a look at the workspace. */
  looksAfterCalls: boolean;
  /** The body that starts it, for safe repeats; null where nobody sent one. */
  request: string | null;
}

/**
 * Begins a run and leaves it going on without a baseline: `settleBaseline` comes next.
 * A repeat of the same start answers the run that exists. Throws `run_in_progress`, `run_id_in_use`,
 * `workspace_unavailable`.
 */
export async function beginRun(
  house: House,
  session: Session,
  start: RunStart,
): Promise<{ run: Run; live: LiveRun | null }> {
  if (house.stopping) throw new AppError('internal', 'Tidemark is stopping; start it again.');
  const repeated = repeatOf(house, session, start);
  if (repeated) return { run: repeated, live: null };
  refuseSecond(house, session);
  const location = await house.capture.locate(start.workspace ?? session.workspace);
  // The wait above let others in.
  const meanwhile = repeatOf(house, session, start);
  if (meanwhile) return { run: meanwhile, live: null };
  refuseSecond(house, session);

  const run: Run = {
    id: start.runId ?? mintId<RunId>('run'),
    sessionId: session.id,
    status: 'running',
    external: start.external,
    prompt: start.prompt,
    workspace: location.root,
    baseline: 'pending',
    baselineMs: null,
    baselineFiles: null,
    startedAt: Date.now(),
    finishedAt: null,
    stopReason: null,
    error: null,
  };
  const live = openLive(house, session, run, location, start);
  const at = insertRun(house.store, run, start.request);
  tell(house, live, { event: 'run.started', run, at });
  nameAfterFirstPrompt(house, session, start.prompt);
  if (start.prompt !== '') addMessage(house, live, 'user', start.prompt);
  return { run, live };
}

/** A session that nobody gave a title is called by the first line of its first prompt. */
function nameAfterFirstPrompt(house: House, session: Session, prompt: string): void {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  const isUntitled = findSession(house.store, session.id)?.title === defaultTitle(session.workspace);
  if (line !== '' && isUntitled) retitle(house, session.id, line.length > 80 ? `${line.slice(0, 79)}…` : line);
}

function repeatOf(house: House, session: Session, start: RunStart): Run | null {
  if (start.runId === undefined) return null;
  const existing = findRun(house.store, start.runId);
  if (!existing) return null;
  const same = existing.sessionId === session.id && runBodies(house.store, existing.id).request === start.request;
  if (!same) throw new AppError('run_id_in_use', 'This run_id belongs to another run.');
  return existing;
}

function refuseSecond(house: House, session: Session): void {
  if (liveRunOf(house.live, session.id)) {
    throw new AppError('run_in_progress', 'A run is going on in this session. Wait for its end, or cancel it.');
  }
}

function openLive(house: House, session: Session, run: Run, location: WorkspaceLocation, start: RunStart): LiveRun {
  const live: LiveRun = {
    run,
    session,
    recorder: new Recorder(house.capture, location, house.settings.limits),
    abort: new AbortController(),
    looksAfterCalls: start.looksAfterCalls,
    calls: new Map(),
    speaking: null,
    permissions: new Map(),
    progress: null,
    neighbours: new Map(),
    touchedAt: Date.now(),
    pending: new Set(),
    isTold: false,
    generation: 1,
    ending: null,
  };
  for (const other of house.live.values()) {
    if (!shareFiles(other.recorder.location, location)) continue;
    other.neighbours.set(run.id, live.recorder);
    live.neighbours.set(other.run.id, other.recorder);
  }
  house.live.set(run.id, live);
  return live;
}

/** Whether two workspaces hold files in common: one repository, or one folder in the other. */
function shareFiles(a: WorkspaceLocation, b: WorkspaceLocation): boolean {
  const [first, second] = [a.repository ?? a.root, b.repository ?? b.root];
  return first === second || first.startsWith(`${second}/`) || second.startsWith(`${first}/`);
}

/**
 * Waits for the baseline (bounded), stores how it went, and looks for drift behind it.
 * After this the agent or host may write.
 */
export async function settleBaseline(house: House, live: LiveRun): Promise<void> {
  const startedAt = Date.now();
  await live.recorder.takeBaseline();
  noteBaseline(house, live, startedAt);
  followProgress(house, live);
  track(
    live,
    live.recorder.baselineTaken().then(async (baseline) => {
      // A late baseline still counts; and drift is measured up to it.
      if (live.run.baselineMs === null && baseline) noteBaseline(house, live, startedAt);
      await recordDrift(house, live, baseline);
    }),
  );
}

function noteBaseline(house: House, live: LiveRun, startedAt: number): void {
  const { recorder, run } = live;
  const taken = recorder.baseline;
  live.run = {
    ...run,
    baseline: recorder.baselineState,
    baselineMs: taken ? Math.max(0, taken.finishedAt - startedAt) : null,
    baselineFiles: taken?.fileCount ?? null,
  };
  saveBaseline(house.store, run.id, {
    state: live.run.baseline,
    ms: live.run.baselineMs,
    files: live.run.baselineFiles,
  });
  tell(house, live, { event: 'run.updated', run: live.run });
}
