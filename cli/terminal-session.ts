/** Begins a run in the session that a folder's terminal runs share. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { fromWire, type Wire } from '@/lib/domain/events';
import type { Run } from '@/lib/domain/run';
import { type Door, Refusal } from './server-door';

export interface TerminalRun {
  workspace: string;
  /** A session of its own under this title; null shares the folder's. */
  title: string | null;
  prompt: string;
  timeoutMs: number;
}

/**
 * Begins a run and resolves when its baseline exists. All commands of one folder stand in one session; where a run
 * goes on in it already, or a title is wanted, the run gets a session of its own.
 */
export async function terminalSession(
  door: Door,
  { workspace, title, prompt, timeoutMs }: TerminalRun,
): Promise<{ sessionId: string; run: Run }> {
  const real = realPath(workspace);
  const shared = title === null ? `terminal-${createHash('sha256').update(real).digest('hex').slice(0, 24)}` : null;
  if (shared !== null) {
    try {
      return await beginShared(door, real, shared, prompt, timeoutMs);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'run_in_progress')) throw error;
    }
  }
  const own = await createSession(door, real, { title: title ?? 'Terminal' });
  return begin(door, own, prompt, timeoutMs);
}

/** Most folders have their session already: it is made where the first try finds none. */
async function beginShared(door: Door, workspace: string, sessionId: string, prompt: string, timeoutMs: number) {
  try {
    return await begin(door, sessionId, prompt, timeoutMs);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'not_found')) throw error;
    await createSession(door, workspace, { title: 'Terminal', session_id: sessionId });
    return begin(door, sessionId, prompt, timeoutMs);
  }
}

async function createSession(
  door: Door,
  workspace: string,
  fields: { title: string; session_id?: string },
): Promise<string> {
  const { session } = await door.json<{ session: { id: string } }>('POST', '/api/sessions', { workspace, ...fields });
  return session.id;
}

async function begin(door: Door, sessionId: string, prompt: string, timeoutMs: number) {
  const answer = await door.json<{ run: Wire<Run> }>(
    'POST',
    `/api/sessions/${encodeURIComponent(sessionId)}/runs`,
    { external: true, prompt },
    { timeoutMs },
  );
  return { sessionId, run: fromWire<Run>(answer.run) };
}

/** One spelling for one folder, however it is named; as it is where it cannot be read: the server says what is wrong. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
