import { parseRequest, startRunSchema } from '@/lib/domain/requests';
import { startRun } from '@/lib/server/commands';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { startOutsideRun } from '@/lib/server/outside-commands';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** Starts a run: by the session's agent (202, at once), or of an outside host (201, once the baseline exists). */
export const POST = ownerRoute<{ sessionId: string }>(async (request, { sessionId }) => {
  const session = requireSession(sessionId);
  const body = await readJson(request);
  const start = parseRequest(startRunSchema, body);
  if (!start.external) {
    const images = (start.images ?? []).map(({ mime_type, data }) => ({ mimeType: mime_type, data }));
    return json({ run: await startRun(session.id, { text: start.prompt, images }) }, { status: 202 });
  }
  const { run, created } = await startOutsideRun(session, start, body);
  return json({ run }, { status: created ? 201 : 200 });
});
