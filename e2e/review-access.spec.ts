import { expect, test } from './fixtures';
import { fileOf, recordRun } from './support/recorded-run';
import { lines, type Repository } from './support/repository';
import { noViolations } from './support/violations';

/** A run with one file of most kinds. */
function changeThings(repository: Repository): void {
  repository.write({
    'src/Login.vue': repository
      .read('src/Login.vue')
      .replace('line 3\n', 'line three\n')
      .replace('line 20\n', 'const x = "1";\n'),
    'src/new.ts': 'export const value = 1; // a comment\n',
    'logo.bin': 'BIN\0two',
    '.env': 'A=2\n',
  });
  repository.git('mv', 'old.ts', 'moved.ts');
}

const FILES = {
  'src/Login.vue': lines(60),
  'old.ts': lines(30, 'old'),
  'logo.bin': 'BIN\0one',
  '.gitignore': '.env\n',
  '.env': 'A=1\n',
};

test('the review page has no violation in both themes and palettes, whatever is open', async ({
  page,
  client,
  repositories,
}) => {
  const repository = repositories(FILES);
  const runId = await recordRun(client, repository, () => changeThings(repository));
  await page.goto(`/runs/${runId}`);
  for (const path of ['src/Login.vue', 'src/new.ts', 'logo.bin', 'moved.ts']) {
    const { row, patch } = fileOf(page, path);
    await row.click();
    await expect(patch.getByText('compared with the start of this run')).toBeVisible();
  }
  const { patch } = fileOf(page, 'src/Login.vue');
  await expect(patch.locator('td.diff-code-insert span').first()).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const palette of [undefined, 'colour-blind']) {
      await page.evaluate((name) => {
        if (name) document.documentElement.dataset.palette = name;
        else delete document.documentElement.dataset.palette;
      }, palette);
      await noViolations(page, `${colorScheme} ${palette}`);
    }
  }
  await page.getByRole('button', { name: 'Tree' }).click();
  await noViolations(page, 'tree');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('button', { name: 'Create link' })).toBeEnabled();
  await noViolations(page, 'share dialog');
});

test('patches are tables with heads, marks that are read, and names', async ({ page, client, repositories }) => {
  const repository = repositories(FILES);
  const runId = await recordRun(client, repository, () => changeThings(repository));
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'src/Login.vue');
  await row.click();
  await expect(patch).toHaveAccessibleName('modified src/Login.vue, 2 additions, 2 deletions');
  await expect(patch.getByRole('table', { name: /^src\/Login\.vue, lines 1 to \d+$/ })).toBeVisible();
  await expect(patch.getByRole('columnheader')).toHaveText(['Old line', 'New line', 'Content']);
  const marks = await patch
    .locator('td.diff-code-insert, td.diff-code-delete')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
  expect(marks).toHaveLength(4);
  for (const mark of marks) expect(mark).toMatch(/^"[+−]" \/ "(added|deleted): "$/);
  expect(await row.evaluate((button) => button.parentElement?.tagName)).toBe('H4');
  const controls = await row.getAttribute('aria-controls');
  await expect(page.locator(`[id="${controls}"]`)).toHaveAttribute('role', 'group');
});

test('everything can be done with the keyboard alone', async ({ page, client, repositories }) => {
  const repository = repositories(FILES);
  const runId = await recordRun(client, repository, () => changeThings(repository));
  await page.goto(`/runs/${runId}`);
  const focused = () =>
    page.evaluate(() => (document.activeElement as HTMLElement).dataset.row ?? document.activeElement?.tagName);
  await page.locator('button[data-row=".env"]').focus();
  await page.keyboard.press('j');
  expect(await focused()).toBe('logo.bin');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused()).toBe('src/Login.vue');
  await page.keyboard.press('o');
  const { row, patch } = fileOf(page, 'src/Login.vue');
  await expect(patch.locator('td.diff-code').first()).toBeVisible();
  await page.keyboard.press('n');
  await expect(patch.locator('tr', { hasText: 'line 3' }).and(page.locator(':focus'))).toHaveCount(1);
  await page.keyboard.press('n');
  await expect(patch.locator('tr', { hasText: 'line 20' }).and(page.locator(':focus'))).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();

  // One stop for all tools; arrows move within them.
  await page.keyboard.press('Tab');
  await expect(patch.getByRole('button', { name: 'Unified' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(patch.getByRole('button', { name: 'Find' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(patch.getByRole('checkbox', { name: 'Viewed' })).toBeFocused();
  await page.keyboard.press('v');
  await expect(row).toHaveAccessibleName(/, viewed$/);

  // Keys are letters where somebody types.
  await row.focus();
  await page.keyboard.press('f');
  const filter = page.getByRole('searchbox', { name: 'Filter files by name' });
  await expect(filter).toBeFocused();
  await page.keyboard.type('jnv');
  await expect(filter).toHaveValue('jnv');
  await filter.fill('');
  await page.locator('button[data-row=".env"]').focus();
  await page.keyboard.press(';');
  await expect(page.locator('button[data-row][aria-expanded=true]')).toHaveCount(5);
  await page.keyboard.press(':');
  await expect(page.locator('button[data-row][aria-expanded=true]')).toHaveCount(0);
});

test('on a narrow screen nothing but code is wider than the window, and lines wrap', async ({
  page,
  client,
  repositories,
}) => {
  const repository = repositories({ 'src/Login.vue': `const long = '${'word '.repeat(60)}';\n${lines(20)}` });
  const runId = await recordRun(client, repository, () => {
    repository.write({ 'src/Login.vue': `const long = '${'other '.repeat(60)}';\n${lines(20)}` });
  });
  // 320 px is also what 1,280 px are at 400 %.
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'src/Login.vue');
  await row.click();
  await expect(patch.locator('td.diff-code-insert')).toBeVisible();
  const widths = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    wide: [...document.querySelectorAll('main *')]
      .filter(
        (element) =>
          element.getBoundingClientRect().right > innerWidth + 1 && element.closest('[role=toolbar]') === null,
      )
      .map((element) => element.outerHTML.slice(0, 120)),
  }));
  expect(widths).toEqual({ page: 320, wide: [] });
  // One column of numbers: removed lines show the old one, all others the new one.
  const numbers = await patch
    .locator('tr.diff-line')
    .evaluateAll((rows) =>
      rows
        .slice(0, 3)
        .map((line) =>
          [...line.querySelectorAll('td.diff-gutter')]
            .filter((cell) => cell.textContent !== '' && getComputedStyle(cell).fontSize !== '0px')
            .map((cell) => cell.textContent),
        ),
    );
  expect(numbers).toEqual([['1'], ['1'], ['2']]);
  for (const target of await page.locator('button[data-row], [data-tool]').all()) {
    expect((await target.boundingBox())?.height ?? 44).toBeGreaterThanOrEqual(44);
  }
});

test('forced colours keep added and removed apart', async ({ page, client, repositories }) => {
  const repository = repositories(FILES);
  const runId = await recordRun(client, repository, () => changeThings(repository));
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'src/Login.vue');
  await row.click();
  await expect(patch.locator('td.diff-code-insert').first()).toHaveCSS('border-left-style', 'solid');
  await expect(patch.locator('td.diff-code-delete').first()).toHaveCSS('border-left-style', 'dotted');
});
