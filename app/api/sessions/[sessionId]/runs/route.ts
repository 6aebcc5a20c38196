import { parseRequest, startRunSchema } from '@/lib/domain/requests';
import { startAgentRun } from '@/lib/runs/agent-run';
import { startOutsideRun } from '@/lib/runs/outside-run';
import { refuseOutsideRoots } from '@/lib/runs/sessions';
import { canonical, json, ownerRoute, readJson } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { house } from '@/lib/server/runtime';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** Starts a run: by the session's agent (202, at once), or of an outside host (201, once the baseline exists). */
export const POST = ownerRoute<{ sessionId: string }>(async (request, { sessionId }) => {
  const session = requireSession(sessionId);
  const body = await readJson(request);
  const start = parseRequest(startRunSchema, body);
  if (!start.external) {
    const images = (start.images ?? []).map(({ mime_type, data }) => ({ mimeType: mime_type, data }));
    return json({ run: await startAgentRun(house(), session, { text: start.prompt, images }) }, { status: 202 });
  }
  if (start.workspace !== undefined) refuseOutsideRoots(house(), (await house().capture.locate(start.workspace)).root);
  const { run, created } = await startOutsideRun(house(), session, {
    prompt: start.prompt,
    runId: start.run_id,
    workspace: start.workspace,
    request: canonical(body),
  });
  return json({ run }, { status: created ? 201 : 200 });
});
