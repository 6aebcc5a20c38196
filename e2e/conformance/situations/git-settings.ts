/** Settings, programs and owners of a repository, and surroundings of the server (CONFORMANCE 3c). */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../commands';
import { imprintDifferences, takeImprint } from '../imprint';
import { lines, Place } from '../place';
import { rowText } from '../row-text';
import type { Situation } from '../situation';
import type { Stage } from '../stage';
import { importFiles } from './git-clones';
import { STRANGER } from './odd-files';

/** A program that leaves a mark wherever it is called, and passes its input on. */
function recorder(t: Stage, name: string): { path: string; calls: () => string[] } {
  const path = t.freePath(name);
  const mark = `${path}.calls`;
  mkdirSync(join(path, '..'), { recursive: true });
  const place = new Place(join(path, '..'), join(path, '..'), false, t.scratch);
  place.write(path.slice(place.path.length + 1), `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`);
  chmodSync(path, 0o755);
  return {
    path,
    calls: () => (existsSync(mark) ? readFileSync(mark, 'utf8').split('\n').filter(Boolean) : []),
  };
}

const HOOKS = [
  'applypatch-msg',
  'pre-applypatch',
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-rebase',
  'post-checkout',
  'post-merge',
  'pre-push',
  'pre-auto-gc',
  'post-rewrite',
  'sendemail-validate',
  'fsmonitor-watchman',
  'post-index-change',
  'reference-transaction',
  'post-update',
];

const NAMES = ['a b.txt', 's.sql', '日本.txt'] as const;

/** Settings that change what `git diff` prints for its user. */
const DIFF_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['diff.external', 'false'],
  ['diff.noprefix', 'true'],
  ['diff.mnemonicPrefix', 'true'],
  ['color.ui', 'always'],
  ['diff.algorithm', 'patience'],
  ['diff.renames', 'false'],
  ['core.quotepath', 'true'],
  ['diff.context', '9'],
  ['diff.interHunkContext', '20'],
  ['diff.ignoreSubmodules', 'all'],
  ['diff.orderFile', '/nowhere'],
  ['diff.wordRegex', '.'],
  ['diff.suppressBlankEmpty', 'true'],
  ['diff.statGraphWidth', '1'],
  ['diff.indentHeuristic', 'false'],
  ['diff.submodule', 'log'],
  ['core.attributesFile', '/nowhere'],
  ['core.abbrev', '40'],
];

export const gitSettings: readonly Situation[] = [
  {
    id: 'G11',
    when: 'split index, untracked cache, an fsmonitor that leaves a mark: each, and all',
    says: 'M a; no mark is left',
    async steps(t) {
      const monitor = recorder(t, 'fsmonitor');
      const settings = {
        'split index': 'git update-index --split-index; echo 2 > b; git add b',
        'untracked cache': 'git config core.untrackedCache true; git status >/dev/null',
        fsmonitor: `git config core.fsmonitor '${monitor.path}'`,
      };
      for (const [name, script] of [
        ...Object.entries(settings),
        ['all', Object.values(settings).join('; ')],
      ] as const) {
        const repo = await t.repository({ a: '1\n', b: '1\n' });
        repo.write('u', '1\n');
        await repo.sh(script);
        t.rows(await t.run(repo, 'echo 2 >> a'), ['M a +1 −0'], `rows with ${name}`);
        t.rows(await t.run(repo, 'echo 2 >> u; echo 1 > v'), ['M u +1 −0', 'A v +1 −0'], `untracked rows with ${name}`);
      }
      t.equal('calls of the fsmonitor', [], monitor.calls());
    },
  },
  {
    id: 'G13',
    when: 'core.autocrlf=true, a file of 50 CRLF lines; one line changed',
    says: 'M f +1 −1',
    async steps(t) {
      const crlf = lines(50).replaceAll('\n', '\r\n');
      const repo = (await t.repository({ x: '1\n' })).watched({ sameBytes: false });
      await repo.git('config', 'core.autocrlf', 'true');
      repo.write('f', crlf);
      repo.write('untracked', crlf);
      await repo.sh('git add f 2>/dev/null; git commit -qm crlf');
      const record = await t.run(repo, "sed -i.bak 's/^line 7\\r/line seven\\r/' f untracked; rm -f *.bak");
      t.rows(record, ['M f +1 −1', 'M untracked +1 −1']);
    },
  },
  {
    id: 'G14',
    when: 'a file of 50 LF lines rewritten with CRLF',
    says: 'M f +50 −50, line endings lf → crlf (50)',
    async steps(t) {
      const repo = await t.repository({ f: lines(50), g: lines(3) });
      const record = await t.run(repo, "sed -i.bak 's/$/\\r/' f; rm f.bak");
      t.rows(record, ['M f +50 −50 line endings lf → crlf (50)']);
      const back = await t.run(repo, "tr -d '\\r' < f > f2; mv f2 f; printf 'line 1\\nline 2\\nline 3' > g");
      t.rows(back, ['M f +50 −50 line endings crlf → lf (50)', 'M g +1 −1']);
    },
  },
  {
    id: 'G16',
    when: 'textconv, diff, merge and filter drivers whose commands leave a mark; -diff, binary',
    says: 'M with the counts of the content; no mark is left',
    async steps(t) {
      const driver = recorder(t, 'driver');
      const attributes =
        '*.conv diff=conv\n*.cust diff=custom\n*.filt filter=f\n*.merg merge=m\n*.bin binary\n*.off -diff\n*.txt text working-tree-encoding=UTF-8\n';
      const files = ['a.conv', 'a.cust', 'a.filt', 'a.merg', 'a.bin', 'a.off', 'a.txt'];
      const repo = await t.repository({
        '.gitattributes': attributes,
        ...Object.fromEntries(files.map((name) => [name, `${name}\n`])),
      });
      await repo.sh(
        `git config diff.conv.textconv '${driver.path}'; git config diff.conv.cachetextconv true; git config diff.custom.command '${driver.path}'; git config diff.custom.xfuncname x; git config filter.f.clean '${driver.path}'; git config filter.f.smudge '${driver.path}'; git config filter.f.process '${driver.path}'; git config merge.m.driver '${driver.path}'`,
      );
      repo.watched({ status: false, apply: false });
      const record = await t.run(
        repo,
        `for f in ${files.join(' ')}; do echo 2 >> $f; done; echo 1 > new.conv; echo 1 > new.filt`,
      );
      const expected = [...files, 'new.conv', 'new.filt'].map((name) =>
        name.startsWith('new') ? `A ${name} +1 −0` : `M ${name} +1 −0`,
      );
      t.rows(
        record,
        expected.sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1)),
      );
      t.equal('calls of the drivers', [], driver.calls());
    },
  },
  {
    id: 'G17',
    when: 'each of 18 settings that change what git diff prints, and GIT_EXTERNAL_DIFF',
    says: 'the same rows and the same patch every time',
    async steps(t) {
      const script =
        "echo 2 >> 'a b.txt'; echo '-- 2' >> s.sql; echo 2 >> 日本.txt; mv dir/long moved; sed -i.bak 's/^middle 10$/changed/' far; rm far.bak";
      const build = () =>
        t.repository({
          ...Object.fromEntries(NAMES.map((name) => [name, '-- 1\n'])),
          'dir/long': lines(30, 'long'),
          far: lines(40, 'middle'),
        });
      const outcome = async (repo: Place) => {
        const record = await t.run(repo, script);
        const patch = record.change ? Buffer.from((await t.door.patch(record.change)).bytes).toString() : '';
        return `${record.rows.map(rowText).join('\n')}\n${patch}`;
      };
      const plain = await outcome(await build());
      const rows = ['M a b.txt +1 −0', 'M far +1 −1', 'R dir/long → moved +0 −0', 'M s.sql +1 −0', 'M 日本.txt +1 −0'];
      t.equal('rows without any setting', rows.join('\n'), plain.split('\n').slice(0, rows.length).join('\n'));
      for (const [name, value] of DIFF_SETTINGS) {
        const repo = await build();
        await repo.git('config', name, value);
        t.equal(`with ${name}=${value}`, plain, await outcome(repo));
      }
      const home = t.folder({}, 'home');
      const own = DIFF_SETTINGS.map(([name, value]) => `[${name.split('.')[0]}]\n\t${name.split('.')[1]} = ${value}\n`);
      home.write('.gitconfig', `${readFileSync(join(t.scratch.home, '.gitconfig'), 'utf8')}${own.join('')}`);
      await t.ownServer({
        env: { HOME: home.path, GIT_EXTERNAL_DIFF: 'false', GIT_DIFF_OPTS: '-u9', GIT_PAGER: 'false' },
      });
      t.equal('with all of them for the user, and GIT_EXTERNAL_DIFF', plain, await outcome(await build()));
    },
  },
  {
    id: 'G18',
    when: 'a server started with GIT_DIR, GIT_INDEX_FILE … of another repository',
    says: 'the right rows; the other repository is as it was',
    async steps(t) {
      const other = await t.repository({ o: '1\n' }, 'other');
      await other.sh('echo dirty >> o; echo u > u');
      const before = takeImprint([other.path]);
      await t.ownServer({
        env: {
          GIT_DIR: other.at('.git'),
          GIT_INDEX_FILE: other.at('.git/index'),
          GIT_WORK_TREE: other.path,
          GIT_OBJECT_DIRECTORY: other.at('.git/objects'),
          GIT_COMMON_DIR: other.at('.git'),
          GIT_NAMESPACE: 'other',
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: 'core.bare',
          GIT_CONFIG_VALUE_0: 'true',
        },
      });
      const repo = await t.repository({ a: '1\n' });
      t.rows(await t.run(repo, 'echo 2 >> a; echo 1 > n'), ['M a +1 −0', 'A n +1 −0']);
      const folder = t.folder({ p: '1\n' });
      t.rows(await t.run(folder, 'echo 2 >> p'), ['M p +1 −0'], 'rows of a plain folder');
      t.equal('what differs in the other repository', [], imprintDifferences(before, takeImprint([other.path])));
    },
  },
  {
    id: 'G19',
    when: 'commit.gpgsign with a program, core.hooksPath and .git/hooks, here and in a submodule: all leave a mark',
    says: 'rows; no call is recorded',
    async steps(t) {
      const gpg = recorder(t, 'gpg');
      const hook = recorder(t, 'hook');
      const monitor = recorder(t, 'monitor');
      const hooks = t.folder({}, 'hooks');
      for (const name of HOOKS) symlinkSync(hook.path, hooks.at(name));
      const library = await t.repository({ f: '1\n', 'f.filt': '1\n' }, 'library');
      const repo = await t.repository({ a: '1\n' });
      await repo.sh(`git submodule --quiet add '${library.path}' sub; git commit -qm sub`);
      const arm = `git config commit.gpgsign true; git config gpg.program '${gpg.path}'; git config core.fsmonitor '${monitor.path}'; git config core.sshCommand '${hook.path}'; git config core.pager '${hook.path}'; git config core.editor '${hook.path}'; git config filter.f.clean '${hook.path}'; git config core.hooksPath '${hooks.path}'; d=$(git rev-parse --git-dir); mkdir -p $d/info; echo '*.filt filter=f' > $d/info/attributes; rm -rf $d/hooks; cp -R '${hooks.path}' $d/hooks`;
      await repo.sh(`cd sub; ${arm}`);
      await repo.sh(arm);
      repo.watched({ status: false, apply: false });
      t.rows(await t.run(repo, 'echo 2 >> a; echo 2 >> sub/f; echo 2 >> sub/f.filt; echo n > n.filt'), [
        'M a +1 −0',
        'A n.filt +1 −0',
        'M sub/f +1 −0',
        'M sub/f.filt +1 −0',
      ]);
      t.equal('calls', [], [...gpg.calls(), ...hook.calls(), ...monitor.calls()]);
    },
  },
  {
    id: 'G21',
    when: 'a repository that belongs to another user',
    says: 'rows by snapshot, no gap',
    async steps(t) {
      if (process.getuid?.() !== 0) t.skip('only root can give a folder to another user');
      const repo = await t.repository({ a: '1\n' });
      await mustRun('chown', ['-R', `${STRANGER}:${STRANGER}`, repo.path], { cwd: '/', env: t.scratch.env });
      const record = await t.run(repo, 'echo 2 >> a; echo 1 > n');
      t.rows(record, ['M a +1 −0', 'A n +1 −0']);
      t.equal(
        'evidence',
        [['snapshot'], ['snapshot']],
        record.rows.map((file) => file.evidence),
      );
      t.gaps(record, []);
    },
  },
  {
    id: 'G22',
    when: 'a server whose PATH holds no git; edits in a repository',
    says: 'rows, and the note that there is no git',
    async steps(t) {
      const empty = t.folder({}, 'no-git');
      for (const program of ['sh', 'curl']) {
        for (const place of ['/bin', '/usr/bin']) {
          if (existsSync(join(place, program)) && !existsSync(empty.at(program)))
            symlinkSync(join(place, program), empty.at(program));
        }
      }
      await t.ownServer({ env: { PATH: empty.path } });
      const repo = await t.repository({ a: '1\n', old: lines(30), 'x.bin': Buffer.from([1, 0]) });
      const record = await t.run(
        repo,
        "echo 2 >> a; echo 1 > n; mv old new; printf '\\0\\0\\0' > x.bin; mkdir d; echo 1 > d/e",
      );
      t.rows(record, ['M a +1 −0', 'A d/e +1 −0', 'A n +1 −0', 'R old → new +0 −0', 'M x.bin binary']);
      t.gaps(record, ['git_missing']);
      const folder = t.folder({ p: '1\n' });
      t.rows(await t.run(folder, 'echo 2 >> p'), ['M p +1 −0'], 'rows of a plain folder');
    },
  },
  {
    id: 'G23',
    when: 'a bare repository, a .git file that leads nowhere, a broken HEAD, index or config',
    says: 'rows, with a note',
    async steps(t) {
      const breakages = {
        'a .git file that leads nowhere': 'rm -rf .git; echo "gitdir: /nowhere/at/all" > .git',
        'a .git file of garbage': 'rm -rf .git; echo garbage > .git',
        'an empty .git folder': 'rm -rf .git; mkdir .git',
        'a broken HEAD': 'echo garbage > .git/HEAD',
        'a broken config': 'echo "[garbage" > .git/config',
        'a broken index': 'echo garbage > .git/index',
      };
      // The first is no repository at all to git; the second may be read without its index.
      const noteless = ['an empty .git folder', 'a broken index'];
      for (const [name, script] of Object.entries(breakages)) {
        const repo = await t.repository({ a: '1\n', 'src/b': '1\n' });
        await repo.sh(script);
        repo.watched({ fsck: false, apply: false, status: false });
        const record = await t.run(repo, 'echo 2 >> a; echo 2 >> src/b; echo 1 > n');
        t.rows(record, ['M a +1 −0', 'A n +1 −0', 'M src/b +1 −0'], `rows with ${name}`);
        if (noteless.includes(name)) continue;
        t.equal(
          `a note with ${name}`,
          true,
          (record.change?.gaps ?? []).some((gap) => gap.reason === 'git_refused'),
        );
      }
      const bare = t.repositoryAt(t.freePath('bare'));
      await bare.sh('git init -q --bare .');
      bare.watched({ status: false, apply: false });
      const record = await t.run(bare, 'echo text > notes.txt; echo more >> description');
      t.rows(record, ['M description +1 −0', 'A notes.txt +1 −0'], 'rows in a bare repository');
      t.equal(
        'a note in a bare repository',
        true,
        (record.change?.gaps ?? []).some((gap) => gap.reason === 'git_refused'),
      );
    },
  },
  {
    id: 'G24',
    when: 'a repository of 100,000 files; one edited',
    says: 'M d7/f700; nobody waits long',
    isLarge: true,
    async steps(t) {
      const origin = await importFiles(t, 100_000);
      const repo = t.repositoryAt(t.freePath('many')).watched({ imprint: 'git', apply: false, status: false });
      await repo.git('clone', '-q', origin, '.');
      t.rows(await t.run(repo, 'echo 2 >> d7/f700'), ['M d7/f700 +1 −0']);
      t.rows(await t.run(repo, 'echo 3 >> d7/f700; echo 1 > d8/new'), ['M d7/f700 +1 −0', 'A d8/new +1 −0']);
    },
  },
  {
    id: 'G32',
    when: 'a filter on *.bin as LFS has it, its command missing; k.bin touched, then edited',
    says: 'no row; then M with the true sizes',
    async steps(t) {
      for (const required of ['false', 'true']) {
        const repo = await t.repository({ '.gitattributes': '*.bin filter=lfs\n', a: '1\n' });
        const pointer = 'version https://git-lfs.github.com/spec/v1\\noid sha256:00\\nsize 12\\n';
        await repo.sh(
          `git config filter.lfs.clean "printf '${pointer}'"; printf 'real content' > k.bin; git add k.bin; git commit -qm lfs; git config filter.lfs.clean git-lfs-that-is-missing; git config filter.lfs.smudge git-lfs-that-is-missing; git config filter.lfs.process git-lfs-that-is-missing; git config filter.lfs.required ${required}`,
        );
        repo.watched({ status: false, apply: false });
        t.rows(await t.run(repo, 'sleep 0.02; touch k.bin'), [], `rows of a touch, required=${required}`);
        const after = 'real content, and more of it';
        const record = await t.run(repo, `printf '${after}' > k.bin`);
        t.equal(
          `rows, required=${required}`,
          ['modified k.bin'],
          record.rows.map((file) => `${file.change_type} ${file.path}`),
        );
        t.equal('sizes', [12, after.length], [record.rows[0]?.size_before, record.rows[0]?.size_after]);
      }
    },
  },
];
