/** States that a repository can be in, and moves of git before, between and during runs (CONFORMANCE 3c). */
import type { RunRecord } from '../invariants';
import { lines } from '../place';
import { rowText } from '../row-text';
import type { Situation } from '../situation';
import { cloneBehind } from './git-clones';
import { asAnother, flicker, listenOn } from './odd-files';

/** Paths that a record says it could not read. */
function unreadable({ change }: RunRecord): string[] {
  const gaps = (change?.gaps ?? []).filter((gap) => gap.reason === 'file_unreadable');
  return gaps.flatMap((gap) => (gap.path ?? gap.detail ?? `${gap.count} files`).split(', ')).sort();
}

export const gitStates: readonly Situation[] = [
  {
    id: 'G1',
    when: 'git init without any commit; s edited, n new',
    says: 'M s +1, A n +1',
    async steps(t) {
      const repo = t.repositoryAt(t.freePath('unborn'));
      await repo.sh('git init -q; echo 1 > s; echo 1 > staged; git add staged');
      t.rows(await t.run(repo, 'echo 2 >> s; echo 1 > n'), ['A n +1 −0', 'M s +1 −0']);
      const first = await t.run(repo, 'echo 2 >> staged; git add -A; git commit -qm first');
      t.rows(first, ['M staged +1 −0']);
      t.equal(
        'moves',
        ['commit 1'],
        first.change?.git?.moves.map(({ action, commits }) => `${action} ${commits}`),
      );
    },
  },
  {
    id: 'G2',
    when: 'a merge, rebase or cherry-pick stopped on a conflict, and a file of the user; a is resolved',
    says: 'M a alone; the conflict stays as it was',
    async steps(t) {
      for (const command of ['merge', 'rebase', 'cherry-pick']) {
        const repo = await t.repository({ a: '1\n', u: '1\n' });
        await repo.sh(
          `git checkout -q -b other; echo theirs > a; git commit -qam theirs; git checkout -q main; echo ours > a; git commit -qam ours; git ${command} other >/dev/null 2>&1 || true; echo mine >> u`,
        );
        const record = await t.run(repo, 'echo resolved > a');
        t.rows(record, ['M a +1 −5'], `rows amid a ${command}`);
        t.equal(`git amid a ${command}`, true, (await repo.git('status', '--porcelain')).includes('UU a'));
      }
    },
  },
  {
    id: 'G4',
    when: 'a detached HEAD; an edit, committed',
    says: 'M a',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      await repo.sh('echo 2 >> a; git commit -qam second; git checkout -q HEAD^');
      const record = await t.run(repo, 'echo x >> a; git commit -qam third');
      t.rows(record, ['M a +1 −0']);
      t.equal('branches', [null, null], [record.change?.git?.branch_before, record.change?.git?.branch_after]);
    },
  },
  {
    id: 'G5',
    when: 'git checkout other, which has b',
    says: 'main → other; b came with git: 0 changed, 1 moved',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      await repo.sh('git checkout -q -b other; echo 1 > b; git add b; git commit -qm b; git checkout -q main');
      const record = await t.run(repo, 'git checkout -q other');
      t.rows(record, ['A b +1 −0 [git]']);
      t.equal('changed and moved', [0, 1], [record.change?.changed_count, record.change?.git?.moved_count]);
      const moves = record.change?.git?.moves.map(
        ({ action, from_name, to_name }) => `${action} ${from_name} → ${to_name}`,
      );
      t.equal('moves', ['checkout main → other'], moves);
      const back = await t.run(repo, 'git switch -q main; echo 2 >> a');
      t.rows(back, ['M a +1 −0', 'D b +0 −1 [git]']);
      // A file that was dirty at the start and that a reset changed is an edit, with the move beside it.
      const reset = await t.run(repo, 'git reset -q --hard');
      t.rows(reset, ['M a +0 −1']);
      // A switch there and back leaves no row, but it was a move.
      const bothWays = await t.run(repo, 'git checkout -q other; git checkout -q main');
      t.equal('moves there and back', 2, bothWays.change?.git?.moves.length);
      t.equal('rows there and back', [], bothWays.rows.map(rowText));
      await repo.sh('echo dirty >> a');
      const stashed = await t.run(repo, 'git stash -q');
      t.rows(stashed, ['M a +0 −1']);
    },
  },
  {
    id: 'G6',
    when: 'a clone behind its origin by 133 commits; git pull between two runs, the second does nothing',
    says: 'no card',
    async steps(t) {
      const { clone } = await cloneBehind(t, 133);
      t.rows(await t.run(clone, 'echo 2 >> other'), ['M other +1 −0']);
      await clone.sh('git pull -q');
      t.rows(await t.run(clone, 'true'), []);
      t.rows(await t.run(clone, 'echo 3 >> other'), ['M other +1 −0']);
    },
  },
  {
    id: 'G7',
    when: 'the same clone; during the run git pull, and a edited',
    says: 'M a; the pull as one move, its 133 files of origin git',
    async steps(t) {
      const { clone, origin } = await cloneBehind(t, 133);
      clone.watched({ alsoUntouched: [origin] });
      const record = await t.run(clone, 'git pull -q; echo 6 >> a');
      t.equal('rows of the run', ['M a +1 −0'], record.rows.filter(({ origin: by }) => by !== 'git').map(rowText));
      t.equal('rows of git', 133, record.rows.filter(({ origin: by }) => by === 'git').length);
      t.equal('changed and moved', [1, 133], [record.change?.changed_count, record.change?.git?.moved_count]);
      t.equal(
        'moves',
        ['pull'],
        record.change?.git?.moves.map(({ action }) => action),
      );
    },
  },
  {
    id: 'G9',
    when: 'a linked worktree; an edit there',
    says: 'M a; the main checkout untouched',
    async steps(t) {
      const main = await t.repository({ a: '1\n' });
      await main.sh('echo mine >> a');
      const tree = t.repositoryAt(t.freePath('worktree'));
      await main.git('worktree', 'add', '-q', '-b', 'side', tree.path);
      tree.watched({ alsoUntouched: [main.path] });
      t.rows(await t.run(tree, 'echo 2 >> a'), ['M a +1 −0']);
      t.rows(await t.run(tree, 'git commit -qam side; echo n > n'), ['A n +1 −0']);
      t.equal('the main checkout', '1\nmine\n', main.read('a').toString());
      t.rows(await t.run(main, 'echo 3 >> a'), ['M a +1 −0']);
    },
  },
  {
    id: 'G12',
    when: 'a marked assume-unchanged, b skip-worktree, c outside a sparse checkout',
    says: 'M a, M b, A out/c',
    async steps(t) {
      const repo = await t.repository({ a: '1\n', b: '1\n', quiet: '1\n' });
      await repo.sh('git update-index --assume-unchanged a; git update-index --skip-worktree b quiet');
      t.rows(await t.run(repo, 'echo 2 >> a; echo 2 >> b'), ['M a +1 −0', 'M b +1 −0']);
      t.rows(await t.run(repo, 'rm b; echo 3 >> a'), ['M a +1 −0', 'D b +0 −2']);
      for (const index of ['', '--sparse-index']) {
        const sparse = await t.repository({ 'in/x': '1\n', 'out/y': '1\n', top: '1\n' });
        await sparse.sh(`git sparse-checkout set --cone ${index} in`);
        const record = await t.run(sparse, 'echo 2 >> in/x; mkdir -p out; echo 1 > out/c');
        t.rows(record, ['M in/x +1 −0', 'A out/c +1 −0'], `rows of a sparse checkout ${index}`);
      }
    },
  },
  {
    id: 'G26',
    when: 'the workspace is pkg/ in a repository; pkg/a and other/b edited',
    says: 'M a and M ../other/b',
    async steps(t) {
      const repo = await t.repository({ 'pkg/a': '1\n', 'other/b': '1\n' });
      const record = await t.run(
        repo.inside('pkg'),
        'echo 2 >> a; echo 2 >> ../other/b; mkdir -p deep; echo 1 > deep/c',
      );
      t.rows(record, ['M ../other/b +1 −0', 'M a +1 −0', 'A deep/c +1 −0']);
    },
  },
  {
    id: 'G27',
    when: 'an unreadable file, a FIFO, a socket, a file that comes and goes; a edited',
    says: 'M a; could not read (1)',
    async steps(t) {
      const repo = await t.repository({ a: '1\n', locked: '1\n' });
      await repo.sh('mkfifo pipe; echo 1 > new-locked; chmod 000 new-locked');
      repo.watched({ apply: false });
      await listenOn(repo.at('socket'), async () => {
        if (process.getuid?.() === 0) await asAnother(t, repo.path);
        const record = await t.run(repo, 'echo 2 >> a');
        t.rows(record, ['M a +1 −0']);
        t.equal('could not read', ['new-locked'], unreadable(record));
        // A tracked one that became unreadable is not gone, and costs the others nothing.
        const later = await t.run(repo, 'echo 3 >> a; echo 2 >> locked; chmod 000 locked');
        t.equal(
          'a is listed',
          true,
          later.rows.some((file) => rowText(file) === 'M a +1 −0'),
        );
        t.equal(
          'no file is called deleted',
          [],
          later.rows.filter((file) => file.change_type === 'deleted').map(rowText),
        );
        t.equal('could not read', ['locked', 'new-locked'], unreadable(later));
        await repo.sh('chmod 644 locked new-locked');
      });
      const flickering = await t.repository({ a: '1\n' });
      flickering.watched({ imprint: 'git', apply: false, status: false, isStill: false });
      const stop = flicker(flickering.at('flickers'));
      try {
        for (const n of [2, 3, 4]) {
          const record = await t.run(flickering, `echo ${n} >> a`);
          t.equal(
            'a is listed beside a file that comes and goes',
            true,
            record.rows.some((file) => rowText(file) === 'M a +1 −0'),
          );
        }
      } finally {
        await stop();
      }
    },
  },
  {
    id: 'G28',
    when: 'a clone behind its origin; a edited and committed, git pull --rebase',
    says: 'M a; what was pulled came with git',
    async steps(t) {
      const { clone } = await cloneBehind(t, 12);
      const record = await t.run(clone, 'echo 6 >> a; git commit -qam mine; git pull -q --rebase');
      t.equal('rows of the run', ['M a +1 −0'], record.rows.filter(({ origin }) => origin !== 'git').map(rowText));
      t.equal('rows of git', 12, record.rows.filter(({ origin }) => origin === 'git').length);
      const again = await cloneBehind(t, 5);
      const merged = await t.run(again.clone, 'echo 6 >> a; git commit -qam mine; git pull -q --no-rebase --no-edit');
      t.equal(
        'rows of the run that merged',
        ['M a +1 −0'],
        merged.rows.filter(({ origin }) => origin !== 'git').map(rowText),
      );
      t.equal('rows of git when merged', 5, merged.rows.filter(({ origin }) => origin === 'git').length);
    },
  },
  {
    id: 'G29',
    when: 'a commit on a branch, then main checked out and the branch merged by fast-forward',
    says: 'M a',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      const record = await t.run(
        repo,
        'git checkout -q -b work; echo 2 >> a; git commit -qam work; git checkout -q main; git merge -q --ff-only work',
      );
      t.rows(record, ['M a +1 −0']);
      const merged = await t.run(
        repo,
        'git checkout -q -b more; echo 3 >> a; git commit -qam more; git checkout -q main; git merge -q --no-ff --no-edit more; git branch -q -d more',
      );
      t.rows(merged, ['M a +1 −0']);
    },
  },
  {
    id: 'G30',
    when: 'dist/ ignored; after a run the user adds dist/a.js by force and commits; the next run edits it',
    says: 'M dist/a.js',
    async steps(t) {
      const repo = await t.repository({ '.gitignore': 'dist/\n', a: '1\n' });
      repo.write('dist/a.js', '1\n');
      t.rows(await t.run(repo, 'echo 2 >> a'), ['M a +1 −0']);
      await repo.sh('git add -f dist/a.js; git commit -qm forced');
      t.rows(await t.run(repo, 'echo 2 >> dist/a.js'), ['M dist/a.js +1 −0']);
    },
  },
  {
    id: 'G31',
    when: '300 untracked files; after a run .gitignore covers them; the next run rewrites them all',
    says: 'no rows from them',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      for (let at = 0; at < 300; at += 1) repo.write(`gen/${at}`, `${at}\n`);
      t.rows(await t.run(repo, 'echo 2 >> a'), ['M a +1 −0']);
      repo.write('.gitignore', 'gen/\n');
      t.rows(await t.run(repo, 'for f in gen/*; do echo new > $f; done; echo 3 >> a'), ['M a +1 −0']);
    },
  },
  {
    id: 'G33',
    when: 'a staged file; after a run git rm --cached and git gc --prune=now; the next run edits a',
    says: 'M a',
    async steps(t) {
      const repo = await t.repository({ a: '1\n', b: '1\n' });
      await repo.sh('echo staged > s; git add s');
      t.rows(await t.run(repo, 'echo 2 >> b'), ['M b +1 −0']);
      await repo.sh('git rm -q --cached s; git gc -q --prune=now');
      t.rows(await t.run(repo, 'echo 2 >> a'), ['M a +1 −0']);
      await repo.sh(
        'git commit -qam two; git reset -q --hard HEAD^; git reflog expire --expire=now --all; git gc -q --prune=now',
      );
      t.rows(await t.run(repo, 'echo 3 >> a; echo 2 >> s'), ['M a +1 −0', 'M s +1 −0']);
    },
  },
  {
    id: 'G34',
    when: '1,100 files renamed, a line edited in each',
    says: '1,100 R rows',
    async steps(t) {
      const files = Object.fromEntries(
        Array.from({ length: 1100 }, (_, at) => [`old/${at}.txt`, lines(20, `word${at}`)]),
      );
      const repo = await t.repository(files);
      const record = await t.run(
        repo,
        'mkdir new; cd old; for f in *; do { cat $f; echo one more; } > ../new/$f; rm $f; done',
      );
      const kinds = new Map<string, number>();
      for (const file of record.rows) kinds.set(file.change_type, (kinds.get(file.change_type) ?? 0) + 1);
      t.equal('kinds of rows', { renamed: 1100 }, Object.fromEntries(kinds));
      t.equal('renamed and added lines', [1100, 1100], [record.change?.renamed_count, record.change?.additions]);
      const strayed = record.rows.filter((file) => file.old_path?.replace('old/', 'new/') !== file.path);
      t.equal('rows that pair other files', [], strayed.map(rowText));
    },
  },
];
