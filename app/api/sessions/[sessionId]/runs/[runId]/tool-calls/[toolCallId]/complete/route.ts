import { completeToolCallSchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { parseToolCallId, requireRun, requireSession } from '@/lib/server/lookups';
import { completeOutsideCall } from '@/lib/server/outside-commands';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; runId: string; toolCallId: string };

/** A call of an outside host ends. Answers with what it changed by itself. */
export const POST = ownerRoute<Params>(async (request, { sessionId, runId, toolCallId }) => {
  const session = requireSession(sessionId);
  const run = requireRun(runId);
  const end = parseRequest(completeToolCallSchema, await readJson(request));
  return json(await completeOutsideCall(session, run.id, parseToolCallId(toolCallId), end));
});
