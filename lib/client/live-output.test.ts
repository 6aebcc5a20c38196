import { describe, expect, it } from 'vitest';
import type { ToolCall } from '@/lib/domain/conversation';
import type { SessionEvent } from '@/lib/domain/events';
import type { RunId, SessionId, ToolCallId } from '@/lib/domain/ids';
import { ModelSession } from '@/lib/testing/model-session';
import { type LiveOutputs, liveOutputAfter } from './live-output';

const call = new ModelSession().begin().startCall({ id: 'c' as ToolCallId });

function event(start: number, text: string, output: string | null = null) {
  const toolCall: ToolCall = { ...call, output };
  return {
    event: 'tool.updated' as const,
    sessionId: 's' as SessionId,
    runId: 'r' as RunId,
    toolCall,
    at: 1,
    outputDelta: { start, text },
  } satisfies SessionEvent;
}

const seenAfter = (...events: ReturnType<typeof event>[]) => events.reduce<LiveOutputs>(liveOutputAfter, {})[call.id];

describe('live output', () => {
  it('joins what streams in', () => {
    expect(seenAfter(event(0, 'one '), event(4, 'two '), event(8, 'three'))).toEqual({
      start: 0,
      text: 'one two three',
    });
  });

  it('takes no harm from repeats', () => {
    const repeated = seenAfter(event(0, 'one '), event(4, 'two '), event(4, 'two '), event(0, 'one '));
    expect(repeated).toEqual({ start: 0, text: 'one two ' });
  });

  it('begins with the end that an event holds, where the beginning was missed', () => {
    expect(seenAfter(event(100, 'cd', 'abcd'), event(102, 'ef', 'abcdef'))).toEqual({ start: 98, text: 'abcdef' });
  });

  it('begins anew behind a gap, so that nothing is shown joined that was not', () => {
    expect(seenAfter(event(0, 'one '), event(50, 'far', 'ry far'))).toEqual({ start: 47, text: 'ry far' });
  });

  it('leaves calls without output alone', () => {
    const { outputDelta: _, ...plain } = event(0, '');
    const outputs: LiveOutputs = {};
    expect(liveOutputAfter(outputs, plain)).toBe(outputs);
  });
});
