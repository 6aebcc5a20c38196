import { json, ownerRoute } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { requireSessionRow, sessionFile } from '@/lib/server/session-change';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** One row with its patch, first state against last. */
export const GET = ownerRoute<{ sessionId: string; fileId: string }>(async (_, { sessionId, fileId }) => {
  const row = await requireSessionRow(requireSession(sessionId), fileId);
  return json({ file: await sessionFile(row) });
});
