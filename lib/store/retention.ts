/** Says which runs are past their time, and removes them with all that hangs on them. */
import { inArray, sql } from 'drizzle-orm';
import { runs } from '@/drizzle/schema';
import type { RunId } from '@/lib/domain/ids';
import type { Store } from './database';

/** Ids removed by one statement; SQLite binds at most 32,766 values. */
const IDS_AT_ONCE = 500;

/** Finished runs that started before an instant, or are beyond the newest `perSession` of their session. */
export function runsPastRetention(
  store: Store,
  { before, perSession }: { before: number; perSession: number },
): RunId[] {
  const ranked = store
    .select({
      id: runs.id,
      status: runs.status,
      startedAt: runs.startedAt,
      rank: sql<number>`row_number() over (partition by ${runs.sessionId} order by ${runs.item} desc)`.as('rank'),
    })
    .from(runs)
    .as('ranked');
  return store
    .select({ id: ranked.id })
    .from(ranked)
    .where(sql`${ranked.status} <> 'running' and (${ranked.startedAt} < ${before} or ${ranked.rank} > ${perSession})`)
    .all()
    .map((row) => row.id as RunId);
}

/** Removes runs with their messages, calls, changes and shares. */
export function deleteRuns(store: Store, ids: RunId[]): void {
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    store
      .delete(runs)
      .where(inArray(runs.id, ids.slice(start, start + IDS_AT_ONCE)))
      .run();
  }
}
