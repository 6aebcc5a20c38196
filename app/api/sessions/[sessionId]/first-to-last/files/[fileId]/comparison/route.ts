import { comparisonResponse } from '@/lib/server/change-bodies';
import { ownerRoute } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { requireSessionRow } from '@/lib/server/session-change';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** One file compared in full, first state against last. */
export const GET = ownerRoute<{ sessionId: string; fileId: string }>(async (request, { sessionId, fileId }) => {
  const { row, changeId } = await requireSessionRow(requireSession(sessionId), fileId);
  return comparisonResponse(request, changeId, { stored: row });
});
