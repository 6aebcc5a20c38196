import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appliedHunks, type FileSide, type TouchedFile } from './applied-hunks';
import { linesOf } from './line-diff';
import { readToolMeta } from './tool-meta';

const text = (content: string): FileSide => ({ state: 'text', text: content });
const absent: FileSide = { state: 'absent' };
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

/** What a card reads of it after it was stored and read again. */
function stored(files: TouchedFile[], options = { lineDiffMs: 1_000 }) {
  const meta = appliedHunks(files, options);
  if (meta === null) return null;
  const again = JSON.parse(JSON.stringify(meta));
  // Lossless: what is read back is what was made.
  expect(again).toEqual(meta);
  return readToolMeta(again);
}

test('one site per change, three lines around, context not counted', () => {
  const before = numbered(60);
  const after = before.replace('line 10\n', 'LINE 10\n').replace('line 50\n', 'LINE 50\nmore\n');
  const meta = stored([{ path: '/w/a.txt', before: text(before), after: text(after) }]);
  expect(meta?.stat).toEqual({ files: 1, additions: 3, deletions: 2, omitted: 0 });
  expect(meta?.diffs).toHaveLength(2);
  expect(meta?.diffs[0]).toEqual({
    path: '/w/a.txt',
    kind: 'modified',
    old_text: 'line 7\nline 8\nline 9\nline 10\nline 11\nline 12\nline 13\n',
    new_text: 'line 7\nline 8\nline 9\nLINE 10\nline 11\nline 12\nline 13\n',
    hunks: [
      {
        old_start: 7,
        old_lines: 7,
        new_start: 7,
        new_lines: 7,
        lines: [
          { type: 'context', text: 'line 7' },
          { type: 'context', text: 'line 8' },
          { type: 'context', text: 'line 9' },
          { type: 'removed', text: 'line 10' },
          { type: 'added', text: 'LINE 10' },
          { type: 'context', text: 'line 11' },
          { type: 'context', text: 'line 12' },
          { type: 'context', text: 'line 13' },
        ],
      },
    ],
    coarse: false,
    size_before: null,
    size_after: null,
  });
  expect(meta?.diffs[1]?.hunks[0]).toMatchObject({ old_start: 47, new_start: 47, old_lines: 7, new_lines: 8 });
});

test('a replacement at five scattered sites shows five', () => {
  const before = numbered(100);
  const after = before.replace(/line (\d)0\n/g, 'changed $10\n').replace('changed 60', 'line 60');
  const meta = stored([{ path: 'a', before: text(before), after: text(after) }]);
  expect(meta?.diffs).toHaveLength(8);
  expect(new Set(meta?.diffs.map(({ path }) => path))).toEqual(new Set(['a']));
});

test('a creation is the whole file with nothing before it', () => {
  const meta = stored([{ path: 'new', before: absent, after: text('one\ntwo') }]);
  expect(meta?.diffs).toMatchObject([
    {
      kind: 'created',
      old_text: null,
      new_text: 'one\ntwo',
      hunks: [{ old_start: 0, old_lines: 0, new_start: 1, new_lines: 2 }],
    },
  ]);
  expect(meta?.stat).toMatchObject({ additions: 2, deletions: 0 });
});

test('an empty file that is created is a creation without lines', () => {
  expect(stored([{ path: 'new', before: absent, after: text('') }])?.diffs).toMatchObject([
    { kind: 'created', old_text: null, new_text: '', hunks: [] },
  ]);
});

test('a deletion is the whole file with nothing after it', () => {
  const meta = stored([{ path: 'old', before: text('one\n'), after: absent }]);
  expect(meta?.diffs).toMatchObject([
    { kind: 'deleted', old_text: 'one\n', new_text: null, hunks: [{ old_lines: 1, new_lines: 0 }] },
  ]);
  expect(meta?.stat).toMatchObject({ additions: 0, deletions: 1 });
});

test('an overwrite with the same content is told whole and changes nothing', () => {
  const meta = stored([{ path: 'a', before: text('same\n'), after: text('same\n') }]);
  expect(meta?.diffs).toMatchObject([{ kind: 'unchanged', old_text: 'same\n', new_text: 'same\n', hunks: [] }]);
  expect(meta?.stat).toEqual({ files: 1, additions: 0, deletions: 0, omitted: 0 });
});

test.each<[string, FileSide, FileSide, object]>([
  [
    'a binary overwrite',
    { state: 'binary', size: 10 },
    { state: 'binary', size: 12 },
    { kind: 'binary', size_before: 10, size_after: 12 },
  ],
  [
    'text over bytes that are no text',
    { state: 'binary', size: 10 },
    text('now text\n'),
    { kind: 'binary', size_before: 10 },
  ],
  ['bytes over text', text('text\n'), { state: 'binary', size: 7 }, { kind: 'binary', size_after: 7 }],
  ['a new binary', absent, { state: 'binary', size: 7 }, { kind: 'binary', size_after: 7 }],
  [
    'a file over the limit',
    { state: 'oversized', size: 3_000_000 },
    text('x'),
    { kind: 'oversized', size_before: 3_000_000 },
  ],
  ['a file that could not be read', { state: 'unknown' }, text('x'), { kind: 'unknown' }],
])('%s says so and never looks like a creation', (_, before, after, told) => {
  const meta = stored([{ path: 'a', before, after }]);
  expect(meta?.diffs).toMatchObject([{ ...told, old_text: null, new_text: null, hunks: [] }]);
  // Nobody counted its lines, and zero would be a claim.
  expect(meta?.stat).toBe(null);
});

test('the counts of several files are those of the whole, or there are none', () => {
  const counted = { path: 'a', before: text('one\n'), after: text('two\n') };
  const image: TouchedFile = { path: 'i', before: absent, after: { state: 'binary', size: 7 } };
  const unread: TouchedFile = { path: 'u', before: { state: 'unknown' }, after: text('x') };
  expect(stored([counted, image])?.stat).toEqual({ files: 2, additions: 1, deletions: 1, omitted: 0 });
  expect(stored([counted, unread])?.stat).toBe(null);
});

test('a link tells its targets, and none where they are the same', () => {
  const link = (target: string): FileSide => ({ state: 'symlink', target });
  expect(stored([{ path: 'a', before: link('t1'), after: link('t2') }])?.diffs).toMatchObject([
    { kind: 'symlink', old_text: 't1', new_text: 't2' },
  ]);
  expect(stored([{ path: 'a', before: link('t1'), after: link('t1') }])).toBe(null);
});

test('a path that was never there tells nothing', () => {
  expect(stored([{ path: 'a', before: absent, after: absent }])).toBe(null);
  expect(stored([])).toBe(null);
});

test('whether the last line of a file ends is kept', () => {
  const meta = stored([{ path: 'a', before: text('one\ntwo'), after: text('one\ntwo\n') }]);
  expect(meta?.diffs).toMatchObject([{ old_text: 'one\ntwo', new_text: 'one\ntwo\n' }]);
  expect(meta?.stat).toMatchObject({ additions: 1, deletions: 1 });
});

test('line ends that differ are a change of their lines', () => {
  const meta = stored([{ path: 'a', before: text('one\ntwo\n'), after: text('one\r\ntwo\r\n') }]);
  expect(meta?.stat).toMatchObject({ additions: 2, deletions: 2 });
});

test('a file that only a comparison tells of shows its patch, site by site', () => {
  const patch = (...lines: string[]) => `diff --git a/a b/a\n--- a/a\n+++ b/a\n${lines.join('\n')}\n`;
  const row = {
    changeType: 'modified',
    binary: false,
    oversized: false,
    additions: 2,
    deletions: 2,
    sizeBefore: 1,
    sizeAfter: 2,
  } as const;
  const two = patch('@@ -1,2 +1,2 @@', '-a', '+b', ' c', '@@ -9 +9 @@', '-x', '\\ No newline at end of file', '+y');
  expect(stored([{ path: 'a', row: { ...row, patch: two } }])).toMatchObject({
    stat: { files: 1, additions: 2, deletions: 2 },
    diffs: [
      { kind: 'modified', old_text: 'a\nc\n', new_text: 'b\nc\n' },
      { kind: 'modified', old_text: 'x', new_text: 'y\n' },
    ],
  });
  const cut = { ...row, additions: 900, patch: two };
  expect(stored([{ path: 'a', row: cut }])?.stat).toMatchObject({ additions: 900, deletions: 2 });
  const added = { ...row, changeType: 'added', patch: patch('@@ -0,0 +1 @@', '+n') } as const;
  expect(stored([{ path: 'a', row: added }])?.diffs).toMatchObject([
    { kind: 'created', old_text: null, new_text: 'n\n' },
  ]);
  const binary = { ...row, binary: true, patch: null };
  expect(stored([{ path: 'a', row: binary }])?.diffs).toMatchObject([{ kind: 'binary', hunks: [] }]);
});

test('a comparison that takes too long is one whole-file hunk', () => {
  const random = (seed: number) => Array.from({ length: 60_000 }, (_, at) => `${(at * seed) % 7919}\n`).join('');
  const meta = appliedHunks([{ path: 'a', before: text(random(3)), after: text(random(5)) }], {
    lineDiffMs: 1,
    maxBytes: Number.POSITIVE_INFINITY,
  });
  expect(readToolMeta(meta)).toMatchObject({
    diffs: [{ coarse: true, hunks: [{ old_lines: 60_000, new_lines: 60_000 }] }],
  });
});

test('what does not fit is counted, and the figures stay those of the whole', () => {
  const files = Array.from({ length: 50 }, (_, at) => ({
    path: `f${at}`,
    before: absent,
    after: text(`${'x'.repeat(1_000)}\n`),
  }));
  const meta = appliedHunks(files, { lineDiffMs: 100, maxBytes: 10_000 });
  const read = readToolMeta(meta);
  expect(JSON.stringify(meta).length).toBeLessThan(12_000);
  expect(read.stat).toMatchObject({ files: 50, additions: 50 });
  expect(read.diffs.length + (read.stat?.omitted ?? 0)).toBe(50);
});

test('the hunks turn the text before into the text after, whatever they are', () => {
  const line = fc.constantFrom(
    '',
    'a',
    'b',
    'c',
    '--- sql',
    '+++ x',
    '@@ -1 +1 @@',
    '\\ No newline',
    'é😀',
    'tab\t',
    'cr\r',
  );
  const body = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
    .map(([lines, end]) => lines.join('\n') + (end ? '\n' : ''));
  fc.assert(
    fc.property(body, body, (before, after) => {
      const meta = stored([{ path: 'a', before: text(before), after: text(after) }]);
      const lines = linesOf(before);
      for (const { hunks } of [...(meta?.diffs ?? [])].reverse()) {
        for (const hunk of hunks) {
          const at = hunk.old_lines === 0 ? hunk.old_start : hunk.old_start - 1;
          expect(lines.slice(at, at + hunk.old_lines)).toEqual(
            hunk.lines.filter(({ type }) => type !== 'added').map((l) => l.text),
          );
          lines.splice(at, hunk.old_lines, ...hunk.lines.filter(({ type }) => type !== 'removed').map((l) => l.text));
        }
      }
      expect(lines).toEqual(linesOf(after));
    }),
  );
});
