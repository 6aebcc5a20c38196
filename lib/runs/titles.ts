/** Gives sessions their titles. */
import type { SessionId } from '@/lib/domain/ids';
import { findSession, renameSession } from '@/lib/store/session-store';
import { publish } from './event-bus';
import type { House } from './house';

/** Characters of a title that are kept. */
const MAX_TITLE = 200;

/** What a session is called until it has a prompt: its folder's name. */
export function defaultTitle(workspace: string): string {
  return workspace.split('/').pop() || '/';
}

/** Gives a session a title and tells it. */
export function retitle(house: House, sessionId: SessionId, title: string): void {
  const trimmed = title.trim().slice(0, MAX_TITLE);
  if (trimmed === '') return;
  renameSession(house.store, sessionId, trimmed);
  const session = findSession(house.store, sessionId);
  if (session) publish(house, { event: 'session.updated', sessionId, runId: null, session });
}
