import { json, ownerRoute } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { sessionChange } from '@/lib/server/session-change';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** What the session changed, first state to last; null where no run of it has a record. */
export const GET = ownerRoute<{ sessionId: string }>(async (_, { sessionId }) => {
  const joined = await sessionChange(requireSession(sessionId));
  return json({ change: joined?.change ?? null });
});
