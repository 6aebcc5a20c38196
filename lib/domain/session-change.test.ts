import { describe, expect, it } from 'vitest';
import type { FileId } from './ids';
import { joinRuns, type KeptRow } from './session-change';

let ids = 0;

/** A row from content to content; null for nothing there. */
function row(path: string, from: string | null, to: string | null, more: Partial<KeptRow> = {}): KeptRow {
  ids += 1;
  const changeType = from === null ? 'added' : to === null ? 'deleted' : 'modified';
  return {
    id: `file_${ids}` as FileId,
    path,
    pathQuoted: false,
    displayPath: path,
    changeType,
    oldPath: null,
    additions: 1,
    deletions: 2,
    binary: false,
    truncated: false,
    oversized: false,
    sizeBefore: from?.length ?? null,
    sizeAfter: to?.length ?? null,
    modeBefore: from === null ? null : '100644',
    modeAfter: to === null ? null : '100644',
    kindBefore: from === null ? null : 'file',
    kindAfter: to === null ? null : 'file',
    lineEndings: null,
    ignored: false,
    evidence: ['snapshot'],
    origin: 'command',
    toolCallIds: [],
    contentBefore: from,
    contentAfter: to,
    ...more,
  } as KeptRow;
}

const renamed = (from: string, to: string, before: string, after: string) =>
  row(to, before, after, { changeType: 'renamed', oldPath: from } as Partial<KeptRow>);

const told = (runs: KeptRow[][]) =>
  joinRuns(runs).map(({ row: joined, isCounted }) => [
    joined.changeType,
    joined.oldPath,
    joined.path,
    joined.contentBefore,
    joined.contentAfter,
    isCounted,
  ]);

describe('a session from first to last', () => {
  it('takes a run’s own row where nothing else touched the path', () => {
    const only = row('a', 'one', 'two');
    expect(joinRuns([[only]])).toEqual([{ row: only, isCounted: true }]);
  });

  it('joins what several runs did to one path', () => {
    expect(told([[row('a', 'one', 'two')], [row('a', 'two', 'three')]])).toEqual([
      ['modified', null, 'a', 'one', 'three', false],
    ]);
    expect(told([[row('a', null, 'two')], [row('a', 'two', 'three')]])).toEqual([
      ['added', null, 'a', null, 'three', false],
    ]);
    expect(told([[row('a', 'one', 'two')], [row('a', 'two', null)]])).toEqual([
      ['deleted', null, 'a', 'one', null, false],
    ]);
  });

  it('says nothing of what ended as it began', () => {
    expect(told([[row('a', 'one', 'two')], [row('a', 'two', 'one')]])).toEqual([]);
    expect(told([[row('a', null, 'two')], [row('a', 'two', null)]])).toEqual([]);
  });

  it('keeps what nobody read: unknown is not unchanged', () => {
    const big = row('big', 'x', 'x', { contentBefore: null, contentAfter: null, oversized: true });
    expect(joinRuns([[big], [{ ...big }]]).map(({ row: joined }) => joined.oversized)).toEqual([true]);
  });

  it('keeps a change of mode alone', () => {
    const mode = row('run.sh', 'one', 'one', { modeAfter: '100755' });
    expect(told([[mode]])).toHaveLength(1);
    expect(told([[mode], [row('run.sh', 'one', 'one', { modeBefore: '100755' })]])).toEqual([]);
  });

  it('follows a file through renames', () => {
    expect(told([[renamed('a', 'b', 'one', 'one')], [renamed('b', 'c', 'one', 'one')]])).toEqual([
      ['renamed', 'a', 'c', 'one', 'one', true],
    ]);
    expect(told([[renamed('a', 'b', 'one', 'one')], [renamed('b', 'a', 'one', 'one')]])).toEqual([]);
    expect(told([[renamed('a', 'b', 'one', 'two')]])).toEqual([['renamed', 'a', 'b', 'one', 'two', true]]);
    expect(told([[renamed('a', 'b', 'one', 'two')], [row('b', 'two', 'three')]])).toEqual([
      ['deleted', null, 'a', 'one', null, false],
      ['added', null, 'b', null, 'three', false],
    ]);
  });

  it('takes in what changed between the runs', () => {
    expect(told([[row('a', 'one', 'two')], [row('a', 'edited by hand', 'three')]])).toEqual([
      ['modified', null, 'a', 'one', 'three', false],
    ]);
  });

  it('leaves out what only came with git, and keeps what a run edited too', () => {
    const moved = row('a', 'one', 'two', { origin: 'git' });
    expect(told([[moved]])).toEqual([]);
    expect(joinRuns([[moved], [row('a', 'two', 'three')]]).map(({ row: joined }) => joined.origin)).toEqual([
      'command',
    ]);
  });

  it('orders rows by path', () => {
    expect(told([[row('b', 'x', 'y'), row('Z', 'x', 'y')], [row('a', 'x', 'z')]]).map(([, , path]) => path)).toEqual([
      'Z',
      'a',
      'b',
    ]);
  });
});
