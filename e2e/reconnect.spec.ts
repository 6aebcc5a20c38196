import type { Page } from 'playwright/test';
import { expect, letIn, startServer, test } from './fixtures';
import { CutLine } from './support/cut-line';
import { expectRows, SessionPage } from './support/session-page';

test.describe('without a connection', () => {
  test.use({ expectedComplaints: ['net::ERR', 'Failed to load resource'] });

  test('a page that lost its connection says so, and misses nothing once it has it again', async ({
    scratch,
    browser,
    repositories,
  }) => {
    test.slow();
    const repository = repositories({ 'a.txt': 'a\n' });
    const line = await CutLine.open();
    const server = await startServer(scratch, 'cut', { TIDEMARK_ALLOWED_HOSTS: new URL(line.url).host });
    line.leadTo(server.client.url);
    const context = await browser.newContext();
    await letIn(context, server, line.url);
    const page = await context.newPage();
    const { id } = await server.client.createSession({ workspace: repository.path, agent: 'shell' });
    await page.goto(`${line.url}/sessions/${id}`);
    const session = new SessionPage(page);
    await session.sayAndWait('echo one >> a.txt');
    await session.say('for i in $(seq 1 30); do echo "tick $i"; sleep 0.1; done; echo two >> a.txt');
    await expect(session.run(2).getByText(/tick 2\b/)).toBeVisible();

    line.cut();
    await expect(page.getByText('Not connected.')).toBeVisible();
    await expect.poll(async () => (await server.client.changes(id)).length, { timeout: 20_000 }).toBe(2);
    const third = await server.client.startAgentRun(id, 'echo new > b.txt');
    await expect.poll(async () => (await server.client.readRun(third.id)).run.status).toBe('completed');
    await expect(session.runs).toHaveCount(2);
    await expect(session.block(2)).toHaveCount(0);

    line.mend();
    await expectRows(session.block(3), ['added b.txt, 1 addition']);
    await expectRows(session.block(2), ['modified a.txt, 1 addition']);
    await expect(page.getByText('Not connected.')).toHaveCount(0);
    const output = (await session.run(2).locator('pre').last().textContent()) ?? '';
    expect(output.match(/tick 30\b/g)).toHaveLength(1);
    expect(output.match(/tick 2\b/g)).toHaveLength(1);
    await expect(session.runs).toHaveCount(3);

    await context.close();
    await server.stop();
    await line.close();
  });

  test('a page outlives a restart of the server', async ({ scratch, browser, repositories }) => {
    test.slow();
    const repository = repositories({ 'a.txt': 'a\n' });
    let server = await startServer(scratch, 'restarted');
    const { port } = new URL(server.client.url);
    const context = await browser.newContext();
    await letIn(context, server);
    const page = await context.newPage();
    const { id } = await server.client.createSession({ workspace: repository.path, agent: 'shell' });
    await page.goto(`${server.client.url}/sessions/${id}`);
    const session = new SessionPage(page);
    await session.sayAndWait('echo one >> a.txt');
    await session.say('echo two >> a.txt; echo begun; sleep 60');
    await expect(session.run(2).getByText('begun', { exact: true })).toBeVisible();
    await server.kill();
    await expect(page.getByText('Not connected.')).toBeVisible();
    server = await startServer(scratch, 'restarted', { TIDEMARK_PORT: port });
    await expect(session.run(2).getByText('Interrupted', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(session.stop).toHaveCount(0);
    await session.sayAndWait('echo three >> a.txt');
    await expect(session.run(3).getByText('Changed outside runs')).toBeVisible();
    await expectRows(session.block(3), ['modified a.txt, 1 addition']);
    await context.close();
    await server.stop();
  });
});

test('a hidden page lets its stream go and catches up when it is looked at again', async ({
  page,
  client,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const session = await startSession(repository.path);
  await session.sayAndWait('echo first');
  const streams: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/events')) streams.push(request.url());
  });
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/events'));
  await setVisibility(page, 'hidden');
  await ended;
  const run = await client.startAgentRun(session.id, 'echo b >> a.txt');
  await expect.poll(async () => (await client.readRun(run.id)).run.status).toBe('completed');
  await expect(session.runs).toHaveCount(1);
  expect(streams).toEqual([]);
  await setVisibility(page, 'visible');
  await expect(session.block(2)).toBeVisible();
  expect(streams).toHaveLength(1);
  expect(streams[0]).toContain('last_event_id=');
});

test('two sessions side by side show each its own', async ({ page, anotherContext, repositories, startSession }) => {
  const [left, right] = [repositories({ 'a.txt': 'a\n' }), repositories({ 'b.txt': 'b\n' })];
  const first = await startSession(left.path);
  const second = await startSession(right.path, 'shell', await (await anotherContext()).newPage());
  await first.say('sleep 1; echo left >> a.txt');
  await second.say('sleep 1; echo right >> b.txt; echo more > c.txt');
  await Promise.all([first.untilIdle(), second.untilIdle()]);
  await expectRows(first.block(1), ['modified a.txt, 1 addition']);
  await expectRows(second.block(1), ['modified b.txt, 1 addition', 'added c.txt, 1 addition']);
  await expect(
    page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /echo right/ }),
  ).toBeVisible();
});

test('the same session in two windows shows the same', async ({ anotherContext, repositories, startSession }) => {
  const repository = repositories({});
  const here = await startSession(repository.path);
  const there = new SessionPage(await (await anotherContext()).newPage());
  await there.page.goto(here.page.url());
  await here.say('for i in 1 2 3 4 5; do echo "word $i"; sleep 0.2; done; echo x > x.txt');
  await there.untilIdle();
  await expect(there.block(1)).toBeVisible();
  await expect(there.run(1).getByText('word 5')).toBeVisible();
  await expectRows(there.block(1), ['added x.txt, 1 addition']);
  await expectRows(here.block(1), ['added x.txt, 1 addition']);
});

/** Hides or shows a page, as a browser does when another tab is chosen. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
