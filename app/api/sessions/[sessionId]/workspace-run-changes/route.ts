import { changesQuerySchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { changePage } from '@/lib/server/pages-of-rows';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The changes of a session, oldest first, without bodies. */
export const GET = ownerRoute<{ sessionId: string }>((request, { sessionId }) => {
  const session = requireSession(sessionId);
  return json(changePage(session, parseRequest(changesQuerySchema, queryOf(request))));
});
