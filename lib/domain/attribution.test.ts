import { describe, expect, it } from 'vitest';
import { attribute, type CallSpan, type RunEvidence } from './attribution';
import type { ToolCallId } from './ids';

const id = (text: string) => text as ToolCallId;
const call = (name: string, start: number, end: number | null): CallSpan => ({ id: id(name), start, end });
const evidence = (change: Partial<RunEvidence>): RunEvidence => ({
  calls: [],
  intervals: [],
  named: new Map(),
  namedByOthers: new Set(),
  ...change,
});
const row = (path: string, change: { oldPath?: string; movedByGit?: boolean } = {}) => ({
  path,
  oldPath: change.oldPath ?? null,
  movedByGit: change.movedByGit ?? false,
});

describe('attribute', () => {
  it('counts a run that announced no call as one command', () => {
    expect(attribute(row('a'), evidence({}))).toEqual({ origin: 'command', toolCallIds: [] });
  });

  it('says tool where a file tool named the path, and lists every call that touched it', () => {
    const seen = evidence({
      calls: [call('edit', 1000, 1100), call('shell', 2000, 2100)],
      intervals: [
        { from: 900, to: 1200, paths: new Map([['a', 1050]]) },
        { from: 1200, to: 2200, paths: new Map([['a', 2050]]) },
      ],
      named: new Map([['a', [id('edit')]]]),
    });
    expect(attribute(row('a'), seen)).toEqual({ origin: 'tool', toolCallIds: ['edit', 'shell'] });
  });

  it('says tool where a file tool named the old name of a rename', () => {
    const seen = evidence({ calls: [call('mv', 0, 1)], named: new Map([['old', [id('mv')]]]) });
    expect(attribute(row('new', { oldPath: 'old' }), seen).origin).toBe('tool');
  });

  it('says command where it changed while a call was active', () => {
    const seen = evidence({
      calls: [call('shell', 1000, 1500)],
      intervals: [{ from: 900, to: 1600, paths: new Map([['a', null]]) }],
    });
    expect(attribute(row('a'), seen)).toEqual({ origin: 'command', toolCallIds: ['shell'] });
  });

  it('says other for a save between two calls, told by the look that was taken when the second began', () => {
    const seen = evidence({
      calls: [call('one', 1000, 1100), call('two', 5000, 5100)],
      intervals: [
        { from: 1100, to: 1200, paths: new Map() },
        { from: 1101, to: 5050, paths: new Map([['u', 3000]]) },
      ],
    });
    expect(attribute(row('u'), seen)).toEqual({ origin: 'other', toolCallIds: [] });
  });

  it('lets calls that overlap in time share what changed while both went on', () => {
    const seen = evidence({
      calls: [call('one', 1000, 3000), call('two', 2000, 4000)],
      intervals: [{ from: 900, to: 4100, paths: new Map([['a', 2500]]) }],
    });
    expect(attribute(row('a'), seen).toolCallIds).toEqual(['one', 'two']);
  });

  it('leaves what git moved to git unless a file tool named it', () => {
    const calls = [call('checkout', 1000, 1100)];
    const intervals = [{ from: 900, to: 1200, paths: new Map([['b', 1050]]) }];
    expect(attribute(row('b', { movedByGit: true }), evidence({ calls, intervals })).origin).toBe('git');
    const named = new Map([['b', [id('checkout')]]]);
    expect(attribute(row('b', { movedByGit: true }), evidence({ calls, intervals, named })).origin).toBe('tool');
  });

  it('leaves to another run what its file tools named and ours did not', () => {
    const seen = evidence({ namedByOthers: new Set(['b']) });
    expect(attribute(row('b'), seen)).toEqual({ origin: 'other', toolCallIds: [] });
    expect(attribute(row('a'), seen).origin).toBe('command');
  });
});
