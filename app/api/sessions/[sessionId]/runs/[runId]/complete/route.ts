import { completeRunSchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { requireRun, requireSession } from '@/lib/server/lookups';
import { completeOutsideRun } from '@/lib/server/outside-commands';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** Ends an outside host's run. Answers once its change is stored. */
export const POST = ownerRoute<{ sessionId: string; runId: string }>(async (request, { sessionId, runId }) => {
  const session = requireSession(sessionId);
  const run = requireRun(runId);
  const end = parseRequest(completeRunSchema, await readJson(request));
  return json(await completeOutsideRun(session, run.id, end));
});
