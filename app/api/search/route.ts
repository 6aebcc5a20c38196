import { parseRequest, searchQuerySchema } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf } from '@/lib/server/http';
import { runsMatching } from '@/lib/server/pages-of-rows';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** Runs by title, folder, prompt and changed path, newest first. */
export const GET = ownerRoute((request) => {
  const { q, limit } = parseRequest(searchQuerySchema, queryOf(request));
  return json({ runs: runsMatching(q, limit) });
});
