import { contentResponse } from '@/lib/server/change-bodies';
import { ownerRoute } from '@/lib/server/http';
import { requireChange, requireFile, requireSession } from '@/lib/server/lookups';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; changeId: string; fileId: string };

/** The bytes of one side. */
export const GET = ownerRoute<Params>((request, { sessionId, changeId, fileId }) => {
  const change = requireChange(requireSession(sessionId), changeId);
  return contentResponse(request, change.changeId, requireFile(change.changeId, fileId));
});
