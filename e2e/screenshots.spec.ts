import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, letIn, startServer, test } from './fixtures';
import { Repository } from './support/repository';
import { SessionPage } from './support/session-page';
import { LOGIN_PROMPT, RELEASE_PROMPT, STORY_FILES, STORY_SCRIPTS, TEST_PROMPT } from './support/story';

/** Where the pictures go; every state in every look where somebody wants to see them, else each in one. */
const wanted = process.env.TIDEMARK_SCREENSHOTS;
const OUT = wanted ?? join('test-results', 'screenshots');

const LOOKS = [
  { name: 'light-1280', width: 1280, height: 860, colorScheme: 'light' },
  { name: 'dark-1280', width: 1280, height: 860, colorScheme: 'dark' },
  { name: 'light-820', width: 820, height: 1080, colorScheme: 'light' },
  { name: 'dark-820', width: 820, height: 1080, colorScheme: 'dark' },
  { name: 'light-390', width: 390, height: 844, colorScheme: 'light' },
  { name: 'dark-390', width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** The pictures that the README shows, by the names that they have there. */
const README: Record<string, string> = {
  'timeline-patch-light-1280': 'timeline-light',
  'timeline-permission-dark-1280': 'timeline-dark',
  'run-light-1280': 'run',
  'shared-run-light-1280': 'share',
  'timeline-patch-light-390': 'phone',
  'settings-light-1280': 'settings',
};

/** One picture of a state in every look. */
async function shoot(page: Page, state: string): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  for (const { name, width, height, colorScheme } of wanted ? LOOKS : LOOKS.slice(0, 1)) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    await page.waitForTimeout(150);
    const path = join(OUT, `${state}-${name}.png`);
    await page.screenshot({ path });
    const shown = README[`${state}-${name}`];
    if (shown) copyFileSync(path, join(OUT, `${shown}.png`));
  }
  const [{ width, height }] = LOOKS;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: 'light' });
}

test('every state of the product can be looked at', async ({ scratch, browser }) => {
  test.setTimeout(wanted ? 1_500_000 : 180_000);
  const agents = join(scratch.base, 'story-agents.json');
  const story = join(scratch.base, 'story.json');
  writeFileSync(story, JSON.stringify(STORY_SCRIPTS));
  const agent = {
    id: 'agent',
    name: 'Agent',
    command: process.execPath,
    args: [join(process.cwd(), 'e2e', 'support', 'scripted-agent.mjs')],
    env: { SCRIPTED_AGENT_STORY: story },
  };
  writeFileSync(agents, JSON.stringify({ agents: [agent] }));
  const server = await startServer(scratch, 'pictures', { TIDEMARK_AGENTS: agents });
  const at = (path: string) => server.client.url + path;
  const context = await browser.newContext();
  const page = await context.newPage();

  await page.goto(at('/'));
  await shoot(page, 'locked');
  await letIn(context, server);
  await page.goto(at('/'));
  await shoot(page, 'first-steps');

  const code = Repository.create(STORY_FILES, { at: join(scratch.home, 'code', 'hermes-web') });
  code.git('branch', 'release');
  const notes = Repository.create({ 'week.md': 'Monday\n' }, { git: false, at: join(scratch.home, 'notes') });
  const { client } = server;

  // A past that fills the rail.
  const flaky = await client.createSession({ workspace: code.path, agent: 'shell', title: 'Flaky auth tests' });
  const weekly = await client.createSession({ workspace: notes.path, agent: 'shell', title: 'Weekly summary' });
  const run = async (sessionId: string, command: string) => {
    const { id } = await client.startAgentRun(sessionId, command);
    await expect.poll(async () => (await client.readRun(id)).run.status, { timeout: 30_000 }).not.toBe('running');
    return id;
  };
  await run(flaky.id, 'npm test -- --run auth');
  await run(weekly.id, "printf 'Tuesday\\nWednesday\\n' >> week.md; echo 'summary written'");

  await page.goto(at('/sessions/new'));
  await page.getByLabel('Workspace folder').fill('/');
  await expect(page.getByText('too broad')).toBeVisible();
  await page.getByLabel('Agent').selectOption('agent');
  await shoot(page, 'new-session-warning');
  await page.getByLabel('Workspace folder').fill(`${scratch.home}/nowhere`);
  await expect(page.getByText('no such folder')).toBeVisible();
  await shoot(page, 'new-session-wrong');
  await page.getByRole('button', { name: 'Browse' }).click();
  await expect(page.getByRole('button', { name: 'code', exact: true })).toBeVisible();
  await shoot(page, 'folder-picker');
  await page.keyboard.press('Escape');

  await page.getByLabel('Workspace folder').fill(code.path);
  await page.getByRole('button', { name: 'Start session' }).click();
  const session = new SessionPage(page);
  await expect(session.message).toBeVisible();
  await shoot(page, 'session-empty');

  await session.sayAndWait(LOGIN_PROMPT);
  const block = session.block(1);
  await expect(block).toBeVisible();
  await page.waitForTimeout(500);
  await shoot(page, 'timeline-top');
  await block.getByRole('button', { name: /modified src\/Login\.vue/ }).click();
  await expect(block.getByRole('table').first()).toBeVisible();
  await block.scrollIntoViewIfNeeded();
  await page.waitForTimeout(1_500);
  await shoot(page, 'timeline-patch');

  code.write({ 'README.md': '# hermes-web\n\nThe web client of Hermes.\n', 'notes.txt': 'mine\n' });
  await session.say(RELEASE_PROMPT);
  await expect(page.getByRole('region', { name: 'Permission needed' })).toBeVisible({ timeout: 30_000 });
  await session.message.fill('Then write the release notes.');
  await session.send.click();
  await session.message.fill('/');
  await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible();
  await shoot(page, 'timeline-permission');
  await session.message.fill('');
  await page.getByRole('region', { name: 'Queued message' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Reject' }).click();
  await session.untilIdle();
  await session
    .run(2)
    .getByRole('button', { name: /Changed outside runs/ })
    .click();
  await shoot(page, 'timeline-drift');

  await session.say(TEST_PROMPT);
  await page.waitForTimeout(2_000);
  await shoot(page, 'timeline-streaming');
  await session.stop.click();
  await session.untilIdle();
  await shoot(page, 'timeline-stopped');

  await session.block(1).getByRole('link', { name: 'Review' }).click();
  await expect(page.getByRole('region', { name: /^Changed \d+ files$/ })).toBeVisible();
  await shoot(page, 'run');
  await page.getByRole('link', { name: 'Call by call' }).click();
  await expect(page).toHaveURL(/view=calls/);
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await shoot(page, 'run-calls');
  await page.getByRole('link', { name: 'The whole run' }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const makeLink = page.getByRole('button', { name: 'Create link' });
  await expect(makeLink).toBeEnabled();
  await shoot(page, 'share-dialog');
  await makeLink.click();
  const link = await page.getByRole('textbox', { name: 'Link to this run' }).inputValue();
  await page.goto(link);
  await page.getByRole('button', { name: /added src\/api\/auth\.ts/ }).click();
  await expect(page.getByRole('table').first()).toBeVisible();
  await page.waitForTimeout(1_000);
  await shoot(page, 'shared-run');

  await page.goto(at(`/sessions/${flaky.id}`));
  await expect(session.runs).toHaveCount(1);
  await shoot(page, 'shell-failed');
  await page.getByRole('button', { name: 'Session', exact: true }).click();
  await shoot(page, 'session-menu');
  await page.getByRole('menuitem', { name: 'Delete session' }).click();
  await shoot(page, 'delete-session');
  await page.keyboard.press('Escape');

  await page.goto(at('/'));
  await shoot(page, 'sessions');
  await page.goto(at('/?q=Login.vue'));
  await shoot(page, 'search');
  await page.goto(at('/?q=zzz'));
  await shoot(page, 'search-nothing');
  await page.goto(at('/settings'));
  await shoot(page, 'settings');
  await page.goto(at('/reference'));
  await page.locator('details').nth(3).locator('summary').first().click();
  await shoot(page, 'reference');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await shoot(page, 'keys');
  await page.goto(at('/runs/run_nothing'));
  await shoot(page, 'not-found');

  await context.close();
  await server.stop();
});
