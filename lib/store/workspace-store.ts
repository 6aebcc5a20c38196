/** What a workspace held when it was last looked at: where drift is measured from. */
import { eq } from 'drizzle-orm';
import { workspaces } from '@/drizzle/schema';
import type { RunId } from '@/lib/domain/ids';
import type { Store } from './database';

export interface LastSnapshot {
  root: string;
  /** In the words of `lib/capture`. */
  snapshot: unknown;
  runId: RunId | null;
  takenAt: number;
}

export function lastSnapshot(store: Store, root: string): LastSnapshot | null {
  const row = store.select().from(workspaces).where(eq(workspaces.root, root)).get();
  return row ? { ...row, runId: row.runId as RunId | null } : null;
}

export function saveLastSnapshot(store: Store, last: LastSnapshot): void {
  const { root, ...set } = last;
  store
    .insert(workspaces)
    .values({ root, ...set })
    .onConflictDoUpdate({ target: workspaces.root, set })
    .run();
}

/** Every last snapshot: what a sweep must spare. */
export function lastSnapshots(store: Store): LastSnapshot[] {
  return store
    .select()
    .from(workspaces)
    .all()
    .map((row) => ({ ...row, runId: row.runId as RunId | null }));
}

export function deleteLastSnapshot(store: Store, root: string): void {
  store.delete(workspaces).where(eq(workspaces.root, root)).run();
}
