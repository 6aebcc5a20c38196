import { changesQuerySchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { house } from '@/lib/server/runtime';
import { listChanges } from '@/lib/store/change-store';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The changes of a session, oldest first, without bodies. */
export const GET = ownerRoute<{ sessionId: string }>((request, { sessionId }) => {
  const session = requireSession(sessionId);
  const { run_id, source, cursor, limit } = parseRequest(changesQuerySchema, queryOf(request));
  const { store, settings } = house();
  return json(listChanges(store, session.id, { runId: run_id, source, cursor, limit }, settings.limits.summaryRows));
});
