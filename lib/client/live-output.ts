/** The output of running calls as it streams in: whole, where their brief form keeps only the end. */
import type { SessionEvent } from '@/lib/domain/events';
import type { ToolCallId } from '@/lib/domain/ids';

/** What was seen of one call's output: `text` begins at `start` of the whole. */
export interface LiveOutput {
  readonly start: number;
  readonly text: string;
}

export type LiveOutputs = { readonly [id: ToolCallId]: LiveOutput };

type ToolEvent = Extract<SessionEvent, { event: 'tool.started' | 'tool.updated' | 'tool.completed' }>;

/** Adds what an event tells of a call's output. A gap begins anew with what the event holds. */
export function liveOutputAfter(outputs: LiveOutputs, { toolCall, outputDelta }: ToolEvent): LiveOutputs {
  if (!outputDelta) return outputs;
  const { start, text } = outputDelta;
  const seen = outputs[toolCall.id];
  const end = start + text.length;
  if (seen && start >= seen.start && start <= seen.start + seen.text.length) {
    if (end <= seen.start + seen.text.length) return outputs;
    return { ...outputs, [toolCall.id]: { start: seen.start, text: seen.text.slice(0, start - seen.start) + text } };
  }
  const tail = toolCall.output ?? text;
  const fresh = tail.length > text.length ? { start: end - tail.length, text: tail } : { start, text };
  return { ...outputs, [toolCall.id]: fresh };
}
