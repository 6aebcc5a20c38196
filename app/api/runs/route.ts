import { parseRequest, runsQuerySchema } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf } from '@/lib/server/http';
import { listRuns } from '@/lib/server/run-list';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** Runs, newest first, of all sessions, one session, or one folder. */
export const GET = ownerRoute(async (request) => json(await listRuns(parseRequest(runsQuerySchema, queryOf(request)))));
