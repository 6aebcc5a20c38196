import { AppError } from '@/lib/domain/errors';
import { rowsPatchResponse } from '@/lib/server/change-bodies';
import { ownerRoute } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { sessionChange } from '@/lib/server/session-change';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** What the session changed, as `git apply` takes it at the repository's root. */
export const GET = ownerRoute<{ sessionId: string }>(async (request, { sessionId }) => {
  const joined = await sessionChange(requireSession(sessionId));
  const newest = joined?.rows.at(-1);
  if (!joined || !newest) throw new AppError('not_found', 'This session changed nothing.');
  return rowsPatchResponse(
    request,
    joined.change,
    newest.changeId,
    joined.rows.map(({ row }) => row),
  );
});
