import { comparisonQuerySchema, parseRequest } from '@/lib/domain/requests';
import { json, queryOf } from '@/lib/server/http';
import { shareRoute } from '@/lib/server/share-route';
import { sharedComparison } from '@/lib/server/shared-bodies';
import { requireSharedFile } from '@/lib/server/shared-run';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { token: string; fileId: string };

/** One file compared in full, its secrets masked. */
export const GET = shareRoute<Params>(async (request, shared, { fileId }) => {
  const { context, ignore_whitespace } = parseRequest(comparisonQuerySchema, queryOf(request));
  const options = { context, ignoreWhitespace: ignore_whitespace === 'true', signal: request.signal };
  return json(await sharedComparison(shared, requireSharedFile(shared, fileId), options));
});
