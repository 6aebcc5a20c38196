import { expect, test } from './fixtures';
import { lines } from './support/repository';
import { expectRows } from './support/session-page';

test('the page of a run says how it went, leads to its neighbours, and shows the session first to last', async ({
  page,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'a.txt': lines(9), 'b.txt': lines(9), 'gone.txt': 'x\n' });
  const session = await startSession(repository.path);
  await session.sayAndWait(
    "sed -i 's/^line 2$/two/' a.txt && sed -i 's/^line 9$/nine/' b.txt && rm gone.txt && echo 1 > c.txt",
  );
  await session.sayAndWait("sed -i 's/^two$/line 2/' a.txt && echo more >> b.txt && mv c.txt d.txt");
  repository.write({ 'b.txt': `by hand\n${repository.read('b.txt')}` });
  await session.sayAndWait('echo last > e.txt; exit 4');

  await session.block(2).getByRole('link', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Run 2' })).toBeVisible();
  const block = page.getByRole('region', { name: /^Changed / });
  await expectRows(block, [
    'modified a.txt, 1 addition, 1 deletion',
    'modified b.txt, 1 addition, has changed since',
    'renamed c.txt to d.txt, no line changes',
  ]);
  await expect(page.getByText('compared with the start of this run').first()).toBeVisible();

  await page.getByRole('link', { name: 'Next run' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Run 3' })).toBeVisible();
  await expect(page.getByText('failed', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Next run' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Previous run' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Run 2' })).toBeVisible();
  await page.getByRole('link', { name: 'Previous run' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Run 1' })).toBeVisible();

  await page.getByRole('link', { name: 'Call by call' }).click();
  await expect(page.getByText('This call is the whole run')).toBeVisible();

  await page.getByRole('link', { name: 'The whole session' }).click();
  await expect(page.getByText('The state before the first run of this session')).toBeVisible();
  await expectRows(block, [
    'modified b.txt, 3 additions, 1 deletion',
    'added d.txt, 1 addition',
    'added e.txt, 1 addition',
    'deleted gone.txt, 1 deletion',
  ]);
  await block.getByRole('button', { name: /b\.txt/ }).click();
  for (const text of ['by hand', 'nine', 'more']) await expect(block.getByText(text, { exact: true })).toBeVisible();
  await expect(block.getByText('compared with the start of the first run of this session')).toBeVisible();
});

test('what a session took back is not in its first to last, and its patch applies', async ({
  client,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'a.txt': lines(9), 'keep.txt': lines(3) });
  const session = await startSession(repository.path);
  await session.sayAndWait("echo x >> a.txt && sed -i 's/^line 1$/one/' keep.txt");
  await session.sayAndWait("sed -i '$d' a.txt && echo end >> keep.txt");
  const answer = await client.request('GET', `/api/sessions/${session.id}/first-to-last`);
  const { change } = JSON.parse(Buffer.from(answer.bytes).toString());
  expect(change.files.map(({ path }: { path: string }) => path)).toEqual(['keep.txt']);
  expect([change.additions, change.deletions]).toEqual([2, 1]);
  const patch = await client.request('GET', `/api/sessions/${session.id}/first-to-last/patch`);
  repository.git('checkout', '--quiet', '--', '.');
  repository.write({ 'all.patch': patch.bytes });
  repository.git('apply', 'all.patch');
  expect(repository.read('keep.txt')).toBe('one\nline 2\nline 3\nend\n');
  expect(repository.read('a.txt')).toBe(lines(9));
});
