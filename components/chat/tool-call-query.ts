/** The query behind an opened card: the whole call, where the timeline holds only its brief form. */
import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/lib/client/read-json';
import type { ToolCall } from '@/lib/domain/conversation';
import { fromWire, type Wire } from '@/lib/domain/events';

/** A call that ended changes only when its card is completed a moment later, which `finishedAt` does not tell. */
export function toolCallQuery({ runId, id, status, outputBytes, meta }: ToolCall) {
  const path = `/api/runs/${runId}/tool-calls/${encodeURIComponent(id)}`;
  return queryOptions({
    queryKey: ['tool call', runId, id, status, outputBytes, meta],
    queryFn: async ({ signal }) => {
      const answer = await readJson<{ tool_call: Wire<ToolCall> }>(path, { signal });
      return fromWire<ToolCall>(answer.tool_call);
    },
    networkMode: 'always',
  });
}
