import { changedSince } from '@/lib/server/change-bodies';
import { json, ownerRoute } from '@/lib/server/http';
import { requireChange, requireSession } from '@/lib/server/lookups';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; changeId: string };

/** Which files on disk are no longer what the change left. */
export const GET = ownerRoute<Params>(async (_, { sessionId, changeId }) =>
  json({ changedSince: await changedSince(requireChange(requireSession(sessionId), changeId)) }),
);
