import { parseRequest, startToolCallSchema } from '@/lib/domain/requests';
import { startOutsideCall } from '@/lib/runs/outside-run';
import { canonical, json, ownerRoute, readJson } from '@/lib/server/http';
import { requireRun, requireSession } from '@/lib/server/lookups';
import { house } from '@/lib/server/runtime';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** A call of an outside host begins. Answers once the files it names are captured. */
export const POST = ownerRoute<{ sessionId: string; runId: string }>(async (request, { sessionId, runId }) => {
  const session = requireSession(sessionId);
  const run = requireRun(runId);
  const body = await readJson(request);
  const { tool_call_id, title, tool, kind, paths, input } = parseRequest(startToolCallSchema, body);
  const { toolCall, created } = await startOutsideCall(house(), session.id, run.id, {
    id: tool_call_id,
    title,
    tool,
    kind,
    paths,
    input,
    request: canonical(body),
  });
  return json({ toolCall }, { status: created ? 201 : 200 });
});
