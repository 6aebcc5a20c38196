/** Sessions: rows in, words out. */
import { and, desc, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { sessions } from '@/drizzle/schema';
import type { Session } from '@/lib/domain/conversation';
import type { SessionId } from '@/lib/domain/ids';
import type { WorkspaceKind } from '@/lib/domain/workspace';
import type { Store } from './database';
import { sessionsMatching } from './search-store';

type SessionRow = typeof sessions.$inferSelect;

export function toSession(row: SessionRow): Session {
  return {
    id: row.id as SessionId,
    title: row.title,
    workspace: row.workspace,
    workspaceKind: row.workspaceKind,
    agent: row.agent,
    createdAt: row.createdAt,
  };
}

/** Stores a session. `request` is the body that made it, for safe repeats. */
export function insertSession(
  store: Store,
  session: Session,
  { request, outsideKey = null }: { request: string | null; outsideKey?: string | null },
): void {
  store
    .insert(sessions)
    .values({ ...session, updatedAt: session.createdAt, request, outsideKey })
    .run();
}

export function findSession(store: Store, id: SessionId): Session | null {
  const row = store.select().from(sessions).where(eq(sessions.id, id)).get();
  return row ? toSession(row) : null;
}

/** The body that made a session, or null where nobody sent one. */
export function sessionRequest(store: Store, id: SessionId): string | null {
  return store.select({ request: sessions.request }).from(sessions).where(eq(sessions.id, id)).get()?.request ?? null;
}

/** The session that mirrors a conversation of an outside agent. */
export function findOutsideSession(store: Store, outsideKey: string): Session | null {
  const row = store.select().from(sessions).where(eq(sessions.outsideKey, outsideKey)).get();
  return row ? toSession(row) : null;
}

export interface SessionPage {
  sessions: Session[];
  nextCursor: string | null;
}

/** Sessions, those last active first; `query` matches title, folder, prompts and changed paths. */
export function listSessions(
  store: Store,
  page: { cursor?: string | undefined; limit: number; query?: string | undefined },
): SessionPage {
  const conditions: (SQL | undefined)[] = [];
  if (page.query) conditions.push(inArray(sessions.id, sessionsMatching(store, page.query)));
  if (page.cursor) {
    const [at, id = ''] = page.cursor.split('~');
    conditions.push(
      or(lt(sessions.updatedAt, Number(at)), and(eq(sessions.updatedAt, Number(at)), lt(sessions.id, id))),
    );
  }
  const rows = store
    .select()
    .from(sessions)
    .where(and(...conditions))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id))
    .limit(page.limit + 1)
    .all();
  const last = rows[page.limit - 1];
  return {
    sessions: rows.slice(0, page.limit).map(toSession),
    nextCursor: rows.length > page.limit && last ? `${last.updatedAt}~${last.id}` : null,
  };
}

/** Folders used before, most recent first. */
export function recentWorkspaces(store: Store, limit: number): { workspace: string; kind: WorkspaceKind }[] {
  return store
    .select({
      workspace: sessions.workspace,
      kind: sessions.workspaceKind,
      used: sql<number>`max(${sessions.updatedAt})`,
    })
    .from(sessions)
    .groupBy(sessions.workspace)
    .orderBy(desc(sql`max(${sessions.updatedAt})`))
    .limit(limit)
    .all();
}

export function renameSession(store: Store, id: SessionId, title: string): void {
  store.update(sessions).set({ title }).where(eq(sessions.id, id)).run();
}

/** Deletes a session with everything that hangs on it. */
export function deleteSession(store: Store, id: SessionId): void {
  store.delete(sessions).where(eq(sessions.id, id)).run();
}

export function resumeToken(store: Store, id: SessionId): string | null {
  return store.select({ token: sessions.resumeToken }).from(sessions).where(eq(sessions.id, id)).get()?.token ?? null;
}

export function saveResumeToken(store: Store, id: SessionId, token: string): void {
  store.update(sessions).set({ resumeToken: token }).where(eq(sessions.id, id)).run();
}

/** Sets aside `count` event ids for a session and returns the first. A restart goes on above what was set aside. */
export function reserveEventIds(store: Store, id: SessionId, count: number): number {
  const row = store
    .update(sessions)
    .set({ reservedEventId: sql`${sessions.reservedEventId} + ${count}` })
    .where(eq(sessions.id, id))
    .returning({ reserved: sessions.reservedEventId })
    .get();
  return (row?.reserved ?? count) - count + 1;
}

/** The highest event id that was set aside for a session. */
export function reservedEventId(store: Store, id: SessionId): number {
  return store.select({ id: sessions.reservedEventId }).from(sessions).where(eq(sessions.id, id)).get()?.id ?? 0;
}
