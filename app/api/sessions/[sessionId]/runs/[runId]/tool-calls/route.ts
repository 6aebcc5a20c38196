import { parseRequest, startToolCallSchema } from '@/lib/domain/requests';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { requireRun, requireSession } from '@/lib/server/lookups';
import { startOutsideCall } from '@/lib/server/outside-commands';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** A call of an outside host begins. Answers once the files it names are captured. */
export const POST = ownerRoute<{ sessionId: string; runId: string }>(async (request, { sessionId, runId }) => {
  const session = requireSession(sessionId);
  const run = requireRun(runId);
  const body = await readJson(request);
  const { toolCall, created } = await startOutsideCall(session, run.id, parseRequest(startToolCallSchema, body), body);
  return json({ toolCall }, { status: created ? 201 : 200 });
});
