/** What a run's record says in the states that repositories are found in (conformance 3c, 3d), git being the judge. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { captureSettings, fileAt, rowsOf, watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

const lines = (count: number, word = 'line', end = '\n') =>
  Array.from({ length: count }, (_, at) => `${word} ${at}${end}`).join('');
const moves = (delta: { git: { moves: { action: string; commits: number }[] } | null }) =>
  delta.git?.moves.map((move) => `${move.action} ${move.commits}`);

describe('git states (conformance 3c)', () => {
  test('G1: a repository without a commit', async () => {
    const repo = testFolder();
    repo.sh('git init -q; echo 1 > s');
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('echo 2 >> s; echo n > n'));
    expect(rows).toEqual(['A n +1 -0', 'M s +1 -0']);
    expect(delta.git).toMatchObject({ headBefore: null, headAfter: null, branchAfter: expect.any(String), moves: [] });
  });

  test('the first commit of a repository is an edit, not a move', async () => {
    const repo = testFolder();
    repo.sh('git init -q; echo 1 > s');
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('echo 2 >> s; echo n > n; git add .; git commit -qm first'));
    expect(rows).toEqual(['A n +1 -0', 'M s +1 -0']);
    expect(moves(delta)).toEqual(['commit 1']);
  });

  test('G2: a conflict that is resolved, while other dirt stays', async () => {
    const repo = testRepository({ a: 'base\n', u: '1\n' });
    repo.sh(
      'git checkout -qb other; echo theirs > a; git commit -qam t; git checkout -q main; echo ours > a; git commit -qam o; git merge other || true; echo dirt >> u',
    );
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo both > a; git add a'));
    expect(rows).toEqual(['M a +1 -5']);
    expect(repo.git('status', '--porcelain')).toBe('M  a\n M u');
  });

  test('G4: a detached HEAD', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('git checkout -q --detach');
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('echo 2 >> a; git commit -qam x'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.git).toMatchObject({ branchBefore: null, branchAfter: null });
  });

  test('G5: files that a checkout brings came with git', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('git checkout -qb other; echo b > b; git add b; git commit -qm b; git checkout -q main');
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('git checkout -q other'));
    expect(rows).toEqual(['A b +1 -0 git']);
    expect(delta.git).toMatchObject({ branchBefore: 'main', branchAfter: 'other' });
    expect(delta.git?.moves).toMatchObject([{ action: 'checkout', fromName: 'main', toName: 'other' }]);
  });

  test('a dirty file that a checkout carries, a reset discards or a stash takes is an edit', async () => {
    const repo = testRepository({ a: '1\n', c: '1\n' });
    repo.sh('echo dirt >> a');
    const { span } = await watch(repo.path);
    const reset = await span(() => repo.sh('git reset -q --hard'));
    expect(reset.rows).toEqual(['M a +0 -1']);
    expect(moves(reset.delta)).toEqual(['reset 0']);
    repo.sh('echo dirt >> c');
    const stash = await span(() => repo.sh('git stash -q'));
    expect(stash.rows).toEqual(['M c +0 -1']);
    expect(moves(stash.delta)).toContain('stash 0');
  });

  test('G6, G7, G28: pulled files came with git, the run’s own edits did not', async () => {
    const origin = testRepository({ a: lines(9), z: '1\n' });
    const repo = testFolder();
    repo.sh(`git clone -q '${origin.path}' .`);
    for (let at = 0; at < 12; at += 1) origin.sh(`echo ${at} > p${at}; git add .; git commit -qm p${at}`);
    const { span } = await watch(repo.path);
    const pulled = await span(() => repo.sh('git pull -q; echo more >> a'));
    expect(pulled.rows.filter((row) => !row.endsWith('git'))).toEqual(['M a +1 -0']);
    expect(pulled.rows.filter((row) => row.endsWith('git'))).toHaveLength(12);
    expect(moves(pulled.delta)).toEqual(['pull 12']);

    origin.sh('echo 2 > z; git commit -qam z');
    const rebased = await span(() => repo.sh('git commit -qam mine; git pull -q --rebase'));
    expect(rebased.rows).toEqual(['M z +1 -1 git']);
    origin.sh('echo 3 > z; git commit -qam z2');
    const edited = await span(() => repo.sh('echo edit >> a; git commit -qam mine2; git pull -q --rebase'));
    expect(edited.rows).toEqual(['M a +1 -0', 'M z +1 -1 git']);
    const nothing = await span(() => {});
    expect(nothing.rows).toEqual([]);
    expect(nothing.delta.git?.moves).toEqual([]);
  });

  test('G9: a linked worktree', async () => {
    const repo = testRepository({ a: '1\n' });
    const linked = testFolder();
    repo.sh(`git worktree add -q '${linked.path}/w'`);
    const { span, location } = await watch(linked.at('w'));
    expect(location).toMatchObject({ kind: 'git', repository: linked.at('w') });
    const { rows } = await span(() => writeFileSync(linked.at('w/a'), '1\n2\n'));
    expect(rows).toEqual(['M a +1 -0']);
  });

  test('G11: split index, untracked cache, and a file-system monitor that must not run', async () => {
    const repo = testRepository({ a: '1\n', b: '1\n' });
    repo.write('.git/monitor', `#!/bin/sh\ntouch '${repo.at('ran')}'\n`);
    repo.sh(
      'chmod +x .git/monitor; git update-index --split-index --untracked-cache; echo 2 >> b; git add b; git config core.fsmonitor .git/monitor; git config core.untrackedCache true; git config core.splitIndex true',
    );
    repo.sh('rm -f ran');
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.write('a', '1\n2\n'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(existsSync(repo.at('ran'))).toBe(false);
  });

  test('G12: assume-unchanged and skip-worktree files', async () => {
    const repo = testRepository({ a: '1\n', b: '1\n' });
    repo.sh('git update-index --assume-unchanged a; git update-index --skip-worktree b');
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> a; echo 2 >> b'));
    expect(rows).toEqual(['M a +1 -0', 'M b +1 -0']);
  });

  test('a sparse checkout: absent files are not deleted, and a file outside the cone is seen', async () => {
    const repo = testRepository({ 'in/a': '1\n', 'out/b': '1\n', 'out/deep/c': '1\n', top: '1\n' });
    repo.sh('git sparse-checkout init --cone --sparse-index; git sparse-checkout set in');
    expect(existsSync(repo.at('out/b'))).toBe(false);
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> in/a; mkdir -p out; echo other > out/b; echo n > out/n'));
    // What git holds of an absent file is what it would be: the file is modified, as git says too.
    expect(rows).toEqual(['M in/a +1 -0', 'M out/b +1 -1', 'A out/n +1 -0']);
  });

  test('G13: a CRLF file under autocrlf', async () => {
    const repo = testRepository({});
    repo.sh('git config core.autocrlf true');
    repo.write('c.txt', lines(50, 'line', '\r\n'));
    repo.sh('git add .; git commit -qm c');
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh("sed -i 's/line 7/seven/' c.txt"));
    expect(rows).toEqual(['M c.txt +1 -1']);
  });

  test('G14: a file whose line ends change', async () => {
    const repo = testRepository({ a: lines(50) });
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.write('a', lines(50, 'line', '\r\n')));
    expect(rows).toEqual(['M a +50 -50 eol lf crlf 50']);
  });

  test('G14: line ends of a file too long for a whole patch', async () => {
    const repo = testRepository({ a: lines(20_000, 'a line that is long enough') });
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.write('a', lines(20_000, 'a line that is long enough', '\r\n')));
    expect(rows).toEqual(['M a +20000 -20000 eol lf crlf 20000']);
  });

  test('G16, G17: attributes and configuration of the repository change nothing, and none of its programs runs', async () => {
    const marker = testFolder().at('ran');
    const program = `sh -c "touch '${marker}'; cat"`;
    const settings: string[][] = [
      ['diff.external', `touch '${marker}'`],
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['color.ui', 'always'],
      ['diff.algorithm', 'patience'],
      ['diff.renames', 'false'],
      ['core.quotepath', 'true'],
      ['diff.custom.command', `touch '${marker}'`],
      ['diff.custom.textconv', program],
      ['filter.custom.clean', program],
      ['filter.custom.process', program],
      ['log.showSignature', 'true'],
      ['gpg.program', `touch '${marker}'`],
      ['commit.gpgsign', 'true'],
      ['core.hooksPath', '.hooks'],
    ];
    const results = new Set<string>();
    for (const setting of [[], ...settings]) {
      const repo = testRepository({
        'a b.txt': lines(9),
        's.sql': '-- one\n',
        '日本.txt': lines(9),
        '.gitattributes': 'x.txt diff=custom\n*.sql diff=custom -diff\n',
      });
      for (const hook of ['post-index-change', 'pre-commit', 'post-checkout', 'reference-transaction']) {
        repo.write(`.hooks/${hook}`, `#!/bin/sh\ntouch '${marker}'\n`);
        repo.sh(`chmod +x .hooks/${hook}; cp .hooks/${hook} .git/hooks/`);
      }
      if (setting.length > 0) repo.sh(`git config ${setting[0]} "$(cat <<'EOF'\n${setting[1]}\nEOF\n)"`);
      const { span } = await watch(repo.path);
      const { delta, rows } = await span(() => {
        writeFileSync(repo.at('a b.txt'), lines(10));
        writeFileSync(repo.at('s.sql'), '-- two\n');
        writeFileSync(repo.at('日本.txt'), `${lines(9)}x\n`);
      });
      results.add(JSON.stringify({ rows, patches: delta.files.map((file) => file.patch) }));
    }
    expect(results.size).toBe(1);
    expect([...results][0]).toContain('M s.sql +1 -1');
    expect(existsSync(marker)).toBe(false);
  });

  test('G18: git variables of our own environment mean nothing', async () => {
    const other = testRepository({ o: '1\n' });
    const repo = testRepository({ a: '1\n' });
    const before = other.sh('find . -type f -exec sha1sum {} + | sort');
    const names = ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE', 'GIT_OBJECT_DIRECTORY'] as const;
    const values = [other.at('.git'), other.at('.git/index'), other.path, other.at('.git/objects')];
    try {
      names.forEach((name, at) => {
        process.env[name] = values[at];
      });
      const { span } = await watch(repo.path);
      const { rows } = await span(() => repo.sh('echo 2 >> a; echo n > n'));
      expect(rows).toEqual(['M a +1 -0', 'A n +1 -0']);
    } finally {
      for (const name of names) delete process.env[name];
    }
    expect(other.sh('find . -type f -exec sha1sum {} + | sort')).toBe(before);
  });

  test.runIf(process.getuid?.() === 0)('G21: a repository of another user', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('chown -R nobody .');
    const { span, location } = await watch(repo.path);
    expect(location.kind).toBe('git');
    const { rows, delta } = await span(() => repo.sh('echo 2 >> a'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.gaps).toEqual([]);
  });

  test('G26: a workspace that is a subfolder lists the rest with ../', async () => {
    const repo = testRepository({ 'pkg/a': '1\n', 'other/b': '1\n', top: '1\n', 'pkg/deep/c': '1\n' });
    const { span, capture } = await watch(repo.at('pkg'));
    const { rows, delta } = await span(() =>
      repo.sh('echo 2 >> pkg/a; echo 2 >> other/b; mv top moved; echo 2 >> pkg/deep/c'),
    );
    expect(rows).toEqual(
      ['R ../top -> ../moved +0 -0', 'M ../other/b +1 -0', 'M a +1 -0', 'M deep/c +1 -0'].sort((a, b) =>
        (a.split(' ').at(a.startsWith('R') ? 3 : 1) as string) < (b.split(' ').at(b.startsWith('R') ? 3 : 1) as string)
          ? -1
          : 1,
      ),
    );
    const patch = await capture.readPatch(delta.kept, { root: repo.at('pkg') }, delta.files);
    expect(patch.applyFrom).toBe('..');
    const text: Uint8Array[] = [];
    for await (const piece of patch.text) text.push(piece);
    repo.write('../p', Buffer.concat(text));
    repo.sh('git apply -R --check ../p; rm ../p');
    expect(await capture.readComparison(delta.kept, fileAt(delta, '../other/b'), { context: 3 })).toMatchObject({
      kind: 'text',
    });
  });

  test('G29: edits that were committed on a branch and merged by fast-forward are edits', async () => {
    const repo = testRepository({ a: '1\n' });
    const { span } = await watch(repo.path);
    const { rows } = await span(() =>
      repo.sh('git checkout -qb w; echo 2 >> a; git commit -qam w; git checkout -q main; git merge -q --ff-only w'),
    );
    expect(rows).toEqual(['M a +1 -0']);
  });

  test('a merge that git makes brings files with git; what the run resolved itself is an edit', async () => {
    const repo = testRepository({ a: lines(20), c: '1\n' });
    repo.sh(
      "git checkout -qb other; echo b > b; git add b; sed -i 's/line 3$/theirs/' a; git commit -qam t; git checkout -q main; sed -i 's/line 3$/ours/' a; git commit -qam o",
    );
    const { span } = await watch(repo.path);
    const { rows } = await span(() =>
      repo.sh('git merge other || true; git checkout --ours a; echo resolved >> a; git add a; git commit -qm merged'),
    );
    expect(rows).toEqual(['M a +1 -0', 'A b +1 -0 git']);
  });

  test('without a reflog HEAD before and after decide', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh(
      'git checkout -qb other; echo b > b; git add b; git commit -qm b; git checkout -q main; git config core.logAllRefUpdates false; rm -r .git/logs',
    );
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('git checkout -q other; echo 2 >> a'));
    expect(rows).toEqual(['M a +1 -0', 'A b +1 -0 git']);
    expect(delta.git?.moves).toMatchObject([{ fromName: 'main', toName: 'other' }]);
  });

  test('G30: a file of an ignored folder that became tracked', async () => {
    const repo = testRepository({ '.gitignore': 'dist/\n' });
    repo.write('dist/a.js', '1\n');
    const { span } = await watch(repo.path);
    await span(() => {});
    repo.sh('git add -f dist/a.js; git commit -qm d');
    const { rows } = await span(() => repo.sh('echo 2 >> dist/a.js'));
    expect(rows).toEqual(['M dist/a.js +1 -0']);
  });

  test('G31: untracked files that became ignored are covered no more', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('mkdir gen; for i in $(seq 300); do echo $i > gen/$i; done');
    const { span, capture, location } = await watch(repo.path);
    const first = await span(() => repo.sh('echo x > gen/1'));
    expect(first.rows).toEqual(['M gen/1 +1 -1']);
    await capture.releaseSnapshot(first.before);
    repo.write('.gitignore', 'gen/\n');
    const second = await span(() => repo.sh('for i in $(seq 300); do echo y$i > gen/$i; done'));
    expect(second.rows).toEqual([]);
    await capture.releaseSnapshot(first.after);
    const third = await span(() => repo.sh('for i in $(seq 300); do echo z$i > gen/$i; done'));
    expect(third.rows).toEqual([]);
    expect((await capture.takeSnapshot(location)).fileCount).toBe(2);
  });

  test('G31: the same, where the run before still counts on them when they leave', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('mkdir gen; for i in $(seq 300); do echo $i > gen/$i; done');
    const { span, capture, location } = await watch(repo.path);
    const first = await span(() => repo.sh('echo 2 >> a'));
    await capture.releaseSnapshot(first.before);
    repo.write('.gitignore', 'gen/\n');
    const before = await capture.takeSnapshot(location);
    await capture.releaseSnapshot(first.after);
    repo.sh('for i in $(seq 300); do echo y$i > gen/$i; done; echo 3 >> a');
    const after = await capture.takeSnapshot(location);
    const options = { keepAs: 'g31', patches: false, captures: [] };
    expect(rowsOf(await capture.compare(location, before, after, options))).toEqual(['M a +1 -0']);
  });

  test('G32: paths with a filter are told by their bytes, and the filter never runs', async () => {
    const repo = testRepository({ '.gitattributes': '*.bin filter=lfs -text\n' });
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 300000\n';
    repo.write('k.bin', pointer);
    repo.sh('git add .; git commit -qm k');
    // As after a checkout with the filter: real bytes on disk, and an index that takes them for clean.
    repo.write('k.bin', Buffer.alloc(300_000, 1));
    repo.sh(
      "git config filter.lfs.clean 'false'; git config filter.lfs.smudge 'false'; git config filter.lfs.required true",
    );
    repo.sh(
      'git -c filter.lfs.clean=\'cat > /dev/null; printf "version https://git-lfs.github.com/spec/v1\\noid sha256:00\\nsize 300000\\n"\' add k.bin; test -z "$(git diff --cached --name-only)"',
    );
    const { span } = await watch(repo.path);
    const touched = await span(() => repo.sh('touch k.bin'));
    expect(touched.rows).toEqual([]);
    const { delta } = await span(() => repo.write('k.bin', Buffer.alloc(300_001, 2)));
    expect(fileAt(delta, 'k.bin')).toMatchObject({ changeType: 'modified', sizeBefore: 300_000, sizeAfter: 300_001 });
  });

  test('G33: a borrowed object that the user’s clean-up removed', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('echo staged > s; git add s');
    const { span } = await watch(repo.path);
    await span(() => {});
    repo.sh('git rm -q --cached s; git reflog expire --expire=now --all; git gc -q --prune=now');
    const { rows, delta } = await span(() => repo.sh('echo 2 >> a'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.gaps).toEqual([]);
  });

  test('G34: many renames with an edit in each', async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 1_100; at += 1) files[`old/${at}.txt`] = lines(12, `file ${at} line`);
    const repo = testRepository(files);
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('mv old new; for f in new/*; do echo more >> $f; done'));
    expect(rows).toHaveLength(1_100);
    expect(rows.every((row) => row.startsWith('R old/') && row.endsWith('+1 -0'))).toBe(true);
  });

  test('G27: what cannot be opened costs no other file', async () => {
    const repo = testRepository({ a: '1\n', b: '1\n' });
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> a; mkfifo pipe; rm b; mkfifo b'));
    expect(rows).toEqual(['M a +1 -0', 'D b +0 -1']);
  });
});

describe('names (conformance 3d)', () => {
  const names = [
    '日本語/ファイル.txt',
    'caf\u00e9',
    'cafe\u0301',
    'app/[id]/page.tsx',
    'app/i/page.tsx',
    '*.txt',
    'a.txt',
    ':(top)x',
    '!x',
    '-n',
    '--help',
    '..dots.txt',
    '...',
    'a#b?c%20d&e',
    '$&.txt',
    '$$',
    'a`b',
    '__proto__',
    'constructor',
    '<img src=x onerror=1>.ts',
    'rtl\u202eoverride',
    'nul',
    'con.txt',
    'aux',
    ' leading',
    'trailing ',
    'tab\there',
    'line\nbreak',
    '"quoted"',
    "it's",
    'back\\slash',
    'bell\u0007',
  ];

  test('P1 to P9: each name is edited, created and deleted under exactly itself', async () => {
    const repo = testRepository({});
    for (const name of names) repo.write(`old/${name}`, '1\n');
    repo.sh('git add -A; git commit -qm names');
    const { span, capture } = await watch(repo.path);
    const edited = await span(() => {
      for (const name of names) repo.write(`old/${name}`, '1\n2\n');
    });
    expect(edited.delta.files).toHaveLength(names.length);
    expect(edited.rows.every((row) => row.startsWith('M ') && row.endsWith('+1 -0'))).toBe(true);
    const plain = edited.delta.files.filter((file) => !file.pathQuoted).map((file) => file.path);
    expect(plain.sort()).toEqual(
      names
        .filter((name) => !['\t', '\n', '\u0007'].some((char) => name.includes(char)))
        .map((name) => `old/${name}`)
        .sort(),
    );
    expect(edited.delta.files.filter((file) => file.pathQuoted).map((file) => file.path)).toEqual([
      '"old/bell\\a"',
      '"old/line\\nbreak"',
      '"old/tab\\there"',
    ]);
    for (const file of edited.delta.files) {
      expect(await capture.readComparison(edited.delta.kept, file, { context: 3 })).toMatchObject({
        kind: 'text',
        hunks: [
          {
            lines: [
              { type: 'context', text: '1' },
              { type: 'added', text: '2' },
            ],
          },
        ],
      });
    }
    const one = fileAt(edited.delta, 'old/*.txt');
    const patch = await capture.readPatch(edited.delta.kept, { root: repo.path }, [one]);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    expect(
      Buffer.concat(pieces)
        .toString()
        .match(/^diff --git/gm),
    ).toHaveLength(1);

    const moved = await span(() => repo.sh('mv old new'));
    expect(moved.delta.files).toHaveLength(names.length);
    expect(moved.delta.files.every((file) => file.changeType === 'renamed')).toBe(true);
    const gone = await span(() => repo.sh('rm -r new'));
    expect(gone.delta.files).toHaveLength(names.length);
  });

  test('names that are not UTF-8 stay two files', async () => {
    const repo = testRepository({ a: '1\n' });
    const bytes = (name: string) => Buffer.concat([Buffer.from(`${repo.path}/`), Buffer.from(name, 'latin1')]);
    const { span, capture } = await watch(repo.path);
    const { rows, delta } = await span(() => {
      writeFileSync(bytes('x\xe9'), '1\n');
      writeFileSync(bytes('x\xe8'), '2\n');
    });
    expect(rows).toEqual(['A "x\\350" +1 -0', 'A "x\\351" +1 -0']);
    expect(await capture.readComparison(delta.kept, fileAt(delta, '"x\\351"'), { context: 3 })).toMatchObject({
      kind: 'text',
      hunks: [{ lines: [{ type: 'added', text: '1' }] }],
    });
    const edited = await span(() => writeFileSync(bytes('x\xe9'), '1\n3\n'));
    expect(edited.rows).toEqual(['M "x\\351" +1 -0']);
    const patch = await capture.readPatch(edited.delta.kept, { root: repo.path }, edited.delta.files);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    repo.write('../p2', Buffer.concat(pieces));
    repo.sh('git apply -R ../p2; rm ../p2');
    expect(readFileSync(bytes('x\xe9'), 'utf8')).toBe('1\n');
  });

  test('P6: a rename of case alone, whatever the configuration claims', async () => {
    const repo = testRepository({ 'A.ts': lines(9) });
    repo.sh('git config core.ignorecase true');
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('mv A.ts a.ts'));
    expect(rows).toEqual(['R A.ts -> a.ts +0 -0']);
  });
});

test('a repository of SHA-256 objects', async () => {
  const repo = testFolder();
  repo.sh('git init -q --object-format=sha256; echo 1 > a; git add a; git commit -qm a');
  const { span, capture } = await watch(repo.path, captureSettings());
  const { rows, delta } = await span(() => repo.sh('echo 2 >> a; rm -f none; echo n > n'));
  expect(rows).toEqual(['M a +1 -0', 'A n +1 -0']);
  expect(Buffer.from(await capture.readContent(delta.kept, fileAt(delta, 'a'), 'after')).toString()).toBe('1\n2\n');
});
