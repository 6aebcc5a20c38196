import type { Page } from 'playwright/test';
import { expect, test } from './fixtures';
import { recordRun } from './support/recorded-run';
import { noViolations } from './support/violations';

const LOOKS = [
  { width: 1280, height: 860, colorScheme: 'light' },
  { width: 1280, height: 860, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const;

/** A page in both themes, and on a phone. */
async function noViolationsAnywhere(page: Page, where: string): Promise<void> {
  for (const { width, height, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await noViolations(page, `${where}, ${colorScheme}, ${width}`);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where} fits`).toBe(true);
  const { width, height } = LOOKS[0];
  await page.setViewportSize({ width, height });
}

test('a session has no violation while it asks, and when its run is over', async ({
  page,
  repositories,
  startSession,
}) => {
  test.slow();
  const repository = repositories({ 'hello.txt': 'hello world\n' });
  const session = await startSession(repository.path, 'scripted');
  await noViolationsAnywhere(page, 'empty');
  await session.say(
    'commands\nusage\nthink Which one?\nplan\nrun echo x > made.txt\nask\nedit hello.txt world => moon\nsay Done: `hello.txt`.',
  );
  await expect(page.getByRole('region', { name: 'Permission needed' })).toBeVisible();
  await noViolationsAnywhere(page, 'asking');
  await page.keyboard.press('1');
  await session.untilIdle();
  await expect(session.block(1)).toBeVisible();
  await noViolationsAnywhere(page, 'ended');
  await page.getByRole('button', { name: 'Session', exact: true }).click();
  await noViolations(page, 'menu');
  await page.getByRole('menuitem', { name: 'Delete session' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await noViolations(page, 'dialog');
});

test.describe('outside a session', () => {
  test.use({ expectedComplaints: ['404', '401'] });

  test('no page of the owner has a violation', async ({ page, client, repositories }) => {
    test.slow();
    const repository = repositories({ 'a.txt': 'a\n' });
    const runId = await recordRun(client, repository, () => repository.write({ 'a.txt': 'A\n', 'b.txt': 'b\n' }));
    for (const path of [
      '/',
      '/?q=a.txt',
      '/sessions/new',
      `/runs/${runId}`,
      `/runs/${runId}?view=calls`,
      '/settings',
      '/reference',
      '/runs/run_nothing',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await noViolationsAnywhere(page, path);
    }
  });

  test('neither have the keys, a link, and the door', async ({ page, client, repositories, browser, server }) => {
    const repository = repositories({ 'a.txt': 'a\n' });
    const runId = await recordRun(client, repository, () => repository.write({ 'a.txt': 'A\n' }));
    await page.goto(`/runs/${runId}`);
    await page.getByRole('button', { name: 'Keys' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
    await noViolationsAnywhere(page, 'keys');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByRole('textbox', { name: 'Link to this run' }).inputValue();

    const stranger = await browser.newContext();
    const theirs = await stranger.newPage();
    await theirs.goto(link);
    await expect(theirs.getByRole('region', { name: 'Changed 1 file' })).toBeVisible();
    await noViolationsAnywhere(theirs, 'shared');
    await theirs.goto(server.client.url);
    await expect(theirs.getByRole('heading', { level: 1 })).toBeVisible();
    await noViolationsAnywhere(theirs, 'locked');
    await stranger.close();
  });
});

test('the keys are listed in a narrow window too, where the rail is folded away', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(keys.getByText('Next, previous file')).toBeVisible();
  await keys.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: 'Keys' }).click();
  await expect(keys.getByText('Next, previous file')).toBeVisible();
});

test('Tab goes through a session and out of it, and what has the focus can be seen', async ({
  page,
  repositories,
  startSession,
}) => {
  const repository = repositories({ 'hello.txt': 'hello world\n' });
  const session = await startSession(repository.path, 'scripted');
  await session.sayAndWait('edit hello.txt world => moon\nrun echo x > made.txt\nsay Done.');
  await session
    .block(1)
    .getByRole('button', { name: /hello\.txt/ })
    .click();
  await expect(session.block(1).getByRole('table')).toBeVisible();
  await page.reload();
  await expect(session.block(1)).toBeVisible();
  const stops: string[] = [];
  for (let at = 0; at < 80; at += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(
        element.closest('form:has(textarea:focus)') ?? element,
      );
      const isSeen = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return `${isSeen ? '' : 'unseen '}${element.tagName.toLowerCase()} ${name.trim().slice(0, 60)}`;
    });
    if (stop === null || stop === stops[0]) break;
    stops.push(stop);
  }
  expect(stops.length).toBeLessThan(80);
  expect(stops.filter((stop) => stop.startsWith('unseen'))).toEqual([]);
  for (const wanted of [
    'a Skip to the page',
    'div Timeline',
    'button modified hello.txt',
    'a Review',
    'button Share',
    'textarea Message',
  ]) {
    expect(
      stops.filter((stop) => stop.startsWith(wanted)),
      wanted,
    ).toHaveLength(1);
  }
});
