import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { fileOf, patchLines, recordRun, settledTop, topOf } from './support/recorded-run';
import { lines } from './support/repository';

test('a change of 24,000 files opens at once, folded by folder, and every file is in reach', async ({
  page,
  client,
  repositories,
}) => {
  test.setTimeout(180_000);
  const repository = repositories({ 'README.md': 'x\n' });
  const runId = await recordRun(client, repository, () => {
    for (let folder = 0; folder < 24; folder += 1) {
      mkdirSync(join(repository.path, 'many', `part-${folder}`), { recursive: true });
      for (let file = 0; file < 1000; file += 1) {
        writeFileSync(join(repository.path, 'many', `part-${folder}`, `file-${file}.txt`), `${folder} ${file}\n`);
      }
    }
  });
  await page.goto(`/runs/${runId}`);
  const block = page.getByRole('region', { name: 'Changed 24000 files' });
  await expect(block.getByText('+24000 −0').first()).toBeVisible({ timeout: 30_000 });
  const folder = block.getByRole('button', { name: 'folder many, 24000 files, 24000 additions' });
  await expect(folder).toBeVisible({ timeout: 30_000 });
  expect(await page.locator('*').count()).toBeLessThan(3000);
  await folder.click();
  const part = block.getByRole('button', { name: 'folder many/part-7, 1000 files, 1000 additions' });
  // Names come page by page; until they are all there a folder cannot say how many it holds.
  await expect(part).toBeVisible({ timeout: 60_000 });
  await part.scrollIntoViewIfNeeded();
  const topBefore = await topOf(part);
  await part.click();
  await expect(block.getByRole('button', { name: 'added many/part-7/file-0.txt, 1 addition' })).toBeVisible();
  expect(await topOf(part)).toBe(topBefore);
  expect(await page.locator('*').count()).toBeLessThan(6000);
  await block.getByRole('searchbox').fill('part-23/file-999');
  const { row, patch } = fileOf(page, 'many/part-23/file-999.txt');
  await expect(row).toBeVisible();
  await row.click();
  // The patches of a change have a limit together; what is past it is compared when it is asked for.
  await patch.getByRole('button', { name: 'Load the full comparison' }).click();
  await expect(patch.getByText('23 999', { exact: true })).toBeVisible();
});

test('300 files open together while only those in sight are asked for', async ({ page, client, repositories }) => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`file-${at}.txt`, lines(4)]));
  const repository = repositories(files);
  const runId = await recordRun(client, repository, () => {
    for (const path of Object.keys(files)) repository.write({ [path]: lines(5) });
  });
  const asked: string[] = [];
  page.on('request', (request) => /\/files\/[^/?]+$/.test(request.url()) && asked.push(request.url()));
  await page.goto(`/runs/${runId}`);
  const block = page.getByRole('region', { name: 'Changed 300 files' });
  await block.getByRole('button', { name: 'Flat' }).click();
  await block.getByRole('button', { name: 'Expand all' }).click();
  await expect(block.locator('td.diff-code').first()).toBeVisible({ timeout: 30_000 });
  await page.waitForTimeout(1000);
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.length).toBeLessThan(60);

  // What was acted on stays where it was, whatever happens above and below it.
  const { row } = fileOf(page, 'file-20.txt');
  let before = Number.NaN;
  await expect(async () => {
    // What stands above it in the window may have pushed it out while it came.
    await row.scrollIntoViewIfNeeded();
    before = await settledTop(row, () => block.getByText('Loading the patch').count());
    await expect(row).toBeInViewport({ ratio: 1, timeout: 1 });
  }).toPass();
  await row.click();
  await expect(row).toHaveAttribute('aria-expanded', 'false');
  expect(Math.abs((await topOf(row)) - before)).toBeLessThan(2);
  await block.getByRole('button', { name: 'Collapse all' }).click();
  await expect(block.locator('td.diff-code')).toHaveCount(0);
});

test('a patch that was cut says so, and the rest of it comes when it is asked for', async ({
  page,
  client,
  repositories,
}) => {
  const repository = repositories({ 'big.txt': lines(24_000) });
  const runId = await recordRun(client, repository, () => {
    repository.write({ 'big.txt': lines(24_000).replaceAll(/^line (\d*[05])$/gm, 'changed $1') });
  });
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'big.txt');
  await expect(row).toHaveAccessibleName('modified big.txt, 4800 additions, 4800 deletions, diff truncated');
  await row.click();
  await expect(
    patch.getByText(/^Only the beginning of this patch was kept\. Showing \d+ of 9600 changed lines\.$/),
  ).toBeVisible();
  await patch.getByRole('button', { name: 'Load the full comparison' }).click();
  await expect(patch.getByText(/^Only the beginning/)).toHaveCount(0);
  expect(await page.locator('*').count()).toBeLessThan(3000);
  await patch.getByRole('button', { name: 'Find' }).click();
  await page.keyboard.type('changed 23995');
  await expect(patch.getByText('1 of 1')).toBeVisible();
  await expect(patch.getByText('changed 23995', { exact: true })).toBeInViewport();

  // A selection is copied from the lines, whether they are on the page or not.
  await patch.getByRole('button', { name: 'Close search' }).click();
  await row.click();
});

test('one line of 500 KB is cut, and whole on request', async ({ page, client, repositories }) => {
  const long = (letter: string) => `start();\n${letter.repeat(500_000)}\n`;
  const repository = repositories({ 'bundle.js': long('x') });
  const runId = await recordRun(client, repository, () => repository.write({ 'bundle.js': long('y') }));
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'bundle.js');
  await row.click();
  const load = patch.getByRole('button', { name: 'Load the full comparison' });
  await expect(load.or(patch.locator('td.diff-code').first())).toBeVisible();
  if (await load.isVisible()) await load.click();
  await patch.getByRole('button', { name: '… 498000 more characters' }).last().click();
  const whole = page.getByRole('textbox', { name: 'The whole line' });
  expect(await whole.inputValue()).toBe('y'.repeat(500_000));
  await page.keyboard.press('Escape');
  await expect(whole).toHaveCount(0);
});

const NASTY = {
  '<img src=x onerror="document.title=1">.ts': 'a\n',
  'quote".txt': 'a\n',
  'new\nline.txt': 'a\n',
  'evil\u202etxt.exe': 'a\n',
  ['__proto__']: 'a\n',
  constructor: 'a\n',
  'a#b?c%20d&e': 'a\n',
  '-n': 'a\n',
  'tab\there': 'a\n',
  '日本語/ファイル.txt': 'a\n',
};

test('names are names, whatever they hold', async ({ page, client, repositories }) => {
  const deep = `${Array.from({ length: 15 }, (_, at) => `${at}`.padEnd(240, 'd')).join('/')}/end.txt`;
  const repository = repositories({ 'README.md': 'x\n' });
  const runId = await recordRun(client, repository, () => repository.write({ ...NASTY, [deep]: 'a\n' }));
  await page.goto(`/runs/${runId}`);
  const block = page.getByRole('region', { name: 'Changed 11 files' });
  await expect(block.locator('button[data-row]')).toHaveCount(11);
  for (const path of [
    '<img src=x onerror="document.title=1">.ts',
    '__proto__',
    'constructor',
    'a#b?c%20d&e',
    '-n',
    '日本語/ファイル.txt',
    deep,
  ]) {
    await expect(block.getByRole('button', { name: `added ${path}, 1 addition`, exact: true })).toBeVisible();
  }
  await expect(block.getByRole('button', { name: 'added "new\\nline.txt", 1 addition' })).toBeVisible();
  // The override is shown and cannot turn the counts around.
  const evil = block.getByRole('button', { name: /^added evil/ });
  await expect(evil.locator('[data-code="U+202E"]')).toBeVisible();
  const sides = await evil.evaluate((row) => {
    const box = (text: string) => {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.textContent?.includes(text)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().left;
      }
      return Number.NaN;
    };
    return [box('evil'), box('txt.exe'), box('1')];
  });
  expect(sides).toEqual([...sides].sort((a, b) => a - b));
  await expect(page).not.toHaveTitle('1');
  // Nothing is wider than the window.
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.goto(`/runs/${runId}#f-811c9dc5`);
  await block.locator('button[data-row="__proto__"]').click();
  await expect(fileOf(page, '__proto__').patch.locator('td.diff-code')).toHaveText(['a']);
});

test('lines are text, whatever they hold', async ({ page, client, repositories }) => {
  const odd = [
    '</script><script>document.title = 1</script>',
    '\u001b[31mred',
    'zero\u200bwidth',
    'lone\rreturn',
    'line\u2028break',
    '\u202eturned',
    '--- a',
    '+++ b',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
  ];
  const repository = repositories({ 'odd.ts': 'start\n' });
  const runId = await recordRun(client, repository, () => repository.write({ 'odd.ts': `start\n${odd.join('\n')}\n` }));
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'odd.ts');
  await row.click();
  await expect(patch.locator('td.diff-code-insert')).toHaveCount(odd.length);
  expect((await patchLines(patch)).slice(1)).toEqual(odd.map((line) => `+${line}`));
  for (const code of ['ESC', 'U+200B', 'CR', 'U+2028', 'U+202E']) {
    await expect(patch.locator(`[data-code="${code}"]`)).toBeVisible();
  }
  const heights = await patch
    .locator('tr.diff-line')
    .evaluateAll((rows) => rows.map((line) => line.getBoundingClientRect().height));
  expect(new Set(heights)).toEqual(new Set([20]));
  await expect(page).not.toHaveTitle('1');
});

test.describe('a request for a patch', () => {
  test.use({ expectedComplaints: ['Failed to load resource'] });

  test('that fails is tried again, that hangs can be left, and that comes late opens nothing', async ({
    page,
    client,
    repositories,
  }) => {
    const repository = repositories({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });
    const runId = await recordRun(client, repository, () => {
      repository.write({ 'a.txt': 'A\n', 'b.txt': 'B\n', 'c.txt': 'C\n', 'd.txt': 'D\n' });
    });
    const ids = new Map((await client.readRun(runId)).change?.files.map(({ path, id }) => [path, id]));
    let fails = true;
    await page.route(`**/files/${ids.get('a.txt')}`, (route) =>
      fails ? route.fulfill({ status: 500, body: '<html>' }) : route.continue(),
    );
    await page.route(`**/files/${ids.get('b.txt')}`, () => {});
    await page.route(`**/files/${ids.get('c.txt')}`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      await route.continue().catch(() => {});
    });
    await page.route(`**/files/${ids.get('d.txt')}`, (route) =>
      route.fulfill({ status: 410, json: { error: { code: 'expired', message: 'gone' } } }),
    );
    await page.goto(`/runs/${runId}`);
    const [a, b, c, d] = ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((path) => fileOf(page, path));

    await a!.row.click();
    await expect(a!.patch.getByRole('alert')).toContainText('This patch could not be loaded.');
    fails = false;
    await a!.patch.getByRole('button', { name: 'Try again' }).click();
    await expect(a!.patch.getByText('A', { exact: true })).toBeVisible();

    await b!.row.click();
    await expect(b!.patch.getByText('Loading the patch')).toBeVisible();
    await b!.row.click();
    await expect(b!.patch).toHaveCount(0);

    await c!.row.click();
    await c!.row.click();
    await page.waitForTimeout(1500);
    await expect(c!.row).toHaveAttribute('aria-expanded', 'false');
    await expect(c!.patch).toHaveCount(0);

    await d!.row.click();
    await expect(d!.patch.getByText(/no longer kept/)).toBeVisible();
  });

  test('of a run that was deleted meanwhile says that it is gone', async ({ page, client, repositories }) => {
    const repository = repositories({ 'a.txt': 'a\n' });
    const runId = await recordRun(client, repository, () => repository.write({ 'a.txt': 'A\n' }));
    await page.goto(`/runs/${runId}`);
    const { run } = await client.readRun(runId);
    await client.deleteSession(run.session_id);
    const { row, patch } = fileOf(page, 'a.txt');
    await row.click();
    await expect(patch.getByRole('alert')).toContainText('There is no such session.');
  });
});

test.describe('while the server is away', () => {
  test.use({ expectedComplaints: ['net::ERR_FAILED'] });

  test('a part of the page whose code cannot be loaded says so, and comes when it can', async ({
    page,
    client,
    repositories,
  }) => {
    const repository = repositories({ 'a.txt': lines(3) });
    const runId = await recordRun(client, repository, () => repository.write({ 'a.txt': lines(4) }));
    await page.goto(`/runs/${runId}`);
    const block = page.getByRole('region', { name: 'Changed 1 file' });
    await expect(block).toBeVisible();
    await page.waitForLoadState('networkidle');
    await page.route('**/_next/static/**', (route) => route.abort());
    const { row } = fileOf(page, 'a.txt');
    await row.click();
    const notice = block.getByRole('alert');
    await expect(notice).toContainText('could not be loaded');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.unroute('**/_next/static/**');
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(block.getByRole('table')).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
});
