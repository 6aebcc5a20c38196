import { createShareSchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { requireRun } from '@/lib/server/lookups';
import { previewShare } from '@/lib/server/shares';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** What a link made with this body would mask; makes none. */
export const POST = ownerRoute<{ runId: string }>(async (request, { runId }) => {
  const run = requireRun(runId);
  return json({ masked: await previewShare(run, parseRequest(createShareSchema, await readJson(request))) });
});
