/** Every kind of change has its own words: there is never an empty box. */
import { describe, expect, it } from 'vitest';
import type { ChangedFileBody } from '@/lib/domain/change';
import { changedFileBody } from '@/lib/testing/changed-file';
import { parsePatch } from './patch-lines';
import { leavesWorkspace, patchStory } from './patch-sentences';

const story = (facts: Partial<ChangedFileBody> & { path: string }) => {
  const { sentences, lines, more } = patchStory(changedFileBody(facts), parsePatch(facts.patch ?? ''));
  return { said: sentences.map(({ text }) => text), lines, more };
};
const EDIT = '@@ -1,2 +1,2 @@\n a\n-b\n+c\n';

describe('An opened file', () => {
  it('with lines needs no words', () => {
    expect(story({ path: 'a', additions: 1, deletions: 1, patch: EDIT })).toEqual({
      said: [],
      lines: 'shown',
      more: 'none',
    });
  });

  it.each<[string, Partial<ChangedFileBody>, string]>([
    [
      'binary',
      { binary: true, sizeBefore: 4200, sizeAfter: 3700 },
      'Binary file changed: 4.1 KB before, 3.6 KB after.',
    ],
    ['binary, new', { binary: true, changeType: 'added', sizeBefore: null, sizeAfter: 10 }, 'Binary file added: 10 B.'],
    [
      'oversized',
      { oversized: true, additions: 1, sizeBefore: 3e7, sizeAfter: 3e7 },
      'Too large to compare: 29 MB before, 29 MB after.',
    ],
    [
      'expired',
      { expired: true, additions: 3 },
      'The content of this change is no longer kept: it was older than the limits allow. Names and counts remain.',
    ],
    ['an empty file', { changeType: 'added', sizeBefore: null, sizeAfter: 0 }, 'An empty file was added.'],
    ['not kept', { additions: 3 }, 'The content of this file is not kept; only its counts are.'],
  ])('%s', (_, facts, sentence) => {
    expect(story({ path: 'x', ...facts })).toMatchObject({ said: [sentence], lines: 'none' });
  });

  it('whose mode changed says so, and that no line did', () => {
    expect(story({ path: 'run.sh', modeAfter: '100755' }).said).toEqual([
      'File mode changed: 644 → 755, now executable.',
      'No line changed.',
    ]);
  });

  it('that was only renamed says from where', () => {
    expect(story({ path: 'new', oldPath: 'old', changeType: 'renamed' }).said).toEqual([
      'Renamed from old.',
      'No line changed.',
    ]);
  });

  it('whose patch was cut says how much is there, and offers the rest', () => {
    expect(story({ path: 'a', additions: 900, deletions: 100, truncated: true, patch: EDIT })).toEqual({
      said: ['Only the beginning of this patch was kept. Showing 2 of 1000 changed lines.'],
      lines: 'shown',
      more: 'load',
    });
    expect(story({ path: 'a', additions: 4, truncated: true })).toEqual({
      said: ['The patch was left out, since the patches of this change reached their limit.'],
      lines: 'none',
      more: 'load',
    });
  });

  it('whose rest was loaded does not say so any more, however little of it is shown', () => {
    const whole = changedFileBody({ path: 'a', additions: 900, deletions: 100, truncated: true, patch: EDIT });
    expect(patchStory(whole, parsePatch(EDIT), true)).toEqual({ sentences: [], lines: 'shown', more: 'none' });
    expect(patchStory(whole, parsePatch(''), true).lines).toBe('shown');
  });

  it('of which only line endings changed says that, and folds the lines', () => {
    expect(
      story({
        path: 'a',
        additions: 2,
        deletions: 2,
        lineEndings: { before: 'lf', after: 'crlf', lines: 2 },
        patch: '@@ -1,2 +1,2 @@\n-a\n-b\n+a\r\n+b\r\n',
      }),
    ).toEqual({
      said: ['Only line endings changed: LF → CRLF, in 2 lines. The text is the same.'],
      lines: 'folded',
      more: 'none',
    });
  });

  it('of which only the last newline changed says that', () => {
    const patch = '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n';
    expect(story({ path: 'a', additions: 1, deletions: 1, patch }).said).toEqual([
      'Only the newline at the end of the file was added.',
    ]);
    const other = '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n';
    expect(story({ path: 'a', additions: 1, deletions: 1, patch: other }).said).toEqual([]);
  });

  it('that is not UTF-8 says so', () => {
    expect(story({ path: 'a', additions: 1, patch: '@@ -0,0 +1 @@\n+caf\ufffd\n' }).said[0]).toMatch(/not UTF-8/);
  });

  it('that is a link says where it leads, and when it leads out', () => {
    const link = { kindAfter: 'symlink', modeAfter: '120000' } as const;
    const patch = '@@ -0,0 +1 @@\n+/outside/secret\n\\ No newline at end of file\n';
    expect(story({ path: 'leak', changeType: 'added', ...link, additions: 1, patch }).said).toEqual([
      'Link → /outside/secret',
      'This link leads out of the workspace.',
    ]);
    const moved = '@@ -1 +1 @@\n-t1\n\\ No newline at end of file\n+t2\n\\ No newline at end of file\n';
    expect(
      story({
        path: 'l',
        ...link,
        kindBefore: 'symlink',
        modeBefore: '120000',
        additions: 1,
        deletions: 1,
        patch: moved,
      }).said,
    ).toEqual(['Link target changed: t1 → t2.']);
  });

  it('that is a submodule says between which commits', () => {
    const kinds = { kindBefore: 'submodule', kindAfter: 'submodule' } as const;
    const patch = `@@ -1 +1 @@\n-Subproject commit ${'1'.repeat(40)}\n+Subproject commit ${'2'.repeat(40)}\n`;
    expect(story({ path: 's', ...kinds, additions: 1, deletions: 1, patch }).said).toEqual([
      'Submodule moved to another commit: 111111111111 → 222222222222.',
    ]);
  });
});

describe('A link leaves the workspace', () => {
  it.each([
    ['a', 'b', false],
    ['a', '../b', true],
    ['x/a', '../b', false],
    ['x/a', '../../b', true],
    ['x/a', '/etc/passwd', true],
    ['x/y/a', '../z/../../b', false],
    ['x/a', 'y/../../../b', true],
    ['../other/a', 'b', true],
  ])('%s → %s: %s', (path, target, expected) => {
    expect(leavesWorkspace(path, target)).toBe(expected);
  });
});
