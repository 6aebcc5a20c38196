import { json, ownerRoute } from '@/lib/server/http';
import { requireChange, requireSession } from '@/lib/server/lookups';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; changeId: string };

export const GET = ownerRoute<Params>((_, { sessionId, changeId }) =>
  json({ change: requireChange(requireSession(sessionId), changeId) }),
);
