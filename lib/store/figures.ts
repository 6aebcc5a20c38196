/** Sums for lists: what a session changed in all, and how much everything takes. */
import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { workspaceRunChanges as changes, runs, sessions } from '@/drizzle/schema';
import type { SessionId } from '@/lib/domain/ids';
import type { RunStatus } from '@/lib/domain/run';
import type { Store } from './database';

export interface SessionFigures {
  runCount: number;
  additions: number;
  deletions: number;
  /** Of its newest run; null where it has none. */
  lastStatus: RunStatus | null;
  updatedAt: number;
}

/** The figures of some sessions. Lines are summed over runs: how much was written, not how much is left of it. */
export function sessionFigures(store: Store, ids: SessionId[]): (id: SessionId) => SessionFigures {
  const lines = new Map(
    store
      .select({
        id: changes.sessionId,
        additions: sql<number>`sum(${changes.additions})`,
        deletions: sql<number>`sum(${changes.deletions})`,
      })
      .from(changes)
      .where(and(inArray(changes.sessionId, ids), eq(changes.source, 'run')))
      .groupBy(changes.sessionId)
      .all()
      .map((row) => [row.id, row]),
  );
  const counted = new Map(
    store
      .select({
        id: runs.sessionId,
        runCount: count(),
        // With a bare column beside max(), SQLite takes it from the row that holds the maximum.
        newest: sql<number>`max(${runs.item})`,
        lastStatus: runs.status,
      })
      .from(runs)
      .where(inArray(runs.sessionId, ids))
      .groupBy(runs.sessionId)
      .all()
      .map((row) => [row.id, row]),
  );
  const updated = new Map(
    store
      .select({ id: sessions.id, updatedAt: sessions.updatedAt })
      .from(sessions)
      .where(inArray(sessions.id, ids))
      .all()
      .map((row) => [row.id, row.updatedAt]),
  );
  return (id) => ({
    runCount: counted.get(id)?.runCount ?? 0,
    additions: lines.get(id)?.additions ?? 0,
    deletions: lines.get(id)?.deletions ?? 0,
    lastStatus: counted.get(id)?.lastStatus ?? null,
    updatedAt: updated.get(id) ?? 0,
  });
}

export interface StorageFigures {
  databaseBytes: number;
  sessionCount: number;
  runCount: number;
  changeCount: number;
  expiredCount: number;
  /** Sessions with the most bytes of patches in the database. */
  largestSessions: { id: SessionId; title: string; bytes: number }[];
}

/** How much the database holds. */
export function storageFigures(store: Store): StorageFigures {
  const pragma = (name: string) => Number(store.$client.pragma(name, { simple: true }));
  const [sessionCount, runCount, changeCount, expiredCount] = [
    store.select({ n: count() }).from(sessions).get()?.n ?? 0,
    store.select({ n: count() }).from(runs).get()?.n ?? 0,
    store.select({ n: count() }).from(changes).get()?.n ?? 0,
    store.select({ n: count() }).from(changes).where(sql`${changes.kept} is null`).get()?.n ?? 0,
  ];
  return {
    databaseBytes: pragma('page_count') * pragma('page_size'),
    sessionCount,
    runCount,
    changeCount,
    expiredCount,
    largestSessions: store
      .select({
        id: sessions.id,
        title: sessions.title,
        bytes: sql<number>`coalesce(sum(${changes.totalPatchBytes}), 0)`,
      })
      .from(sessions)
      .leftJoin(changes, eq(changes.sessionId, sessions.id))
      .groupBy(sessions.id)
      .orderBy(sql`3 desc`)
      .limit(20)
      .all()
      .map((row) => ({ ...row, id: row.id as SessionId })),
  };
}
