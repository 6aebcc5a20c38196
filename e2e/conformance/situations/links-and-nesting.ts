/** Links, nested repositories and ignored files (CONFORMANCE 3b). */
import { symlinkSync } from 'node:fs';
import { lines, type Place } from '../place';
import type { Situation } from '../situation';
import type { Stage } from '../stage';

/** Three lines that no answer may hold. */
const SECRET = ['known-line-one 7Qx', 'known-line-two 8Ry', 'known-line-three 9Sz'];

/** A file outside every workspace, whose lines are watched for in every answer from now on. */
function secretOutside(t: Stage): Place {
  const outside = t.folder({ secret: `${SECRET.join('\n')}\n`, 'folder/inner': `${SECRET[0]}\n` }, 'outside');
  for (const line of SECRET) t.door.secrets.set(line, 'a line of the file outside');
  return outside;
}

export const linksAndNesting: readonly Situation[] = [
  {
    id: 'L1',
    when: 'links to a file outside made',
    says: 'A leak, its target as text, +1; the file outside is in no answer',
    async steps(t) {
      const outside = secretOutside(t);
      const repo = await t.repository({ a: '1\n', f: lines(3), 'd/x': '1\n' });
      const target = outside.at('secret');
      const record = await t.run(
        repo,
        `ln -s '${target}' leak; ln -s '${outside.at('folder')}' leak-folder; ln -s nowhere dangling`,
      );
      t.rows(record, ['A dangling +1 −0 link', 'A leak +1 −0 link', 'A leak-folder +1 −0 link']);
      const leak = record.rows.find((file) => file.path === 'leak');
      if (record.change && leak) {
        const comparison = await t.door.comparison(record.change, leak);
        t.equal('comparison', { kind: 'symlink', target_before: null, target_after: target }, comparison);
      }
      const replaced = await t.run(repo, `rm f; ln -s '${target}' f; rm -r d; ln -s '${outside.at('folder')}' d`);
      t.rows(replaced, ['A d +1 −0 link', 'D d/x +0 −1', 'M f +1 −3 became a link']);
      // A file tool that names the link writes through it: only the link's own text may be looked at.
      const run = await t.begin(repo);
      await run.call({ tool_call_id: 'write', tool: 'Write', kind: 'edit', paths: ['leak', 'leak-folder/inner'] }, () =>
        repo.sh('ln -sfn elsewhere leak'),
      );
      t.rows(await run.finish(), ['M leak +1 −1 link [tool]']);
    },
  },
  {
    id: 'L2',
    when: 'a link pointed elsewhere',
    says: 'M link, t1 → t2',
    async steps(t) {
      const repo = await t.repository({ t1: '1\n', t2: '2\n' });
      symlinkSync('t1', repo.at('link'));
      symlinkSync('t1', repo.at('untracked-link'));
      await repo.sh('git add link; git commit -qm link');
      const record = await t.run(repo, 'ln -sfn t2 link; ln -sfn t2 untracked-link');
      t.rows(record, ['M link +1 −1 link', 'M untracked-link +1 −1 link']);
      for (const file of record.rows) {
        if (!record.change) continue;
        const comparison = await t.door.comparison(record.change, file);
        t.equal(`targets of ${file.path}`, { kind: 'symlink', target_before: 't1', target_after: 't2' }, comparison);
      }
      t.rows(await t.run(repo, 'rm link'), ['D link +0 −1 link']);
    },
  },
  {
    id: 'N1',
    when: 'a repository inside, with a commit; a file in it edited',
    says: 'M n/f; the same for one two levels down, and one that is new',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      await repo.sh(
        'git init -q n; cd n; echo 1 > f; git add f; git commit -qm n; git init -q deep; cd deep; echo 1 > g; git add g; git commit -qm deep',
      );
      t.rows(await t.run(repo, 'echo 2 >> n/f'), ['M n/f +1 −0']);
      t.rows(await t.run(repo, 'echo 2 >> a; echo 2 >> n/deep/g; echo u > n/u'), [
        'M a +1 −0',
        'M n/deep/g +1 −0',
        'A n/u +1 −0',
      ]);
      const committed = await t.run(repo, 'cd n; echo 3 >> f; git commit -qam more; echo 4 >> f');
      t.rows(committed, ['M n/f +2 −0']);
      await repo.sh('git clone -q n ../origin-of-new');
      const cloned = await t.run(repo, 'git clone -q ../origin-of-new cloned; git init -q fresh; echo 1 > fresh/h');
      // What a clone brings came with git; what was written beside it did not.
      t.rows(cloned, ['A fresh/h +1 −0', 'A cloned/f +3 −0 [git]']);
      t.rows(await t.run(repo, 'echo 5 >> cloned/f; rm -rf fresh'), ['M cloned/f +1 −0', 'D fresh/h +0 −1']);
    },
  },
  {
    id: 'N2',
    when: 'a repository inside without any commit; a edited',
    says: 'M a; at most a note on n',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      await repo.sh('mkdir n; git init -q n; mkdir m; git init -q m; echo 1 > m/f');
      const record = await t.run(repo, 'echo 2 >> a');
      t.rows(record, ['M a +1 −0']);
      const others = (record.change?.gaps ?? []).filter(
        (gap) => !(gap.reason === 'nested_repository_unreadable' && gap.path === 'n'),
      );
      t.equal('gaps but for one on n', [], others);
      t.rows(await t.run(repo, 'echo 2 >> m/f; echo 1 > n/g'), ['M m/f +1 −0', 'A n/g +1 −0']);
    },
  },
  {
    id: 'N3',
    when: 'a submodule; a file in it edited, not committed',
    says: 'M sub/f; the same once committed inside',
    async steps(t) {
      const library = await t.repository({ f: '1\n', g: '1\n' }, 'library');
      const repo = await t.repository({ a: '1\n' });
      await repo.sh(`git submodule --quiet add '${library.path}' sub; git commit -qm sub`);
      t.rows(await t.run(repo, 'echo 2 >> sub/f'), ['M sub/f +1 −0']);
      t.rows(await t.run(repo, 'cd sub; echo 3 >> f; git commit -qam inside; echo u > u'), [
        'M sub/f +1 −0',
        'A sub/u +1 −0',
      ]);
      t.rows(await t.run(repo, 'git add sub; git commit -qm bump; echo 2 >> a; echo 2 >> sub/g'), [
        'M a +1 −0',
        'M sub/g +1 −0',
      ]);
    },
  },
  {
    id: 'N5',
    when: 'a plain folder with two repositories and a file of its own',
    says: 'three rows',
    async steps(t) {
      const folder = t.folder({ 'notes.md': '1\n' });
      await folder.sh('for r in r1 r2; do git init -q $r; (cd $r; echo 1 > f; git add f; git commit -qm $r); done');
      t.rows(await t.run(folder, 'echo 2 >> notes.md; echo 2 >> r1/f; echo 2 >> r2/f'), [
        'M notes.md +1 −0',
        'M r1/f +1 −0',
        'M r2/f +1 −0',
      ]);
      t.rows(
        await t.run(folder, 'cd r1; echo 3 >> f; git commit -qam x; echo n > ../new; git -C ../r2 checkout -q f'),
        ['A new +1 −0', 'M r1/f +1 −0', 'M r2/f +0 −1'],
      );
    },
  },
  {
    id: 'I1',
    when: 'an ignored .env changed by a command',
    says: 'M .env, ignored; values hidden on share pages',
    async steps(t) {
      const repo = await t.repository({ '.gitignore': '.env\n*.local\n', a: '1\n' });
      repo.write('.env', 'MODE=one\nPASSWORD=first-Zq81kP0s\n');
      const record = await t.run(
        repo,
        "printf 'MODE=one\\nPASSWORD=second-Xw72mN4t\\n' > .env; echo KEY=1 > app.local",
      );
      t.rows(record, ['M .env +1 −1 ignored', 'A app.local +1 −0 ignored']);
      await checkShareHides(t, record.run.id, ['first-Zq81kP0s', 'second-Xw72mN4t']);
      t.rows(await t.run(repo, 'rm .env; echo 2 >> a'), ['D .env +0 −2 ignored', 'M a +1 −0']);
    },
  },
  {
    id: 'I2',
    when: 'a new file, and the same run makes .gitignore cover it',
    says: 'both rows',
    async steps(t) {
      const repo = await t.repository({ '.gitignore': 'other\n', a: '1\n' });
      repo.write('old.txt', '1\n');
      const record = await t.run(
        repo,
        'echo new.txt >> .gitignore; echo old.txt >> .gitignore; echo 1 > new.txt; echo 2 >> old.txt',
      );
      const paths = record.rows.map((file) => `${file.change_type} ${file.path} +${file.additions} −${file.deletions}`);
      t.equal('rows', ['modified .gitignore +2 −0', 'added new.txt +1 −0', 'modified old.txt +1 −0'], paths);
      const folder = await t.repository({ a: '1\n' });
      const whole = await t.run(folder, 'mkdir gen; echo 1 > gen/x; echo gen/ > .gitignore');
      t.equal(
        'a whole folder that became ignored',
        true,
        whole.rows.some((file) => file.path === '.gitignore'),
      );
    },
  },
  {
    id: 'I3',
    when: 'a tracked file in an ignored folder edited',
    says: 'M dist/a.js',
    async steps(t) {
      const repo = await t.repository({ '.gitignore': 'dist/\n*.log\n' });
      await repo.sh(
        'mkdir dist; echo 1 > dist/a.js; echo 1 > kept.log; git add -f dist/a.js kept.log; git commit -qm forced',
      );
      t.rows(await t.run(repo, 'echo 2 >> dist/a.js; echo 2 >> kept.log; echo 1 > dist/b.js'), [
        'M dist/a.js +1 −0',
        'M kept.log +1 −0',
      ]);
    },
  },
  {
    id: 'I4',
    when: 'a burst of 50,000 files in an ignored node_modules',
    says: 'no rows from it',
    isLarge: true,
    async steps(t) {
      const repo = await t.repository({ '.gitignore': 'node_modules/\n', a: '1\n' });
      repo.watched({ imprint: 'git', apply: false });
      await repo.sh(
        'for p in $(seq 500); do mkdir -p node_modules/p$p; (cd node_modules/p$p; seq 50 | xargs touch); done',
      );
      const record = await t.run(
        repo,
        'for p in $(seq 500 999); do mkdir -p node_modules/p$p; (cd node_modules/p$p; seq 50 99 | xargs touch); done; echo 2 >> a',
      );
      t.rows(record, ['M a +1 −0']);
      t.gaps(record, []);
    },
  },
];

/** Shares a run and looks for values on everything that the share serves. */
async function checkShareHides(t: Stage, runId: string, values: string[]): Promise<void> {
  const shared = await t.door.share(runId);
  if (shared === null) {
    t.note('share pages: later');
    return;
  }
  t.equal('the owner is told what was masked', true, shared.masked.length > 0);
  for (const path of ['', '/changes', '/files', '/patch', '/export.json', '/export.md', '/export.html']) {
    const answer = await t.door.anonymous(`${shared.path}${path}`);
    t.equal(`the share answers at ${path || '/'}`, 200, answer.status);
    const text = Buffer.from(answer.bytes).toString();
    for (const value of values)
      t.equal(`${value} on the share at ${path || '/'}`, 'hidden', text.includes(value) ? 'shown' : 'hidden');
  }
  const { files } = await t.door.sharedFiles(shared.path);
  for (const file of files) {
    for (const path of [
      `/files/${file.id}`,
      `/files/${file.id}/comparison?context=all`,
      `/files/${file.id}/content?side=after`,
    ]) {
      const text = Buffer.from((await t.door.anonymous(`${shared.path}${path}`)).bytes).toString();
      for (const value of values)
        t.equal(`${value} on the share at ${path}`, 'hidden', text.includes(value) ? 'shown' : 'hidden');
    }
  }
}
