/** Capture leaves no mark in the user's repository, and though it stores nothing there, it reads there what git would. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

/** Path → what tells that a file was written, made or touched, of everything below a folder. */
function marksBelow(folder: string): Map<string, string> {
  const marks = new Map<string, string>();
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const { mtimeNs, ctimeNs, size, ino } = lstatSync(join(folder, name), { bigint: true });
    marks.set(name, `${ino} ${size} ${mtimeNs} ${ctimeNs}`);
  }
  return marks;
}

describe('no file of a repository gets another time', () => {
  /** The agent commits every state that the snapshot at the end stores: all of its objects are there already. */
  const commitAll = 'git add -A; git commit -qm agent; git checkout -q HEAD~1; git checkout -q -';

  test.each([
    ['loose', 'true'],
    ['packed', 'git gc -q'],
  ])('whose objects are %s', async (_, pack) => {
    const repo = testRepository({ 'a.txt': '1\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n' });
    const { span } = await watch(repo.path);
    for (const word of ['one', 'two']) {
      let marks = new Map<string, string>();
      const { rows } = await span(() => {
        repo.sh(`echo ${word} >> a.txt; cp a.txt src/${word}; ${commitAll}; ${pack}`);
        marks = marksBelow(repo.at('.git'));
      });
      expect(rows).toHaveLength(2);
      expect(marksBelow(repo.at('.git'))).toEqual(marks);
    }
  });

  test('that lies in another, or is a submodule of it', async () => {
    const library = testRepository({ l: '1\n' });
    const repo = testRepository({ a: '1\n' });
    repo.sh(`git -c protocol.file.allow=always submodule add -q '${library.path}' lib; git commit -qm sub`);
    repo.sh('git init -q inner; cd inner; echo i > i; git add .; git commit -qm i');
    const { span } = await watch(repo.path);
    let marks: Map<string, string>[] = [];
    const all = () => [marksBelow(repo.at('.git')), marksBelow(repo.at('inner/.git'))];
    const { rows } = await span(() => {
      repo.sh(`for d in lib inner; do (cd $d; echo 2 > new; ${commitAll}); done`);
      marks = all();
    });
    expect(rows).toContain('A lib/new +1 -0');
    expect(rows).toContain('A inner/new +1 -0');
    expect(all()).toEqual(marks);
  });

  test('that is a sparse checkout with a sparse index', async () => {
    const repo = testRepository({ 'in/x': '1\n', 'out/deep/y': '1\n', top: '1\n' });
    repo.sh('git sparse-checkout set --cone --sparse-index in');
    const marks = marksBelow(repo.at('.git'));
    const { span } = await watch(repo.path);
    const edit = () => repo.sh('echo 2 >> in/x; mkdir -p out; echo 1 >> out/c');
    expect((await span(edit)).rows).toEqual(['M in/x +1 -0', 'A out/c +1 -0']);
    expect(marksBelow(repo.at('.git'))).toEqual(marks);
    repo.sh('git commit -qam x; rm -r out; echo 3 >> top; git add top');
    const after = marksBelow(repo.at('.git'));
    const { rows } = await span(() => repo.sh('echo 3 >> in/x; mkdir out; echo 1 > out/d'));
    expect(rows).toEqual(['M in/x +1 -0', 'A out/d +1 -0']);
    expect(marksBelow(repo.at('.git'))).toEqual(after);
  });
});

describe('line ends that git chooses by what the index holds', () => {
  const crlf = 'one\r\ntwo\r\nthree\r\n';

  test.each([
    ['an attribute', { '.gitattributes': '* text=auto\n' }, 'true'],
    ['an attribute of a folder', { 'src/.gitattributes': '*.txt text=auto\n' }, 'true'],
    ['the setting', {}, 'git config core.autocrlf true'],
    ['the setting for input', {}, 'git config core.autocrlf input'],
  ])('stay as they are where %s says so', async (_, files, settings) => {
    const repo = testRepository({ 'src/w.txt': crlf, 'src/u.txt': 'one\n' });
    for (const [name, text] of Object.entries(files)) repo.write(name, text);
    repo.sh(`${settings}; git add .; git commit -qm settings --allow-empty`);
    const { span } = await watch(repo.path);
    const edit = () => repo.sh(String.raw`printf 'four\r\n' >> src/w.txt; echo two >> src/u.txt`);
    expect((await span(edit)).rows).toEqual(['M src/u.txt +1 -0', 'M src/w.txt +1 -0']);
    // A second time, when the index of the first is there.
    expect((await span(edit)).rows).toEqual(['M src/u.txt +1 -0', 'M src/w.txt +1 -0']);
    expect(repo.git('diff', '--numstat')).toBe('2\t0\tsrc/u.txt\n2\t0\tsrc/w.txt');
  });

  test('are told anew when a run writes the attributes', async () => {
    const repo = testRepository({ 'w.txt': crlf });
    const { span } = await watch(repo.path);
    await span(() => repo.sh(`echo '* text=auto' > .gitattributes`));
    const { rows } = await span(() => repo.sh(String.raw`printf 'four\r\n' >> w.txt`));
    expect(rows).toEqual(['M w.txt +1 -0']);
  });
});

test('a folder of which only the first commit is at hand, and no tree of it', async () => {
  const origin = testRepository({ 'a.txt': '1\n', 'src/b.txt': 'b\n' });
  const repo = testFolder();
  repo.sh(`git -C '${origin.path}' config uploadpack.allowFilter true`);
  repo.sh(`git clone -q --filter=blob:none 'file://${origin.path}' .; mv '${origin.path}' '${origin.path}-away'`);
  const { span } = await watch(repo.path);
  const { rows } = await span(() => repo.sh('echo 2 >> a.txt; echo n > src/n'));
  repo.sh(`mv '${origin.path}-away' '${origin.path}'`);
  expect(rows).toEqual(['M a.txt +1 -0', 'A src/n +1 -0']);
});

test('what was borrowed through the user’s index is read again when that names it no more', async () => {
  const repo = testRepository({ a: '1\n', c: '1\n' });
  repo.sh('echo staged > s; echo staged too >> c; git add s c');
  const { span } = await watch(repo.path);
  expect((await span(() => repo.sh('echo 2 >> a'))).rows).toEqual(['M a +1 -0']);
  // `s` leaves the index, `c` goes back in it alone, and nothing in the repository names their contents any more.
  repo.sh('git rm -q --cached s; git reset -q; git gc -q --prune=now');
  const { rows } = await span(() => repo.sh('echo 2 >> s; echo 2 >> c'));
  expect(rows).toEqual(['M c +1 -0', 'M s +1 -0']);
});
