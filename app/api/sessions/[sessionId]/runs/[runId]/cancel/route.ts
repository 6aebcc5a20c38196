import { cancelRun } from '@/lib/server/commands';
import { json, ownerRoute } from '@/lib/server/http';
import { requireRun, requireSession } from '@/lib/server/lookups';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** Cancels a run: an outside host's is cancelled at once, our own agent is asked to stop. */
export const POST = ownerRoute<{ sessionId: string; runId: string }>(async (_, { sessionId, runId }) => {
  const run = requireRun(runId);
  await cancelRun(requireSession(sessionId).id, run.id);
  return json({ run: requireRun(run.id) }, { status: 202 });
});
