import { completeToolCallSchema, parseRequest } from '@/lib/domain/requests';
import { completeOutsideCall } from '@/lib/runs/outside-run';
import { canonical, json, ownerRoute, readJson } from '@/lib/server/http';
import { parseToolCallId, requireRun, requireSession } from '@/lib/server/lookups';
import { house } from '@/lib/server/runtime';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; runId: string; toolCallId: string };

/** A call of an outside host ends. Answers with what it changed by itself. */
export const POST = ownerRoute<Params>(async (request, { sessionId, runId, toolCallId }) => {
  const session = requireSession(sessionId);
  const run = requireRun(runId);
  const end = parseRequest(completeToolCallSchema, await readJson(request));
  return json(
    await completeOutsideCall(house(), session.id, run.id, {
      ...end,
      id: parseToolCallId(toolCallId),
      completion: canonical(end),
    }),
  );
});
