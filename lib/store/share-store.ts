/** Links that show one run: rows in, words out. */
import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import { shares } from '@/drizzle/schema';
import type { RunId, ShareId } from '@/lib/domain/ids';
import type { Share } from '@/lib/domain/share';
import type { Store } from './database';

function toShare(row: typeof shares.$inferSelect): Share {
  return {
    ...row,
    id: row.id as ShareId,
    runId: row.runId as RunId,
    excludePaths: row.excludePaths as string[],
    revealPaths: row.revealPaths as string[],
  };
}

export function insertShare(store: Store, share: Share): void {
  store.insert(shares).values(share).run();
}

export function listShares(store: Store, runId: RunId): Share[] {
  return store.select().from(shares).where(eq(shares.runId, runId)).orderBy(desc(shares.createdAt)).all().map(toShare);
}

export function findShare(store: Store, id: ShareId): Share | null {
  const row = store.select().from(shares).where(eq(shares.id, id)).get();
  return row ? toShare(row) : null;
}

/** The share that a token opens at this instant; null alike for unknown and expired ones. */
export function openShare(store: Store, token: string, now: number): Share | null {
  const row = store
    .select()
    .from(shares)
    .where(and(eq(shares.token, token), or(isNull(shares.expiresAt), gt(shares.expiresAt, now))))
    .get();
  return row ? toShare(row) : null;
}

/** Revokes a share. Unknown ids are no error. */
export function deleteShare(store: Store, id: ShareId): void {
  store.delete(shares).where(eq(shares.id, id)).run();
}
