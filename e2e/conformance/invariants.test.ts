import { describe, expect, test } from 'vitest';
import { toWire } from '@/lib/domain/events';
import { checkEvents, checkRows, checkTotals, type RunRecord } from './invariants';
import type { WireFile, WireSummary } from './row-text';

const row = (path: string, change: object = {}): WireFile =>
  ({
    id: `id of ${path}`,
    path,
    old_path: null,
    change_type: 'modified',
    additions: 2,
    deletions: 1,
    binary: false,
    truncated: false,
    size_before: 1,
    size_after: 1,
    kind_before: 'file',
    kind_after: 'file',
    mode_before: '100644',
    mode_after: '100644',
    origin: 'command',
    evidence: ['snapshot'],
    ...change,
  }) as unknown as WireFile;

const rows = [row('Z'), row('a'), row('b', { origin: 'git' })];
const summary = (change: object = {}): WireSummary =>
  ({
    ...toWire({
      changedCount: 2,
      addedCount: 0,
      modifiedCount: 2,
      deletedCount: 0,
      renamedCount: 0,
      binaryCount: 0,
      additions: 4,
      deletions: 2,
    }),
    truncated: false,
    git: { moved_count: 1 },
    files: rows,
    ...change,
  }) as unknown as WireSummary;

const what = (complaints: { what: string }[]) => complaints.map((complaint) => complaint.what);

describe('the sum over all rows', () => {
  test('is the header; what came with git is counted apart', () => {
    expect(checkTotals(summary(), rows)).toEqual([]);
    expect(what(checkTotals(summary({ additions: 6 }), rows))).toEqual(['the header is the sum over all rows']);
    expect(what(checkTotals(summary({ git: { moved_count: 0 } }), rows))).toEqual(['rows of origin git']);
  });
});

describe('rows', () => {
  test('stand in the order of their paths, those of git last', () => {
    expect(checkRows(summary(), rows)).toEqual([]);
    const mixed = [rows[1], rows[2], rows[0]] as WireFile[];
    expect(what(checkRows(summary({ files: mixed }), mixed))).toEqual([
      'rows in the order of their paths, those that came with git last',
    ]);
  });

  test('say of themselves what their kind of change means', () => {
    const added = [row('a', { change_type: 'added' })];
    expect(what(checkRows(summary({ files: added }), added))).toHaveLength(2);
    const cut = [row('a', { truncated: true })];
    expect(what(checkRows(summary({ files: cut }), cut))).toEqual(['truncated']);
  });
});

describe('events', () => {
  const event = (id: number, name: string, data: object = {}) => ({
    id,
    name,
    data: { run_id: 'r', event: name, ...data },
  });
  const record = (events: ReturnType<typeof event>[], change: WireSummary | null = summary()) =>
    ({ run: { id: 'r', status: 'completed' }, change, rows, events }) as unknown as RunRecord;
  const told = event(2, 'workspace.diff.completed', summary());

  test('tell the change before the end, once', () => {
    const change = { ...summary(), run_id: 'r' } as WireSummary;
    expect(checkEvents(record([event(1, 'run.started'), told, event(3, 'run.completed')], change))).toEqual([]);
    expect(what(checkEvents(record([event(1, 'run.completed'), told], change)))).toContain(
      'workspace.diff.completed precedes the terminal event',
    );
    expect(what(checkEvents(record([event(1, 'run.completed')], change)))).toEqual([
      'times that the change was announced',
    ]);
    expect(what(checkEvents(record([told, event(3, 'run.completed'), event(4, 'run.completed')], change)))).toEqual([
      'terminal events of the run',
    ]);
  });

  test('carry no patch, and grow in their ids', () => {
    const change = { ...summary(), run_id: 'r' } as WireSummary;
    const patched = event(2, 'workspace.diff.completed', { ...summary(), patch: '@@' });
    expect(what(checkEvents(record([patched, event(3, 'run.completed')], change)))).toContain(
      'the event carries a patch body',
    );
    expect(what(checkEvents(record([told, event(2, 'run.completed')], change)))).toEqual(['ids of events grow']);
  });
});
