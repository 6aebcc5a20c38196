import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines, hunkTexts, linesOf } from './line-diff';
import { countLines } from './patch';
import { parseUnifiedPatch } from './unified-patch';

const text = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'c', '', '--- sql', '+++ x', '\\ No newline', 'é\r'), { maxLength: 30 }),
    fc.boolean(),
  )
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

it('gives hunks that turn one text into the other, and that are read back from their text', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom(0, 1, 3, 'all' as const), (before, after, context) => {
      const diff = diffLines(before, after, { context, timeoutMs: 10_000 });
      const lines = hunkTexts(diff);
      const patch = lines.map((line) => `${line}\n`).join('');
      expect(parseUnifiedPatch(patch)).toEqual({
        hunks: diff.hunks,
        noNewlineBefore: diff.noNewlineBefore,
        noNewlineAfter: diff.noNewlineAfter,
      });
      // A patch whose every line ends in CR is a patch of those lines, and not one to be converted.
      if (before !== after) expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
      else expect(diff.hunks).toEqual([]);
    }),
    { numRuns: 500, examples: [['a\n', 'é\r\na\n', 0]] },
  );
});

it('replaces everything where the time is over', () => {
  const before = Array.from({ length: 20_000 }, (_, line) => `l${(line * 7919) % 10_007}`).join('\n');
  const after = Array.from({ length: 20_000 }, (_, line) => `l${(line * 104_729) % 9_973}`).join('\n');
  const diff = diffLines(before, after, { context: 3, timeoutMs: 1 });
  expect(diff.coarse).toBe(true);
  expect(countLines(diff.hunks)).toEqual({ additions: 20_000, deletions: 20_000 });
  expect(diff).toMatchObject({ noNewlineBefore: true, noNewlineAfter: true });
});

it('numbers empty sides as git does', () => {
  expect(hunkTexts(diffLines('', 'x\n', { context: 3, timeoutMs: 1_000 }))[0]).toBe('@@ -0,0 +1 @@');
  expect(hunkTexts(diffLines('x\ny\n', '', { context: 3, timeoutMs: 1_000 }))[0]).toBe('@@ -1,2 +0,0 @@');
});

it('knows what a line is', () => {
  expect(linesOf('')).toEqual([]);
  expect(linesOf('a')).toEqual(['a']);
  expect(linesOf('a\n\n')).toEqual(['a', '']);
});
