/** Rows and titles say what CONTRACT says they say, to the letter. */
import { describe, expect, it } from 'vitest';
import { changedFile } from '@/lib/testing/changed-file';
import type { ChangedFile, GitMove } from './change';
import { bytesInWords, changeTitle, moveInWords, rowLine, rowName } from './change-words';
import { gapsInWords } from './gap-words';

const rows: [facts: Partial<ChangedFile> & { path: string }, name: string, line: string][] = [
  [
    { path: 'src/Login.vue', additions: 12, deletions: 4 },
    'modified src/Login.vue, 12 additions, 4 deletions',
    'M src/Login.vue +12 −4',
  ],
  [{ path: 'a', additions: 1 }, 'modified a, 1 addition', 'M a +1 −0'],
  [{ path: 'n', changeType: 'added', additions: 48 }, 'added n, 48 additions', 'A n +48 −0'],
  [{ path: 'd', changeType: 'deleted', deletions: 1 }, 'deleted d, 1 deletion', 'D d +0 −1'],
  [
    { path: 'new.ts', oldPath: 'old.ts', changeType: 'renamed' },
    'renamed old.ts to new.ts, no line changes',
    'R old.ts → new.ts no line changes',
  ],
  [
    { path: 'new.ts', oldPath: 'old.ts', changeType: 'renamed', additions: 2, deletions: 1 },
    'renamed old.ts to new.ts, 2 additions, 1 deletion',
    'R old.ts → new.ts +2 −1',
  ],
  [
    { path: 'logo.png', binary: true, sizeBefore: 4200, sizeAfter: 3700 },
    'modified logo.png, binary changed, 4.1 KB to 3.6 KB',
    'M logo.png binary changed · 4.1 KB → 3.6 KB',
  ],
  [
    { path: 'run.sh', modeAfter: '100755' },
    'modified run.sh, mode 644 to 755, no line changes',
    'M run.sh mode 644 → 755',
  ],
  [
    { path: 'run.sh', modeAfter: '100755', additions: 1 },
    'modified run.sh, 1 addition, mode 644 to 755',
    'M run.sh +1 −0 mode 644 → 755',
  ],
  [
    { path: 'big', oversized: true, sizeBefore: 30_000_000, sizeAfter: 31_000_000 },
    'modified big, too large to compare, 29 MB to 30 MB',
    'M big too large · 29 MB → 30 MB',
  ],
  [
    { path: 'big', oversized: true, additions: 1, sizeBefore: null, sizeAfter: null },
    'modified big, 1 addition, too large',
    'M big +1 −0 too large',
  ],
  [
    { path: 'dos.txt', additions: 50, deletions: 50, lineEndings: { before: 'lf', after: 'crlf', lines: 50 } },
    'modified dos.txt, line endings LF to CRLF, 50 lines',
    'M dos.txt line endings LF → CRLF (50 lines)',
  ],
  [
    { path: 'lock', additions: 900, deletions: 3, truncated: true },
    'modified lock, 900 additions, 3 deletions, diff truncated',
    'M lock +900 −3 diff truncated',
  ],
  [{ path: '__init__.py', changeType: 'added', sizeAfter: 0 }, 'added __init__.py, empty', 'A __init__.py empty'],
  [
    { path: 'leak', changeType: 'added', kindAfter: 'symlink', modeAfter: '120000', additions: 1 },
    'added leak, 1 addition, link',
    'A leak +1 −0 link',
  ],
  [
    { path: 'f', kindAfter: 'symlink', modeAfter: '120000', additions: 1, deletions: 3 },
    'modified f, 1 addition, 3 deletions, became a link',
    'M f +1 −3 became a link',
  ],
  [{ path: '.env', additions: 1, ignored: true }, 'modified .env, 1 addition, ignored file', 'M .env +1 −0'],
];

describe('A row', () => {
  it.each(rows)('%j', (facts, name, line) => {
    const file = changedFile(facts);
    expect(rowName(file)).toBe(name);
    expect(rowLine(file)).toBe(line);
  });
});

describe('A title', () => {
  const title = (facts: Partial<Parameters<typeof changeTitle>[0]>) =>
    changeTitle({ source: 'run', changedCount: 0, git: null, gaps: [], ...facts });
  const git = (movedCount: number) => ({
    headBefore: null,
    headAfter: null,
    branchBefore: null,
    branchAfter: null,
    movedCount,
    moves: [],
  });

  it('counts the files', () => {
    expect(title({ changedCount: 3 })).toBe('Changed 3 files');
    expect(title({ changedCount: 1, git: git(830) })).toBe('Changed 1 file');
  });

  it('says what came with git, what was not recorded, and that there was nothing', () => {
    expect(title({ git: git(830) })).toBe('No files changed, 830 came with git');
    expect(title({ gaps: [{ reason: 'baseline_missing' }] })).toBe('Changes not recorded');
    expect(title({ gaps: [{ reason: 'scan_limit' }] })).toBe('No files changed');
    expect(title({})).toBe('No files changed');
  });

  it('tells what changed between runs apart', () => {
    expect(title({ source: 'drift', changedCount: 4 })).toBe('Changed outside runs: 4 files');
    expect(title({ source: 'drift', git: git(1) })).toBe('Changed outside runs: 1 file came with git');
  });
});

describe('A move of git', () => {
  const move: GitMove = {
    action: 'checkout',
    from: '3f2c1a9000',
    to: '81be004000',
    fromName: 'main',
    toName: 'other',
    commits: 0,
  };
  it.each([
    [move, 'main → other'],
    [{ ...move, action: 'pull' as const, toName: 'main' }, 'main 3f2c1a9 → 81be004'],
    [{ ...move, fromName: null, toName: null }, '3f2c1a9 → 81be004'],
    [{ ...move, action: 'commit' as const, commits: 1 }, '1 commit made'],
  ])('%j', (own, words) => {
    expect(moveInWords(own)).toBe(words);
  });
});

describe('Gaps', () => {
  it('stand in one line', () => {
    expect(
      gapsInWords([
        { reason: 'file_too_large', path: 'build.log', detail: '222298112' },
        { reason: 'file_unreadable', count: 1 },
      ]),
    ).toBe('Not covered: build.log is too large to compare (212 MB); could not read (1)');
    expect(gapsInWords([])).toBeNull();
  });
});

describe('A size', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [4200, '4.1 KB'],
    [222_298_112, '212 MB'],
    [1024 ** 3, '1 GB'],
  ])('%i', (bytes, words) => {
    expect(bytesInWords(bytes)).toBe(words);
  });
});
