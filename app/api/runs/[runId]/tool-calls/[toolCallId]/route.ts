import { AppError } from '@/lib/domain/errors';
import { json, ownerRoute } from '@/lib/server/http';
import { parseToolCallId, requireRun } from '@/lib/server/lookups';
import { house } from '@/lib/server/runtime';
import { findToolCall } from '@/lib/store/tool-store';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** One call whole: its output, its input, the hunks in its `meta`. */
export const GET = ownerRoute<{ runId: string; toolCallId: string }>((_, { runId, toolCallId }) => {
  const run = requireRun(runId);
  const live = house().live.get(run.id)?.calls.get(parseToolCallId(toolCallId));
  const toolCall = live?.call ?? findToolCall(house().store, run.id, parseToolCallId(toolCallId));
  if (!toolCall) throw new AppError('not_found', 'There is no such tool call in this run.');
  return json({ toolCall });
});
