/** Makes and ends sessions. */
import type { KeptBodies } from '@/lib/capture/capture';
import type { Session } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { mintId, type SessionId } from '@/lib/domain/ids';
import { changesToForget, keptName } from '@/lib/store/change-store';
import {
  deleteSession,
  findOutsideSession,
  findSession,
  insertSession,
  sessionRequest,
} from '@/lib/store/session-store';
import { closeAgentOf } from './agent-run';
import { closeChannel, publish } from './event-bus';
import { finishRun } from './finish-run';
import type { House } from './house';
import { liveRunOf } from './live-run';
import { defaultTitle } from './titles';

export interface SessionStart {
  workspace: string;
  agent?: string | undefined;
  title?: string | undefined;
  sessionId?: SessionId | undefined;
  /** The conversation of an outside agent that it mirrors. */
  outsideKey?: string | undefined;
  /** The body that makes it, for safe repeats; null where nobody sent one. */
  request: string | null;
}

/**
 * Makes a session in a folder. A repeat with the same id and body answers the session that exists.
 * Throws `workspace_unavailable`, `workspace_not_allowed`, `agent_unavailable`, `run_id_in_use`.
 */
export async function createSession(
  house: House,
  start: SessionStart,
): Promise<{ session: Session; created: boolean }> {
  const repeated = repeatOf(house, start);
  if (repeated) return { session: repeated, created: false };
  if (start.agent !== undefined && !house.agents.some((agent) => agent.id === start.agent)) {
    throw new AppError(
      'agent_unavailable',
      `There is no agent "${start.agent.slice(0, 64)}". GET /api/agents lists them.`,
    );
  }
  const location = await house.capture.locate(start.workspace);
  refuseOutsideRoots(house, location.root);
  // The wait above let others in.
  const meanwhile = repeatOf(house, start);
  if (meanwhile) return { session: meanwhile, created: false };
  const session: Session = {
    id: start.sessionId ?? mintId<SessionId>('ses'),
    title: start.title?.trim() || defaultTitle(location.root),
    workspace: location.root,
    workspaceKind: location.kind,
    agent: start.agent ?? null,
    createdAt: Date.now(),
  };
  insertSession(house.store, session, { request: start.request, outsideKey: start.outsideKey ?? null });
  return { session, created: true };
}

function repeatOf(house: House, { sessionId, outsideKey, request }: SessionStart): Session | null {
  // Of two programs that mirror one outside conversation, the second finds what the first made.
  if (outsideKey !== undefined) return findOutsideSession(house.store, outsideKey);
  const existing = sessionId === undefined ? null : findSession(house.store, sessionId);
  if (!existing || sessionRequest(house.store, existing.id) === request) return existing;
  throw new AppError('run_id_in_use', 'This session_id belongs to another session.');
}

/** Refuses a folder outside `TIDEMARK_WORKSPACE_ROOTS`. `root` is a real path. */
export function refuseOutsideRoots(house: House, root: string): void {
  const roots = house.settings.workspaceRoots;
  if (roots.length === 0 || roots.some((allowed) => isWithin(root, allowed))) return;
  throw new AppError(
    'workspace_not_allowed',
    'This folder lies outside the folders that TIDEMARK_WORKSPACE_ROOTS allows.',
  );
}

function isWithin(path: string, folder: string): boolean {
  const base = folder.replace(/\/+$/, '');
  return path === base || path.startsWith(`${base}/`);
}

/** Deletes a session: a run that goes on is stopped first, then everything goes; nothing is written after. */
export async function removeSession(house: House, sessionId: SessionId): Promise<void> {
  const live = liveRunOf(house.live, sessionId);
  if (live) {
    live.abort.abort();
    await finishRun(house, live, { status: 'cancelled', stopReason: 'session deleted', error: null, completion: null });
  }
  await closeAgentOf(house, sessionId);
  const bodies = changesToForget(house.store, { sessionId });
  publish(house, { event: 'session.deleted', sessionId, runId: null });
  deleteSession(house.store, sessionId);
  closeChannel(house, sessionId);
  for (const { changeId, generation, kept } of bodies) {
    if (kept !== null)
      await house.capture.forget(keptName(changeId, generation), kept as KeptBodies).catch(() => undefined);
  }
}
