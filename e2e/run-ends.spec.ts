import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { expectRows } from './support/session-page';

test('a command that fails says so, and still shows what it changed', async ({ repositories, startSession }) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const session = await startSession(repository.path);
  const run = await session.sayAndWait('echo b >> a.txt; echo oops >&2; exit 3');
  await expect(run.getByText('Failed', { exact: true })).toBeVisible();
  await expect(run).toContainText('exited with status 3');
  await expect(run).toContainText('oops');
  await expectRows(session.block(1), ['modified a.txt, 1 addition']);
});

test('Stop ends the command and all that it started, and shows what it changed until then', async ({
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const session = await startSession(repository.path);
  const run = await session.say(
    'echo b >> a.txt; (sleep 60; echo late >> a.txt) & echo $! > pid.txt; echo started; wait',
  );
  await expect(run.getByText('started', { exact: true })).toBeVisible();
  const pid = Number(readFileSync(join(repository.path, 'pid.txt'), 'utf8'));
  await session.stop.click();
  await session.untilIdle();
  await expect(run.getByText('Stopped', { exact: true })).toBeVisible();
  await expectRows(session.block(1), ['modified a.txt, 1 addition', 'added pid.txt, 1 addition']);
  expect(existsSync(`/proc/${pid}`) && !isZombie(pid)).toBe(false);
  expect(repository.read('a.txt')).toBe('a\nb\n');
});

test('Escape stops it too', async ({ repositories, startSession }) => {
  const repository = repositories({});
  const session = await startSession(repository.path);
  const run = await session.say('echo begun; sleep 60');
  await expect(run.getByText('begun', { exact: true })).toBeVisible();
  await session.message.press('Escape');
  await expect(run.getByText('Stopped', { exact: true })).toBeVisible();
});

test('a page that is reloaded while a run goes on shows it to its end, nothing twice', async ({
  page,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const session = await startSession(repository.path);
  await session.say('for i in $(seq 1 30); do echo "tick $i"; echo $i >> a.txt; sleep 0.1; done; echo over');
  const run = session.run(1);
  await expect(run.getByText(/tick 3\b/)).toBeVisible();
  await page.reload();
  await expect(session.stop).toBeVisible();
  await expect(run.getByText(/tick 12\b/)).toBeVisible();
  await page.reload();
  // Right after it no page is there yet, and so no Stop: the block says that the run ended.
  await expect(session.block(1)).toBeVisible({ timeout: 30_000 });
  await session.untilIdle();
  const output = run.locator('pre').last();
  await expect(output).toContainText('tick 30\nover');
  const shown = (await output.textContent()) ?? '';
  for (const tick of ['tick 1\n', 'tick 17\n', 'tick 30\n']) expect(shown.split(tick)).toHaveLength(2);
  await expect(session.runs).toHaveCount(1);
  await expectRows(session.block(1), ['modified a.txt, 30 additions']);
});

test('a message that is written while a run goes on is sent when it ends', async ({
  page,
  repositories,
  startSession,
}) => {
  const repository = repositories({});
  const session = await startSession(repository.path);
  await session.say('sleep 2; echo first > one.txt');
  await session.message.fill('echo second > two.txt');
  await session.message.press('Enter');
  await expect(page.getByRole('region', { name: 'Queued message' })).toContainText('echo second > two.txt');
  await expect(session.message).toHaveValue('');
  await expect(session.runs).toHaveCount(2);
  await session.untilIdle();
  expect(repository.read('two.txt')).toBe('second\n');
  await expectRows(session.block(2), ['added two.txt, 1 addition']);
});

test('a message that is written before the one before it has begun waits for it', async ({
  page,
  repositories,
  startSession,
}) => {
  const repository = repositories({});
  const session = await startSession(repository.path);
  // The answer to the first message comes when its run has ended and the second has been written.
  let secondIsWritten = () => {};
  const isWritten = new Promise<void>((resolve) => {
    secondIsWritten = resolve;
  });
  await page.route('**/sessions/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    await isWritten;
    await route.fulfill({ response });
  });
  await session.message.fill('echo first > one.txt');
  await session.message.press('Enter');
  await expectRows(session.block(1), ['added one.txt, 1 addition']);
  await session.message.fill('echo second > two.txt');
  await session.message.press('Enter');
  await expect(page.getByRole('region', { name: 'Queued message' })).toContainText('echo second > two.txt');
  secondIsWritten();
  await expectRows(session.block(2), ['added two.txt, 1 addition']);
});

test('a stopped run gives the queued message back', async ({ page, repositories, startSession }) => {
  const repository = repositories({});
  const session = await startSession(repository.path);
  await session.say('sleep 60');
  await session.message.fill('echo never > never.txt');
  await session.message.press('Enter');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Queued message' })).toBeVisible();
  await session.stop.click();
  await session.untilIdle();
  await expect(session.message).toHaveValue('echo never > never.txt');
  expect(repository.has('never.txt')).toBe(false);
  await expect(session.runs).toHaveCount(1);
});

/** A process that ended and was not waited for yet. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
