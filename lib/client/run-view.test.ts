import { describe, expect, it } from 'vitest';
import type { ToolCallId } from '@/lib/domain/ids';
import { ModelSession } from '@/lib/testing/model-session';
import { viewRun } from './run-view';
import { openTimeline, type RunRecord } from './timeline';

function recordOf(model: ModelSession): RunRecord {
  return openTimeline(model.slice(1000)).runs[0] as RunRecord;
}

const shape = (record: RunRecord) => viewRun(record).steps.map((step) => step.type);

describe('run view', () => {
  it('keeps what was said and done in order, and the prompt apart', () => {
    const model = new ModelSession();
    const run = model.begin();
    run.stream(run.openMessage('thought'), 'hm');
    run.startCall();
    run.say('done');
    expect(shape(recordOf(model))).toEqual(['thought', 'tool', 'text']);
    expect(viewRun(recordOf(model)).prompt).toBe('Do it');
    expect(viewRun(recordOf(model)).answerId).toBe(run.messages.at(-1)?.id);
  });

  it('says that only the last text of a run that goes on is streaming', () => {
    const model = new ModelSession();
    const run = model.begin();
    run.say('first');
    run.say('second');
    const streaming = () =>
      viewRun(recordOf(model)).steps.map((step) => (step.type === 'text' ? step.isStreaming : null));
    expect(streaming()).toEqual([false, true]);
    run.startCall();
    expect(streaming()).toEqual([false, false, null]);
    run.say('third');
    run.end('completed');
    expect(streaming()).toEqual([false, false, null, false]);
  });

  it('puts a permission behind the call that it is about, and one about no known call at the end', () => {
    const model = new ModelSession();
    const run = model.begin();
    run.ask();
    run.startCall();
    run.ask();
    run.startCall();
    run.say('done');
    expect(shape(recordOf(model))).toEqual(['tool', 'permission', 'tool', 'text', 'permission']);
  });

  it('has no answer where the agent said nothing', () => {
    const model = new ModelSession();
    const run = model.begin();
    run.startCall();
    run.change(1);
    run.end('failed');
    const view = viewRun(recordOf(model));
    expect(view.answerId).toBeNull();
    expect(view.change?.changedCount).toBe(1);
    expect(view.isRunning).toBe(false);
  });

  it('counts the files of each call, unless one call is the whole run', () => {
    const model = new ModelSession();
    const run = model.begin();
    const [a, b] = [run.startCall(), run.startCall()];
    run.change(3);
    const files = (...calls: ToolCallId[][]) => {
      const record = structuredClone(recordOf(model)) as RunRecord;
      const item = record.items.find((candidate) => candidate.type === 'change');
      if (item?.type !== 'change') throw new Error('no change');
      calls.forEach((ids, at) => {
        item.change.files[at]!.toolCallIds = ids;
      });
      return viewRun(record).steps.map((step) => (step.type === 'tool' ? step.ownFiles : null));
    };
    expect(files([a.id], [a.id, b.id], [])).toEqual([2, 1]);
    expect(files([a.id], [a.id], [a.id])).toEqual([0, 0]);
    expect(files([a.id], [a.id], [])).toEqual([2, 0]);
  });

  it('counts nothing for a call that was never let go', () => {
    const model = new ModelSession();
    const run = model.begin();
    const [a, b] = [run.startCall(), run.startCall()];
    run.change(2);
    const record = structuredClone(recordOf(model)) as RunRecord;
    for (const item of record.items) {
      if (item.type === 'change') for (const file of item.change.files) file.toolCallIds = [a.id, b.id];
      if (item.type === 'tool_call' && item.toolCall.id === b.id) item.toolCall.status = 'rejected';
    }
    expect(viewRun(record).steps.map((step) => (step.type === 'tool' ? step.ownFiles : null))).toEqual([2, 0]);
  });
});
