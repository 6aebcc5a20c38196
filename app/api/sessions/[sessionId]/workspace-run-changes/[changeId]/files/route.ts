import { filesQuerySchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf } from '@/lib/server/http';
import { requireChange, requireSession } from '@/lib/server/lookups';
import { filePage } from '@/lib/server/pages-of-rows';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; changeId: string };

/** Every row of a change, a page at a time, without bodies. */
export const GET = ownerRoute<Params>((request, { sessionId, changeId }) => {
  const change = requireChange(requireSession(sessionId), changeId);
  return json(filePage(change.changeId, parseRequest(filesQuerySchema, queryOf(request))));
});
