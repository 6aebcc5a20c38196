import { patchResponse } from '@/lib/server/change-bodies';
import { ownerRoute } from '@/lib/server/http';
import { requireChange, requireSession } from '@/lib/server/lookups';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; changeId: string };

/** The whole change as `git apply` takes it at the repository's root. */
export const GET = ownerRoute<Params>((request, { sessionId, changeId }) =>
  patchResponse(request, requireChange(requireSession(sessionId), changeId)),
);
