/** Gives timeline items their place: a number that grows within a session and is never reused. */
import { eq, sql } from 'drizzle-orm';
import { sessions } from '@/drizzle/schema';
import { AppError } from '@/lib/domain/errors';
import type { SessionId } from '@/lib/domain/ids';
import type { Store } from './database';

/** The next place in a session's timeline. Throws `not_found` where the session is gone. */
export function nextItem(store: Store, sessionId: SessionId, now: number): number {
  const row = store
    .update(sessions)
    .set({ lastItem: sql`${sessions.lastItem} + 1`, updatedAt: now })
    .where(eq(sessions.id, sessionId))
    .returning({ lastItem: sessions.lastItem })
    .get();
  if (!row) throw new AppError('not_found', 'There is no such session.');
  return row.lastItem;
}
