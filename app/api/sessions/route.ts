import { createSessionSchema, parseRequest, sessionsQuerySchema } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf, readJson } from '@/lib/server/http';
import { createSession } from '@/lib/server/outside-commands';
import { readSessionList } from '@/lib/server/read-models';

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
  const { session, created } = await createSession(parseRequest(createSessionSchema, body), body);
  return json({ session }, { status: created ? 201 : 200 });
});
