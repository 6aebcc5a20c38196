/** What is copied and searched is the patch itself, whatever of it is drawn. */
import { describe, expect, it } from 'vitest';
import { findInLines } from './find-in-lines';
import { extended, markedIndices, nameOfLine } from './line-marks';
import { groupLines } from './patch-groups';
import { parsePatch } from './patch-lines';
import { patchText, sideText } from './patch-text';
import { selectedText } from './selected-text';

const PATCH = '@@ -5,4 +5,5 @@ setup()\n a\n-let b\n+const B\n+const C\n\n d\n@@ -30 +31 @@\n-x\n+y\n';
const lines = parsePatch(PATCH);

describe('A patch as text', () => {
  it('is what was read', () => {
    expect(patchText(lines)).toBe(PATCH.replace('\n\n', '\n \n'));
    expect(patchText(parsePatch('@@ -0,0 +1,2 @@\n+a\n+b\n'))).toBe('@@ -0,0 +1,2 @@\n+a\n+b\n');
    expect(patchText(parsePatch('@@ -3,2 +2,0 @@\n-a\n-b\n'))).toBe('@@ -3,2 +2,0 @@\n-a\n-b\n');
    expect(patchText(parsePatch('@@ -1 +1 @@\n-a\r\n+b\r\n'))).toBe('@@ -1 +1 @@\n-a\r\n+b\r\n');
  });

  it('has two sides', () => {
    expect(sideText(lines, 'old')).toBe('a\nlet b\n\nd\nx');
    expect(sideText(lines, 'new')).toBe('a\nconst B\nconst C\n\nd\ny');
  });
});

describe('A selection', () => {
  const grouping = groupLines(lines, 'unified', false);
  const whole = Number.POSITIVE_INFINITY;

  it('is the text of its lines, the first and last in part, without marks and numbers', () => {
    expect(selectedText(lines, grouping, { line: 1, offset: 4 }, { line: 2, offset: 5 }, null)).toBe('b\nconst');
    expect(selectedText(lines, grouping, { line: 3, offset: 0 }, { line: 5, offset: whole }, null)).toBe(
      'const C\n\nd',
    );
    expect(selectedText(lines, grouping, { line: 0, offset: 0 }, { line: 0, offset: 1 }, null)).toBe('a');
  });

  it('of one side leaves out the other', () => {
    const split = groupLines(lines, 'split', false);
    expect(selectedText(lines, split, { line: 0, offset: 0 }, { line: 5, offset: whole }, 'new')).toBe(
      'a\nconst B\nconst C\n\nd',
    );
    expect(selectedText(lines, split, { line: 0, offset: 0 }, { line: 5, offset: whole }, 'old')).toBe('a\nlet b\n\nd');
  });

  it('takes the rest of a line that is drawn cut', () => {
    const long = parsePatch(`@@ -0,0 +1 @@\n+${'x'.repeat(3000)}\n`);
    const copied = selectedText(
      long,
      groupLines(long, 'unified', true),
      { line: 0, offset: 0 },
      { line: 0, offset: 2000 },
      null,
    );
    expect(copied).toHaveLength(3000);
  });
});

describe('A search', () => {
  it('finds every place, whatever its case', () => {
    expect(findInLines(lines, 'CONST').map(({ line, from, to }) => [line, from, to])).toEqual([
      [2, 0, 5],
      [3, 0, 5],
    ]);
    expect(findInLines(lines, '')).toEqual([]);
    expect(findInLines(parsePatch('@@ -0,0 +1 @@\n+aaaa\n'), 'aa')).toHaveLength(2);
  });
});

describe('Marked lines', () => {
  it('are named by the side that has them', () => {
    expect(nameOfLine(lines, 1)).toEqual({ side: 'L', from: 6, to: 6 });
    expect(nameOfLine(lines, 2, 'L')).toEqual({ side: 'R', from: 6, to: 6 });
    expect(nameOfLine(lines, 0, 'L')).toEqual({ side: 'L', from: 5, to: 5 });
    expect(nameOfLine(lines, 0)).toEqual({ side: 'R', from: 5, to: 5 });
  });

  it('grow on one side and begin anew on the other', () => {
    const start = { side: 'R', from: 6, to: 6 } as const;
    expect(extended(start, { side: 'R', from: 9, to: 9 })).toEqual({ side: 'R', from: 6, to: 9 });
    expect(extended(start, { side: 'L', from: 9, to: 9 })).toEqual({ side: 'L', from: 9, to: 9 });
    expect([...markedIndices(lines, { side: 'R', from: 6, to: 7 })]).toEqual([2, 3]);
    expect(markedIndices(lines, { side: 'R', from: 100, to: 200 }).size).toBe(0);
  });
});
