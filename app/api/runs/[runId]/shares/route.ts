import { createShareSchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { requireRun } from '@/lib/server/lookups';
import { createShare, sharesOf } from '@/lib/server/shares';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

type Params = { runId: string };

/** The links that show this run. */
export const GET = ownerRoute<Params>((_, { runId }) => json({ shares: sharesOf(requireRun(runId)) }));

/** Makes a link that shows this run and nothing else. */
export const POST = ownerRoute<Params>(async (request, { runId }) => {
  const run = requireRun(runId);
  return json(await createShare(run, parseRequest(createShareSchema, await readJson(request))), { status: 201 });
});
