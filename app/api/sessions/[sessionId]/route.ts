import { parseRequest, patchSessionSchema } from '@/lib/domain/requests';
import { deleteSession, renameSession } from '@/lib/server/commands';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';

export { notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string };

export const GET = ownerRoute<Params>((_, { sessionId }) => json({ session: requireSession(sessionId) }));

export const PATCH = ownerRoute<Params>(async (request, { sessionId }) => {
  const session = requireSession(sessionId);
  const { title } = parseRequest(patchSessionSchema, await readJson(request));
  renameSession(session.id, title);
  return json({ session: requireSession(sessionId) });
});

/** Deletes a session with everything of it; a run that goes on is stopped first. */
export const DELETE = ownerRoute<Params>(async (_, { sessionId }) => {
  await deleteSession(requireSession(sessionId).id);
  return new Response(null, { status: 204 });
});
