import { json, ownerRoute } from '@/lib/server/http';
import { requireRun } from '@/lib/server/lookups';
import { runRead } from '@/lib/server/read-models';
import { noteAsked } from '@/lib/server/run-list';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** One run with its change and its calls. */
export const GET = ownerRoute<{ runId: string }>((_, { runId }) => {
  const found = requireRun(runId);
  noteAsked(found);
  const { run, change, toolCalls, messages, permissions, plan, lastEventId } = runRead(found);
  return json({ run, change, toolCalls, messages, permissions, plan, lastEventId });
});
