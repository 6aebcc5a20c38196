/** Every line of a patch is drawn exactly once, in groups small enough, and what belongs together stays together. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Grouping, groupLines, groupOfLine } from './patch-groups';
import { ADDED, CONTEXT, type PatchLines, parsePatch, REMOVED } from './patch-lines';

/** A patch of blocks: context, removed and added lines in turn. */
function patchOf(hunks: [context: number, removed: number, added: number][][]): PatchLines {
  let old = 1;
  let young = 1;
  let text = '';
  for (const blocks of hunks) {
    const lines = blocks.flatMap(([context, removed, added]) => [
      ...Array.from({ length: context }, () => ' c'),
      ...Array.from({ length: removed }, () => '-r'),
      ...Array.from({ length: added }, () => '+a'),
    ]);
    const count = (marks: string) => lines.filter((line) => marks.includes(line[0]!)).length;
    const [oldLines, newLines] = [count(' -'), count(' +')];
    text += `@@ -${old},${oldLines} +${young},${newLines} @@\n${lines.map((line) => `${line}\n`).join('')}`;
    old += oldLines + 10;
    young += newLines + 10;
  }
  return parsePatch(text);
}

/** Rows of a split group: a removed line and the added one right behind it share one. */
function splitRows({ order }: Grouping, { types }: PatchLines, from: number, to: number): number {
  let rows = 0;
  for (let at = from; at < to; at += 1) {
    rows += 1;
    if (types[order[at]!] === REMOVED && at + 1 < to && types[order[at + 1]!] === ADDED) at += 1;
  }
  return rows;
}

describe.each(['unified', 'split'] as const)('Groups of the %s view', (view) => {
  const size = fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 350 }));
  const hunks = fc.array(fc.array(fc.tuple(fc.nat({ max: 250 }), size, size), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });

  it('draw every line once, in at most 150 rows, and count their rows right', () => {
    fc.assert(
      fc.property(hunks, (shape) => {
        const lines = patchOf(shape);
        const grouping = groupLines(lines, view, false);
        expect([...grouping.order].sort((a, b) => a - b)).toEqual([...lines.texts.keys()]);
        let at = 0;
        for (const group of grouping.groups) {
          expect(group.first).toBe(at);
          expect(group.segments[0]!.from).toBe(at);
          for (const { from, to } of group.segments) {
            expect(from).toBe(at);
            expect(to).toBeGreaterThan(from);
            at = to;
          }
          expect(group.last).toBe(at);
          expect(group.rows).toBeLessThanOrEqual(150);
          const rows = group.segments.reduce(
            (sum, { from, to }) => sum + (view === 'split' ? splitRows(grouping, lines, from, to) : to - from),
            0,
          );
          expect(group.rows).toBe(rows);
        }
        expect(at).toBe(lines.texts.length);
        expect(grouping.rows).toBe(grouping.groups.reduce((sum, { rows }) => sum + rows, 0));
      }),
      { numRuns: 50 },
    );
  });

  it('never end inside a block of changes that fits into one', () => {
    fc.assert(
      fc.property(hunks, (shape) => {
        const lines = patchOf(shape.map((blocks) => blocks.map(([c, r, a]) => [c + 1, r % 50, a % 50])));
        const { order, groups } = groupLines(lines, view, false);
        for (const { last } of groups.slice(0, -1)) {
          const [before, after] = [order[last - 1]!, order[last]!];
          const sameHunk = lines.hunks.some(
            ({ from, to }) => before >= from && after < to && after >= from && before < to,
          );
          const inside = lines.types[before] !== CONTEXT && lines.types[after] !== CONTEXT && sameHunk;
          expect(inside).toBe(false);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('find the group of a line', () => {
    const lines = patchOf([[[5, 300, 300]]]);
    const grouping = groupLines(lines, view, false);
    for (const line of [0, 4, 5, 304, 305, 604]) {
      const { first, last } = grouping.groups[groupOfLine(grouping, line)]!;
      expect([...grouping.order.subarray(first, last)]).toContain(line);
    }
    expect(groupOfLine(grouping, 605)).toBe(-1);
  });
});

describe('The split view', () => {
  it('puts what was replaced beside what replaced it, line by line', () => {
    const lines = parsePatch('@@ -1,4 +1,3 @@\n-a\n-b\n-c\n+A\n+B\n d\n');
    expect([...groupLines(lines, 'split', false).order].map((line) => lines.texts[line])).toEqual([
      'a',
      'A',
      'b',
      'B',
      'c',
      'd',
    ]);
  });
});

describe('Separators', () => {
  const lines = parsePatch('@@ -5,1 +5,1 @@\n-a\n+b\n@@ -20,1 +20,1 @@ f()\n-c\n+d\n@@ -21,1 +21,1 @@\n-e\n+f\n');
  const separators = (oneSided: boolean, of = lines) =>
    groupLines(of, 'unified', oneSided).groups.flatMap(({ segments, closing }) => [
      ...segments.map(({ separator }) => separator && [separator.before, separator.after, separator.hidden]),
      ...(closing ? [[closing.before, closing.after, closing.hidden]] : []),
    ]);

  it('stand where lines are hidden, with how many, and not where hunks touch', () => {
    expect(separators(false)).toEqual([[-1, 0, 4], [0, 1, 14], null]);
  });

  it('stand at the end where the last hunk has all its context', () => {
    expect(separators(false, parsePatch('@@ -1,4 +1,4 @@\n-a\n+b\n c\n d\n e\n'))).toEqual([null, [0, 1, null]]);
    expect(separators(false, parsePatch('@@ -1,3 +1,3 @@\n-a\n+b\n c\n d\n'))).toEqual([null]);
  });

  it('do not stand in a file that was added or deleted', () => {
    expect(separators(true)).toEqual([null, null, null]);
  });

  it('know what is below where the whole file is known', () => {
    const whole: PatchLines = { ...parsePatch('@@ -1,6 +1,6 @@\n a\n b\n-c\n+C\n d\n e\n f\n'), whole: true };
    expect(separators(false, { ...whole, hunks: [{ from: 1, to: 5, section: '' }] })).toEqual([
      [-1, 0, 1],
      [0, 1, 2],
    ]);
  });
});
