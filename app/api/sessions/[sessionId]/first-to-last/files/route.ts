import { filesQuerySchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { rowsPage } from '@/lib/server/rows-page';
import { sessionChange } from '@/lib/server/session-change';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** Every row of what the session changed, a page at a time. */
export const GET = ownerRoute<{ sessionId: string }>(async (request, { sessionId }) => {
  const joined = await sessionChange(requireSession(sessionId));
  const rows = joined?.rows.map(({ row: { contentBefore: _, contentAfter: __, ...file } }) => file) ?? [];
  const { rows: files, nextCursor } = rowsPage(rows, parseRequest(filesQuerySchema, queryOf(request)));
  return json({ files, nextCursor });
});
