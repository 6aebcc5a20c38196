import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, letIn, startServer, test } from './fixtures';
import { lines } from './support/repository';
import { expectRows, SessionPage } from './support/session-page';

const question = (session: SessionPage) => session.page.getByRole('region', { name: 'Permission needed' });

test('an agent thinks, plans, asks, edits and answers, and the block says what it did; the same after a reload', async ({
  page,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'hello.txt': 'hello world\n', 'old.txt': lines(4), 'doomed.txt': 'x\n' });
  const session = await startSession(repository.path, 'scripted');
  const run = await session.say(
    [
      'think Where may it be?',
      'plan',
      'say I will **edit** `hello.txt`.',
      'ask',
      'edit hello.txt world => moon',
      'ask',
      'write src/new.ts export const a = 1;\\n',
      'run rm doomed.txt; mv old.txt new.txt; echo moved',
      'run echo boom >&2; exit 3',
      'say Done: see [the new one](src/new.ts).',
    ].join('\n'),
  );
  await expect(question(session)).toContainText('Edit hello.txt');
  await page.keyboard.press('1');
  await expect(question(session)).toContainText('Write src/new.ts');
  await question(session).getByRole('button', { name: 'Allow', exact: true }).click();
  await session.untilIdle();

  expect(repository.read('hello.txt')).toBe('hello moon\n');
  await expectRows(session.block(1), [
    'deleted doomed.txt, 1 deletion',
    'modified hello.txt, 1 addition, 1 deletion',
    'renamed old.txt to new.txt, no line changes',
    'added src/new.ts, 1 addition',
  ]);
  await expect(run.getByRole('region', { name: 'Plan' }).getByRole('listitem')).toHaveCount(3);
  const thought = run.getByRole('button', { name: 'Thought' });
  await expect(thought).toHaveAttribute('aria-expanded', 'false');
  await expect(run.locator('strong', { hasText: 'edit' })).toBeVisible();
  await expect(run.getByText(/^Allowed/)).toHaveCount(2);
  await expect(
    run.getByRole('button', { name: /^edit Edit hello.txt, 1 addition, 1 deletion, completed/ }),
  ).toBeVisible();
  await expect(run.getByRole('button', { name: /^run echo boom .*exit 3, exit 3, failed/ })).toBeVisible();

  const answer = run.locator('p', { hasText: /^Done: see the new one\.$/ });
  await expect(answer).toBeVisible();
  const told = await run.textContent();
  await page.reload();
  await expect(answer).toBeVisible();
  await expect.poll(() => run.textContent()).toBe(told);

  await run.getByRole('link', { name: 'the new one' }).click();
  await expect(session.block(1).getByRole('button', { name: /^added src\/new.ts/ })).toBeFocused();
});

test('a card shows the applied hunks, read once and only when it is opened', async ({
  page,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'big.txt': lines(60) });
  const session = await startSession(repository.path, 'scripted');
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/tool-calls/')) reads.push(request.url());
  });
  const run = await session.say('ask\nedit big.txt line 3 => LINE 3');
  await expect(question(session)).toBeVisible();
  await page.keyboard.press('1');
  await session.untilIdle();
  const card = run.getByRole('button', { name: /^edit Edit big.txt, 11 additions, 11 deletions/ });
  await expect(card).toBeVisible();
  expect(reads).toEqual([]);

  await card.click();
  const applied = run.getByRole('region', { name: 'Applied changes' });
  // "line 3", and "line 30" to "line 39": two sites, three lines around each.
  await expect(applied.getByText(/^@@/)).toHaveText(['@@ \u22121,6 +1,6 @@', '@@ \u221227,16 +27,16 @@']);
  await expect(applied.locator('tr', { hasText: /LINE 3/ })).toHaveCount(11);
  await expect(run.getByRole('region', { name: 'Announced changes' })).toHaveCount(0);
  await card.click();
  await card.click();
  await expect(applied).toBeVisible();
  expect(reads).toHaveLength(1);
});

test('a rejected edit changes nothing and looks like it', async ({ page, repositories, startSession }) => {
  const repository = repositories({ 'hello.txt': 'hello world\n' });
  const session = await startSession(repository.path, 'scripted');
  const run = await session.say('ask\nedit hello.txt world => moon\nsay Then not.');
  await expect(question(session)).toBeVisible();
  await page.keyboard.press('3');
  await session.untilIdle();
  await expect(run.getByText(/^Denied/)).toBeVisible();
  await expect(run.getByRole('button', { name: /^edit Edit hello.txt, rejected/ })).toBeVisible();
  await expect(run.getByText('Then not.', { exact: true })).toBeVisible();
  await expect(session.block(1)).toHaveCount(0);
  expect(repository.read('hello.txt')).toBe('hello world\n');
});

test('digits that are typed into a message answer no question', async ({ page, repositories, startSession }) => {
  const repository = repositories({ 'hello.txt': 'hello world\n' });
  const session = await startSession(repository.path, 'scripted');
  await session.say('ask\nedit hello.txt world => moon');
  await expect(question(session)).toBeVisible();
  await session.message.pressSequentially('in 3 minutes');
  await expect(question(session)).toBeVisible();
  await session.message.fill('');
  await page.keyboard.press('1');
  await session.untilIdle();
  expect(repository.read('hello.txt')).toBe('hello moon\n');
});

test('Stop denies what is being asked', async ({ repositories, startSession }) => {
  const repository = repositories({ 'hello.txt': 'hello world\n' });
  const session = await startSession(repository.path, 'scripted');
  const run = await session.say('say Before.\nask\nedit hello.txt world => moon');
  await expect(question(session)).toBeVisible();
  await session.stop.click();
  await session.untilIdle();
  await expect(question(session)).toHaveCount(0);
  await expect(run.getByText('Stopped', { exact: true })).toBeVisible();
  expect(repository.read('hello.txt')).toBe('hello world\n');
});

test('output of a tool is quiet, its diff in colour, and cut after 200 lines with the count of the rest', async ({
  repositories,
  startSession,
}) => {
  const repository = repositories({});
  const session = await startSession(repository.path, 'scripted');
  const run = await session.sayAndWait("run printf 'checked\\n```diff\\n@@ -1 +1 @@\\n-a\\n+b\\n```\\n'; seq 250");
  await run.getByRole('button', { name: /^run printf/ }).click();
  const output = run.getByRole('region', { name: 'Output' });
  await expect(output).toContainText('… (54 more lines)');
  const styleOf = (text: string) =>
    output
      .locator('span', { hasText: new RegExp(`^\\s*${text}\\s*$`) })
      .last()
      .evaluate((element) => {
        const { color, fontStyle } = getComputedStyle(element);
        return { color, fontStyle };
      });
  const [added, removed, hunk] = await Promise.all([styleOf('\\+b'), styleOf('-a'), styleOf('@@ -1 \\+1 @@')]);
  expect(new Set([added.color, removed.color, hunk.color]).size).toBe(3);
  expect([added, removed, hunk].map(({ fontStyle }) => fontStyle)).toEqual(['normal', 'normal', 'normal']);
  await expect(output.locator('span', { hasText: 'checked' }).first()).toHaveCSS('font-style', 'italic');
  await output.getByRole('button', { name: 'Show all' }).click();
  await expect(output).toContainText('250');
});

test('an agent that dies says how, what it changed is listed, and the next message reaches a new one', async ({
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const session = await startSession(repository.path, 'scripted');
  const run = await session.sayAndWait('say Before.\nwrite new.txt x\\n\ncrash 7');
  await expect(run).toContainText('Scripted stopped unexpectedly (exit code 7). Its last words:');
  await expect(run).toContainText('panic: the script said so');
  await expectRows(session.block(1), ['added new.txt, 1 addition']);
  const next = await session.sayAndWait('say I am back.');
  await expect(next.getByText('I am back.', { exact: true })).toBeVisible();
});

test('what a background subagent writes after the end reopens the record', async ({
  scratch,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const signal = join(scratch.base, 'go-on');
  const session = await startSession(repository.path, 'scripted');
  await session.sayAndWait(`write first.txt x\\n\nlate ${signal} write late.txt x\\n\nsay Done.`);
  await expectRows(session.block(1), ['added first.txt, 1 addition']);
  writeFileSync(signal, '');
  await expectRows(session.block(1), ['added first.txt, 1 addition', 'added late.txt, 1 addition']);
});

test('modes, commands and usage of the agent are offered and shown', async ({ page, repositories, startSession }) => {
  const repository = repositories({});
  const session = await startSession(repository.path, 'scripted');
  await session.sayAndWait('commands\nusage\nsay ready');
  await page.getByRole('button', { name: 'Mode: Ask' }).click();
  await page.getByRole('menuitemradio', { name: /Auto/ }).click();
  await expect(page.getByRole('button', { name: 'Mode: Auto' })).toBeVisible();
  await session.message.fill('/rev');
  await expect(page.getByRole('option', { name: /review/ })).toBeVisible();
  await expect(page.getByText(/1\.2k of 200k tokens/)).toBeVisible();
});

test('after a restart of the server the agent goes on with its conversation, and nothing stands twice', async ({
  browser,
  scratch,
  repositories,
}) => {
  test.slow();
  const repository = repositories({});
  const context = await browser.newContext();
  let server = await startServer(scratch, 'resumed', { SCRIPTED_AGENT_HOME: scratch.home });
  try {
    await letIn(context, server);
    const page = await context.newPage();
    const { id } = await server.client.createSession({ workspace: repository.path, agent: 'scripted' });
    await page.goto(`${server.client.url}/sessions/${id}`);
    let session = new SessionPage(page);
    await session.sayAndWait('say The first answer.\nwrite a.txt x\\n');
    await server.stop();

    server = await startServer(scratch, 'resumed', { SCRIPTED_AGENT_HOME: scratch.home });
    await letIn(context, server);
    await page.goto(`${server.client.url}/sessions/${id}`);
    session = new SessionPage(page);
    const second = await session.sayAndWait('say The second answer.');
    await expect(second.getByText('The second answer.', { exact: true })).toBeVisible();
    await expect(second).not.toContainText('starts without');
    await expect(session.timeline.getByText('The first answer.', { exact: true })).toHaveCount(1);
  } finally {
    await server.stop();
    await context.close();
  }
});

test('an agent that is not installed cannot be chosen, and the page says what to type', async ({ page, server }) => {
  await page.goto(`${server.client.url}/sessions/new`);
  await expect(page.getByLabel('Agent').locator('option', { hasText: 'not available' }).first()).toBeAttached();
  await page.getByLabel('Agent').selectOption('gemini');
  await expect(page.getByText('npm install -g @google/gemini-cli')).toBeVisible();
});

test('HTML, scripts and pictures in an answer are text', async ({ page, repositories, startSession }) => {
  const repository = repositories({});
  const session = await startSession(repository.path, 'scripted');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const answer =
    '<img src=x onerror=alert(1)> ![p](http://127.0.0.1:9/x.png) [bad](javascript:alert(1)) [good](https://example.org)';
  const run = await session.sayAndWait(`say Look: ${answer}`);
  await expect(run.locator('p', { hasText: /^Look:/ })).toBeVisible();
  await expect(run.locator('img, script')).toHaveCount(0);
  await expect(run.getByRole('link', { name: 'good' })).toHaveAttribute('rel', /noopener/);
  expect(
    await run.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? '')),
  ).not.toContainEqual(expect.stringContaining('javascript'));
  expect(requests.filter((url) => url.includes(':9/'))).toEqual([]);
});

test('a long answer grows without being drawn anew, and 2,000 updates of one run arrive whole', async ({
  repositories,
  startSession,
}) => {
  const repository = repositories({});
  const session = await startSession(repository.path, 'scripted');
  const run = await session.say('stream 2000 1 word');
  await expect(run.getByText(/word0/)).toBeVisible();
  const first = await run.locator('p', { hasText: 'word0' }).first().elementHandle();
  await session.untilIdle();
  await expect(run.getByText(/word1999/)).toBeVisible();
  expect(await first?.evaluate((element) => element.isConnected)).toBe(true);
});
