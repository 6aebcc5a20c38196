/** What a run's record says of folders without git (conformance 3e), of repositories that git refuses, and of whole folders. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { captureSettings, fileAt, watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');

describe('folders without git', () => {
  test('F1: folders that people write source in are covered, and what the defaults leave out is said', async () => {
    const folder = testFolder();
    for (const name of ['bin/cli.js', 'out/x', 'vendor/y', 'notes.md', 'node_modules/m/x.js', 'dist/b.js'])
      folder.write(name, '1\n');
    const { span, location } = await watch(folder.path);
    expect(location).toMatchObject({ kind: 'filesystem', repository: null, wholeFolder: false });
    const { rows, delta } = await span(() =>
      folder.sh('for f in bin/cli.js out/x vendor/y notes.md node_modules/m/x.js dist/b.js; do echo 2 >> $f; done'),
    );
    expect(rows).toEqual(['M bin/cli.js +1 -0', 'M notes.md +1 -0', 'M out/x +1 -0', 'M vendor/y +1 -0']);
    expect(delta.gaps).toEqual([{ reason: 'skipped_by_default', count: 2 }]);
    expect(delta.workspaceKind).toBe('filesystem');
    expect(existsSync(folder.at('.git'))).toBe(false);
  });

  test('a folder that the defaults leave out can be asked for', async () => {
    const folder = testFolder();
    folder.write('dist/b.js', '1\n');
    const { span } = await watch(folder.path, captureSettings({ includeDirs: ['dist'] }));
    const { rows } = await span(() => folder.sh('echo 2 >> dist/b.js'));
    expect(rows).toEqual(['M dist/b.js +1 -0']);
  });

  test('F2: created, deleted, renamed, made executable, linked, emptied', async () => {
    const folder = testFolder();
    folder.write('a', '1\n');
    folder.write('old', lines(20));
    folder.write('run.sh', 'echo\n');
    folder.write('similar', lines(20));
    const { span, capture } = await watch(folder.path);
    const { rows, delta } = await span(() =>
      folder.sh(
        'rm a; mv old new; chmod +x run.sh; echo n > n; : > empty; ln -s n link; mv similar moved; echo more >> moved',
      ),
    );
    expect(rows).toEqual([
      'D a +0 -1',
      'A empty +0 -0',
      'A link +1 -0',
      'R similar -> moved +1 -0',
      'A n +1 -0',
      'R old -> new +0 -0',
      'M run.sh +0 -0 mode 100644 100755',
    ]);
    expect(await capture.readComparison(delta.kept, fileAt(delta, 'moved'), { context: 3 })).toMatchObject({
      kind: 'text',
    });
  });

  test('F4: a large file beside a small edit', async () => {
    const folder = testFolder();
    folder.write('big', Buffer.alloc(20 * 1024 * 1024, 'text\n'));
    folder.write('small', '1\n');
    const { span } = await watch(folder.path);
    const { rows } = await span(() => folder.sh('echo 2 >> small'));
    expect(rows).toEqual(['M small +1 -0']);
    const grown = await span(() => folder.sh('echo 2 >> big'));
    expect(grown.rows).toEqual(['M big +0 -0 oversized']);
  });

  test('F5: a .gitignore counts without git too', async () => {
    const folder = testFolder();
    folder.write('.gitignore', '.env\ncache/\n');
    folder.write('cache/x', '1\n');
    const { span } = await watch(folder.path);
    const { rows } = await span(() => folder.sh('echo A=1 > .env; echo 2 >> cache/x; echo n > n'));
    expect(rows).toEqual(['A .env +1 -0 ignored', 'A n +1 -0']);
    const again = await span(() => folder.sh('echo A=2 > .env'));
    expect(again.rows).toEqual(['M .env +1 -1 ignored']);
  });

  test('skipped classes are listed without content', async () => {
    const folder = testFolder();
    folder.write('logo.png', Buffer.from([1, 2, 3]));
    const { span } = await watch(folder.path);
    const { rows, delta } = await span(() => folder.write('logo.png', Buffer.from([1, 2, 3, 4])));
    expect(rows).toEqual(['M logo.png +0 -0 oversized']);
    expect(fileAt(delta, 'logo.png')).toMatchObject({ sizeBefore: 3, sizeAfter: 4, contentAfter: null });
  });

  test('what a bound left out at one end is neither added nor deleted', async () => {
    const folder = testFolder();
    folder.sh('for i in 1 2 3 4 5 6 7 8 9; do echo $i > f$i; done; mkdir sub; echo s > sub/s');
    const { span } = await watch(folder.path, captureSettings({ limitsOf: { scanFiles: 5 } }));
    const { rows, delta } = await span(() => folder.sh('rm f1 f2; echo x >> f3; echo x >> f9; echo x >> sub/s'));
    // Two files fewer bring two more under the bound at the end: they were there before.
    expect(rows).toEqual(['D f1 +0 -1', 'D f2 +0 -1', 'M f3 +1 -0']);
    expect(delta.gaps).toMatchObject([{ reason: 'scan_limit' }]);
  });

  test('same size in the same instant is a change', async () => {
    const folder = testFolder();
    folder.write('a', 'aaaa');
    const { span } = await watch(folder.path);
    for (let round = 0; round < 5; round += 1) {
      const { rows } = await span(() => folder.write('a', `bbb${round}`));
      expect(rows).toEqual(['M a +1 -1']);
    }
  });

  test('N5: repositories inside a folder', async () => {
    const folder = testFolder();
    testRepository({ a: '1\n' }, folder.at('r1'));
    testRepository({ b: '1\n' }, folder.at('group/r2'));
    folder.write('notes.md', '1\n');
    const { span } = await watch(folder.path);
    const { rows } = await span(() =>
      folder.sh('echo 2 >> notes.md; echo 2 >> r1/a; echo 2 >> group/r2/b; git -C r1 commit -qam x'),
    );
    expect(rows).toEqual(['M group/r2/b +1 -0', 'M notes.md +1 -0', 'M r1/a +1 -0']);
  });

  test('a folder becomes a repository, and a repository inside stops being one', async () => {
    const folder = testFolder();
    folder.write('a', '1\n');
    testRepository({ b: 'only here\n' }, folder.at('r'));
    const { span } = await watch(folder.path);
    const { rows } = await span(() =>
      folder.sh('git init -q .; git add a; git commit -qm a; rm -rf r/.git; echo 2 >> r/b; echo 2 >> a'),
    );
    // What r/b held before went with r/.git.
    expect(rows).toEqual(['M a +1 -0', 'M r/b +0 -0 oversized']);
  });
});

describe('repositories that git refuses', () => {
  test('G23: a broken .git file', async () => {
    const folder = testFolder();
    folder.write('.git', 'gitdir: /nowhere/at/all\n');
    folder.write('a', '1\n');
    const { span } = await watch(folder.path);
    const { rows, delta } = await span(() => folder.sh('echo 2 >> a; echo n > n'));
    expect(rows).toEqual(['M a +1 -0', 'A n +1 -0']);
    expect(delta.gaps).toMatchObject([{ reason: 'git_refused' }]);
  });

  test('G23: a bare repository', async () => {
    const folder = testFolder();
    folder.sh('git init -q --bare .; echo 1 > a');
    const { span } = await watch(folder.path);
    const { rows, delta } = await span(() => folder.sh('echo 2 >> a'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.gaps).toMatchObject([{ reason: 'git_refused', detail: expect.stringContaining('bare') }]);
  });

  test('an unknown repository format', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('git config core.repositoryformatversion 99');
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('echo 2 >> a'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.gaps).toMatchObject([{ reason: 'git_refused' }]);
  });

  test('a damaged index', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.write('.git/index', 'DIRC garbage');
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> a'));
    expect(rows).toEqual(['M a +1 -0']);
  });

  test('.git goes away during the run, or another repository takes its place', async () => {
    const repo = testRepository({ a: 'only here\n', b: '1\n', 'd/c': '1\n', '.gitignore': 'x/\n', 'dist/e': '1\n' });
    const { span } = await watch(repo.path);
    const gone = await span(() => repo.sh('rm -rf .git; echo 2 >> a'));
    expect(gone.rows).toEqual(['M a +0 -0 oversized']);
    expect(gone.delta.gaps.map((gap) => gap.reason)).toContain('file_unreadable');
    repo.sh('git init -q .; git add .; git commit -qm again');
    const again = await span(() =>
      repo.sh('rm -rf .git; git init -q .; git add .; git commit -qm once-more; echo 3 >> b'),
    );
    expect(again.rows.filter((row) => !row.endsWith('git'))).toEqual(['M b +1 -0']);
  });
});

describe('whole folders', () => {
  test('F8: the home folder, an ancestor of the data folder: captures alone', async () => {
    const home = testFolder();
    home.write('a', '1\n');
    const settings = captureSettings({ home: home.path });
    const { span, location, capture } = await watch(home.path, settings);
    expect(location.wholeFolder).toBe(true);
    const before = await capture.captureFile(location, home.at('a'));
    home.write('a', '1\n2\n');
    const after = await capture.captureFile(location, home.at('a'));
    const { rows, delta } = await span(() => {}, { captures: [{ before, after }] });
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.gaps).toEqual([{ reason: 'whole_folder_off' }]);
    expect(delta.files[0]).toMatchObject({ evidence: ['capture'], patch: expect.stringContaining('+2') });
  });
});

describe('workspaces that go away', () => {
  test('a folder that is removed: every file is deleted', async () => {
    const folder = testFolder();
    folder.write('w/a', '1\n');
    folder.write('w/b', '1\n');
    const { span } = await watch(folder.at('w'));
    const { rows, delta } = await span(() => folder.sh('rm -rf w'));
    expect(rows).toEqual(['D a +0 -1', 'D b +0 -1']);
    expect(delta.gaps).toMatchObject([{ reason: 'workspace_missing' }]);
  });

  test('a repository that is removed, and one that is replaced', async () => {
    const folder = testFolder();
    testRepository({ a: '1\n' }, folder.at('w'));
    const { span } = await watch(folder.at('w'));
    const removed = await span(() => folder.sh('mv w gone'));
    expect(removed.rows).toEqual(['D a +0 -0 oversized']);
    expect(removed.delta.gaps[0]).toMatchObject({ reason: 'workspace_missing' });
    folder.sh('mv gone w');
    const replaced = await span(() => {
      folder.sh('rm -rf w');
      testRepository({ a: '2\n', b: '1\n' }, folder.at('w'));
    });
    expect(replaced.rows.map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual(['M a', 'A b']);
  });

  test('a workspace folder of a repository that stays', async () => {
    const repo = testRepository({ 'pkg/a': '1\n', b: '1\n' });
    const { span } = await watch(repo.at('pkg'));
    const { rows } = await span(() => repo.sh('rm -rf pkg; echo 2 >> b'));
    expect(rows).toEqual(['M ../b +1 -0', 'D a +0 -1']);
  });
});
