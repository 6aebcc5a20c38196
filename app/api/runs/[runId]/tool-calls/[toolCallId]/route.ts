import { json, ownerRoute } from '@/lib/server/http';
import { requireRun, requireToolCall } from '@/lib/server/lookups';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** One call whole: its output, its input, the hunks in its `meta`. */
export const GET = ownerRoute<{ runId: string; toolCallId: string }>((_, { runId, toolCallId }) => {
  const run = requireRun(runId);
  return json({ toolCall: requireToolCall(run, toolCallId) });
});
