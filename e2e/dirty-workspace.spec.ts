import { expect, test } from './fixtures';
import { lines } from './support/repository';
import { expectRows } from './support/session-page';

test('what was dirty before shows only what the run did to it', async ({ repositories, startSession }) => {
  const repository = repositories({ 'dirty.txt': lines(20), 'edited.txt': lines(20), 'clean.txt': lines(5) });
  repository.write({
    'dirty.txt': lines(20).replace('line 2\n', 'mine\n'),
    'edited.txt': lines(20).replace('line 2\n', 'mine\n').replace('line 3\n', ''),
    'untracked.txt': 'mine too\n',
  });
  const before = repository.imprint();
  const session = await startSession(repository.path);
  await session.sayAndWait("sed -i 's/^line 15$/the run/' edited.txt");
  const block = session.block(1);
  await expect(block).toHaveAccessibleName('Changed 1 file, run 1');
  await expectRows(block, ['modified edited.txt, 1 addition, 1 deletion']);
  await block.getByRole('button', { name: /edited\.txt/ }).click();
  await expect(block.getByText('the run', { exact: true })).toBeVisible();
  await expect(block.getByText('mine', { exact: true })).toHaveCount(0);
  // The command itself made the file differ; capture left everything else as it was.
  expect({ ...repository.imprint(), status: '' }).toEqual({ ...before, status: '' });
});

test('a command that edits and commits shows its edits', async ({ repositories, startSession }) => {
  const repository = repositories({ 'a.txt': lines(9) });
  const session = await startSession(repository.path);
  await session.sayAndWait("sed -i 's/^line 5$/five/' a.txt && git commit -qam done");
  await expect(session.block(1)).toHaveAccessibleName('Changed 1 file, run 1');
  await expectRows(session.block(1), ['modified a.txt, 1 addition, 1 deletion']);
  expect(repository.git('status', '--porcelain')).toBe('');
});

test('a checkout is no work of the run', async ({ repositories, startSession }) => {
  const repository = repositories({ 'a.txt': lines(9), 'b.txt': lines(3) });
  repository.git('switch', '--quiet', '--create', 'other');
  repository.write({ 'a.txt': lines(12), 'new.txt': 'x\n' });
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=other');
  repository.git('switch', '--quiet', 'main');
  const session = await startSession(repository.path);
  await session.sayAndWait('git switch -q other');
  await expect(session.block(1)).toHaveAccessibleName('No files changed, 2 came with git, run 1');
  await expect(session.block(1)).toContainText('main → other');
});

test('a run that changes nothing has no block', async ({ repositories, startSession }) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const session = await startSession(repository.path);
  const run = await session.sayAndWait('cat a.txt');
  await expect(run.getByText('Exited with status 0')).toBeVisible();
  await expect(session.block(1)).toHaveCount(0);
});

test('a folder without git is recorded just so', async ({ repositories, startSession }) => {
  const folder = repositories({ 'notes.md': lines(4), 'list.txt': lines(2) }, { git: false });
  const session = await startSession(folder.path);
  await session.sayAndWait("sed -i 's/^line 2$/two/' notes.md && rm list.txt && echo new > more.txt");
  await expect(session.block(1)).toHaveAccessibleName('Changed 3 files, run 1');
  await expectRows(session.block(1), [
    'deleted list.txt, 2 deletions',
    'added more.txt, 1 addition',
    'modified notes.md, 1 addition, 1 deletion',
  ]);
});
