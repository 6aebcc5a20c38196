/** The hunks of a patch are read right whatever stands around them, and nothing throws. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADDED,
  countChanged,
  linesOfComparison,
  type PatchLines,
  parsePatch,
  REMOVED,
  rangesAroundChanges,
  withRange,
} from './patch-lines';

/** The lines as git writes them, with both numbers: `1 1  a`, `2 - -b`, `- 2 +c`. */
function told(lines: PatchLines): string[] {
  return lines.texts.map((text, at) => {
    const mark = lines.types[at] === ADDED ? '+' : lines.types[at] === REMOVED ? '-' : ' ';
    return `${lines.oldNumbers[at] || '-'} ${lines.newNumbers[at] || '-'} ${mark}${text}`;
  });
}

const BODY = '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';
const TOLD = ['1 1  a', '2 - -b', '- 2 +B', '3 3  c'];

describe('What stands around the hunks is passed over', () => {
  it.each([
    ['nothing', BODY],
    ['a header of git', `diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n${BODY}`],
    [
      'a quoted path',
      `diff --git "a/caf\\303\\251.txt" "b/caf\\303\\251.txt"\n--- "a/caf\\303\\251.txt"\n+++ "b/caf\\303\\251.txt"\n${BODY}`,
    ],
    ['a name with a space and a TAB behind it', `--- a/with space.txt\t\n+++ b/with space.txt\t\n${BODY}`],
    ['a rename with an edit', `similarity index 60%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n${BODY}`],
    ['no prefixes', `--- plain.txt\n+++ plain.txt\n${BODY}`],
    [
      'the header of another tool',
      `Index: x\n===================================================================\n${BODY}`,
    ],
    [
      'a mail',
      `From 1234 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n---\n x | 2 +-\n\n--- a/x\n+++ b/x\n${BODY}-- \n2.39.5\n`,
    ],
    ['a warning', `warning: CRLF will be replaced by LF\n--- a/x\n+++ b/x\n${BODY}`],
  ])('%s', (_, patch) => {
    expect(told(parsePatch(patch))).toEqual(TOLD);
  });

  it.each([
    ['an empty string', ''],
    ['a binary note', 'diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n'],
    ['a binary patch', 'GIT binary patch\nliteral 4\nLc#NkV*k}0\n\nliteral 0\nHcmV?d00001\n'],
    ['a mode change', 'diff --git a/my file.sh b/my file.sh\nold mode 100644\nnew mode 100755\n'],
    ['a new empty file', 'diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n'],
    ['a header that was cut', 'diff --git a/x b/x\n--- a/x'],
    ['a combined patch', 'diff --cc x\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n'],
    ['text that is no patch', 'hello\nworld\n'],
  ])('%s has no lines', (_, patch) => {
    const lines = parsePatch(patch);
    expect(lines.texts).toEqual([]);
    expect(lines.hunks).toEqual([]);
  });
});

describe('Hunks', () => {
  it('have as many lines as their header says, whatever the lines look like', () => {
    const patch = '@@ -1,6 +1,4 @@\n--- sql\n-- list\n+++ i\n @@ -1 +1 @@\n-diff --git a/x b/x\n x\n y\n';
    expect(told(parsePatch(patch))).toEqual([
      '1 - --- sql',
      '2 - -- list',
      '- 1 +++ i',
      '3 2  @@ -1 +1 @@',
      '4 - -diff --git a/x b/x',
      '5 3  x',
      '6 4  y',
    ]);
  });

  it('count a side without lines from the line before it', () => {
    expect(told(parsePatch('@@ -0,0 +1 @@\n+only\n'))).toEqual(['- 1 +only']);
    expect(told(parsePatch('@@ -5,0 +6,2 @@\n+a\n+b\n'))).toEqual(['- 6 +a', '- 7 +b']);
    expect(told(parsePatch('@@ -3,2 +2,0 @@\n-a\n-b\n'))).toEqual(['3 - -a', '4 - -b']);
  });

  it('keep the numbers right where an editor took the space of a blank line', () => {
    expect(told(parsePatch('@@ -1,4 +1,4 @@\n a\n\n-b\n+B\n c\n'))).toEqual([
      '1 1  a',
      '2 2  ',
      '3 - -b',
      '- 3 +B',
      '4 4  c',
    ]);
  });

  it('lose their line ends where the whole patch was made CRLF', () => {
    const lines = parsePatch(`--- a/x\r\n+++ b/x\r\n${BODY.replaceAll('\n', '\r\n')}`);
    expect(told(lines)).toEqual(TOLD);
    expect(lines.crlf).toBe(false);
  });

  it('of a file with CRLF say so once, and a mixed one keeps each CR', () => {
    const all = parsePatch('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n');
    expect([all.crlf, all.texts]).toEqual([true, ['a', 'b', 'c']]);
    const mixed = parsePatch('@@ -1,2 +1,2 @@\n a\n-b\n+b\r\n');
    expect([mixed.crlf, mixed.texts]).toEqual([false, ['a', 'b', 'b\r']]);
  });

  it('tell which side has no newline at its end', () => {
    const both = parsePatch('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n');
    expect([both.noNewlineBefore, both.noNewlineAfter]).toEqual([true, true]);
    const added = parsePatch('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n');
    expect([added.noNewlineBefore, added.noNewlineAfter]).toEqual([true, false]);
    expect(parsePatch('@@ -1,1 +1,1 @@\n\\ No newline at end of file\n').texts).toEqual([]);
  });

  it('with the same header stay two', () => {
    expect(parsePatch('@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n').hunks).toHaveLength(2);
  });

  it('keep lone CR, U+2028 and NUL inside a line', () => {
    expect(parsePatch('@@ -1 +1 @@\n-a\rb\u2028c\n+d\u0000e\n').texts).toEqual(['a\rb\u2028c', 'd\u0000e']);
  });

  it('that were cut show what is there', () => {
    expect(told(parsePatch('@@ -1,9 +1,9 @@\n a\n-b'))).toEqual(['1 1  a', '2 - -b']);
    expect(told(parsePatch(`${BODY}@@ -10,3 +1`))).toEqual(TOLD);
  });

  it('of another file after them are read too, never mixed', () => {
    const lines = parsePatch(
      `diff --git a/x b/x\n${BODY}diff --cc y\n@@@ -1 -1 +1 @@@\n  a\ndiff --git a/z b/z\n${BODY}`,
    );
    expect(told(lines)).toEqual([...TOLD, ...TOLD]);
  });
});

describe('Any two texts', () => {
  const line = fc.constantFrom('', 'a', 'b', '-- c', '++ d', '@@ -1 +1 @@', 'diff --git a/x b/x', '\\ x', 'e\r', ' f');
  const text = fc
    .array(line, { maxLength: 14 })
    .chain((lines) => fc.constantFrom('', '\n').map((end) => lines.join('\n') + (lines.length > 0 ? end : '')));

  it('come back from the patch that git makes of them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-patch-'));
    try {
      fc.assert(
        fc.property(text, text, (before, after) => {
          writeFileSync(join(folder, 'a'), before);
          writeFileSync(join(folder, 'b'), after);
          const { stdout } = spawnSync('git', ['diff', '--no-index', '-U1000', '--no-color', 'a', 'b'], {
            cwd: folder,
          });
          const patch = stdout.toString('utf8');
          const lines = parsePatch(patch);
          const side = (left: number) =>
            lines.texts.filter((_, at) => lines.types[at] !== left).map((own) => (lines.crlf ? `${own}\r` : own));
          if (patch === '') return;
          expect(side(ADDED)).toEqual(linesOf(before, lines.crlf));
          expect(side(REMOVED)).toEqual(linesOf(after, lines.crlf));
        }),
        { numRuns: 60 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A text's lines; in a file that ends its lines in CRLF the very last may have no end at all. */
function linesOf(text: string, crlf: boolean): string[] {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return crlf ? lines.map((own) => (own.endsWith('\r') ? own : `${own}\r`)) : lines;
}

describe('Ranges', () => {
  const whole = linesOfComparison(
    {
      kind: 'text',
      beforePresent: true,
      afterPresent: true,
      coarse: false,
      noNewlineBefore: false,
      noNewlineAfter: false,
      hunks: [
        {
          oldStart: 1,
          oldLines: 20,
          newStart: 1,
          newLines: 21,
          lines: Array.from({ length: 21 }, (_, at) => ({
            type: at === 10 ? ('added' as const) : ('context' as const),
            text: `line ${at}`,
          })),
        },
      ],
    },
    true,
  );

  it('around changes are what git shows', () => {
    expect(rangesAroundChanges(whole, 3)).toEqual([{ from: 7, to: 14, section: '' }]);
    expect(countChanged(whole)).toEqual({ additions: 1, deletions: 0 });
  });

  it('grow, and join where they touch', () => {
    const grown = withRange(rangesAroundChanges(whole, 3), { from: 0, to: 2 });
    expect(grown.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [7, 14],
    ]);
    expect(withRange(grown, { from: 2, to: 7 }).map(({ from, to }) => [from, to])).toEqual([[0, 14]]);
  });
});
