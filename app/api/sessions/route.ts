import { createSessionSchema, parseRequest, sessionsQuerySchema } from '@/lib/domain/requests';
import { createSession } from '@/lib/runs/sessions';
import { canonical, json, ownerRoute, queryOf, readJson } from '@/lib/server/http';
import { house } from '@/lib/server/runtime';
import { listSessions } from '@/lib/store/session-store';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** Sessions, those last active first. */
export const GET = ownerRoute((request) => {
  const { cursor, limit, q } = parseRequest(sessionsQuerySchema, queryOf(request));
  return json(listSessions(house().store, { cursor, limit, query: q }));
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
