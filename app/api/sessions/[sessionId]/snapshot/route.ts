import { json, ownerRoute } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { snapshotComparison, snapshotResponse } from '@/lib/server/snapshot-export';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string };

/** The workspace as it was when the last run in it ended: a fingerprint of every file. */
export const GET = ownerRoute<Params>((_, { sessionId }) => snapshotResponse(requireSession(sessionId)));

/** Compares an earlier snapshot with it: `{added, changed, removed, is_drift}`. */
export const POST = ownerRoute<Params>(async (request, { sessionId }) =>
  json(await snapshotComparison(request, requireSession(sessionId))),
);
