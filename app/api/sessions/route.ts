import { createSessionSchema, parseRequest, sessionsQuerySchema } from '@/lib/domain/requests';
import { createSession } from '@/lib/runs/sessions';
import { canonical, json, ownerRoute, queryOf, readJson } from '@/lib/server/http';
import { readSessionList } from '@/lib/server/read-models';
import { house } from '@/lib/server/runtime';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** Sessions, those last active first. */
export const GET = ownerRoute(async (request) => {
  const { cursor, limit, q } = parseRequest(sessionsQuerySchema, queryOf(request));
  const { sessions, nextCursor } = await readSessionList({ cursor, limit, query: q });
  return json({ sessions, nextCursor });
});

/** Makes a session. A repeat with the same `session_id` and body answers what exists. */
export const POST = ownerRoute(async (request) => {
  const body = await readJson(request);
  const { workspace, agent, title, session_id } = parseRequest(createSessionSchema, body);
  const { session, created } = await createSession(house(), {
    workspace,
    agent,
    title,
    sessionId: session_id,
    request: canonical(body),
  });
  return json({ session }, { status: created ? 201 : 200 });
});
