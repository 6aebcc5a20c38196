import { chmodSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { fileOf, patchLines, recordRun, topOf } from './support/recorded-run';
import { lines } from './support/repository';

/** A small picture of one colour. */
function png(colour: number): Uint8Array {
  const one = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const two = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  return Buffer.from(colour === 1 ? one : two, 'base64');
}

test('a patch opens with its lines, shows more on request, and nothing that is being read moves', async ({
  page,
  client,
  repositories,
}) => {
  const repository = repositories({ 'src/code.ts': lines(200, 'const value =') });
  const runId = await recordRun(client, repository, () => {
    const text = repository.read('src/code.ts');
    repository.write({
      'src/code.ts': text.replace('value = 60\n', 'value = sixty\n').replace('value = 150\n', 'other = 150\n'),
    });
  });
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'src/code.ts');
  await row.click();
  await expect(row).toHaveAttribute('aria-expanded', 'true');
  await expect(patch.getByRole('table')).toHaveCount(1);
  expect((await patchLines(patch)).filter((line) => !line.startsWith(' '))).toEqual([
    '-const value = 60',
    '+const value = sixty',
    '-const value = 150',
    '+const other = 150',
  ]);
  // Word marks stand on what differs, and colours arrive by themselves.
  await expect(patch.locator('td.diff-code-insert span', { hasText: /^sixty$/ }).first()).toBeVisible();

  const held = patch.locator('tr', { hasText: 'const value = sixty' });
  await held.scrollIntoViewIfNeeded();
  const before = await topOf(held);
  await patch.getByRole('button', { name: 'Expand 20 lines above line 57' }).click();
  await expect(patch.getByText('const value = 37', { exact: true })).toBeVisible();
  expect(Math.abs((await topOf(held)) - before)).toBeLessThan(2);
  await patch.getByRole('button', { name: 'Expand 20 lines below the hunk above line 147' }).click();
  await expect(patch.getByText('const value = 83', { exact: true })).toBeVisible();

  await patch.getByRole('button', { name: 'More for src/code.ts' }).click();
  await page.getByRole('menuitem', { name: 'Show the whole file' }).click();
  await expect(patch.getByRole('button', { name: /^Expand/ })).toHaveCount(0);
  await expect(patch.getByText('const value = 200', { exact: true })).toBeAttached();

  await page.mouse.wheel(0, 1500);
  await page.waitForTimeout(300);
  const header = await topOf(row);
  await row.click();
  await expect(row).toHaveAttribute('aria-expanded', 'false');
  expect(Math.abs((await topOf(row)) - header)).toBeLessThan(2);
});

test('each kind of change has its own words', async ({ page, client, repositories }) => {
  const outside = repositories({ secret: 'the text of a file outside\n' }, { git: false });
  const secretFile = join(outside.path, 'secret');
  const repository = repositories({
    'old.ts': lines(30, 'moved'),
    'run.sh': 'echo\n',
    'logo.png': png(1),
    'blob.bin': 'PNG\0one',
    'dos.txt': lines(50),
    'nonl.txt': 'one\ntwo',
    'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
    'link-target': 'x\n',
    'big.txt': 'x'.repeat(3_000_000),
  });
  symlinkSync('link-target', join(repository.path, 'link'));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=link');
  const runId = await recordRun(client, repository, () => {
    repository.git('mv', 'old.ts', 'new.ts');
    chmodSync(join(repository.path, 'run.sh'), 0o755);
    repository.write({
      'logo.png': png(2),
      'blob.bin': 'PNG\0two!',
      'dos.txt': lines(50).replaceAll('\n', '\r\n'),
      'nonl.txt': 'one\ntwo\n',
      'latin.txt': Buffer.from('caf\xe9s\n', 'latin1'),
      'empty.py': '',
      'big.txt': `${'x'.repeat(3_000_000)}y`,
    });
    rmSync(join(repository.path, 'link'));
    symlinkSync(secretFile, join(repository.path, 'link'));
  });
  await page.goto(`/runs/${runId}`);
  const says = async (path: string, ...sentences: (string | RegExp)[]) => {
    const { row, patch } = fileOf(page, path);
    await row.click();
    for (const sentence of sentences) await expect(patch.getByText(sentence).first()).toBeVisible();
    await row.click();
  };
  await says('new.ts', 'Renamed from old.ts.', 'No line changed.');
  await says('run.sh', 'File mode changed: 644 → 755, now executable.');
  await says('blob.bin', 'Binary file changed: 7 B before, 8 B after.', /^[0-9a-f]{40,64}$/);
  await says('dos.txt', 'Only line endings changed: LF → CRLF, in 50 lines. The text is the same.');
  await says('nonl.txt', 'Only the newline at the end of the file was added.');
  await says('latin.txt', /This file is not UTF-8/);
  await says('empty.py', 'An empty file was added.');
  await says('big.txt', /^Too large to compare: 2.9 MB before, 2.9 MB after/);
  await says('link', `Link target changed: link-target → ${secretFile}.`, 'This link leads out of the workspace.');
  const { row, patch } = fileOf(page, 'logo.png');
  await row.click();
  await expect(patch.getByRole('img', { name: 'logo.png before the change' })).toBeVisible();
  await expect(patch.getByRole('img', { name: 'logo.png after the change' })).toBeVisible();
  expect(await page.content()).not.toContain(readFileSync(secretFile, 'utf8').trim());
});

test('the reader chooses how lines are drawn, and the choice stays', async ({ page, client, repositories }) => {
  const repository = repositories({ 'a.py': 'def f():\n    return 1\n\n\ndef g():\n    return 2\n' });
  const runId = await recordRun(client, repository, () => {
    repository.write({ 'a.py': 'def f():\n        return 1\n\n\ndef g():\n    return 3\n' });
  });
  await page.setViewportSize({ width: 1700, height: 900 });
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'a.py');
  await row.click();
  await expect(patch.locator('td.diff-code-insert')).toHaveCount(2);
  await patch.getByRole('button', { name: 'Hide blanks' }).click();
  await expect(patch.locator('td.diff-code-insert')).toHaveCount(1);
  await patch.getByRole('button', { name: 'Hide blanks' }).click();
  await expect(patch.locator('td.diff-code-insert')).toHaveCount(2);
  await patch.getByRole('button', { name: 'Plain text' }).click();
  await expect(patch.getByRole('region', { name: 'Plain text patch of a.py' })).toContainText(
    '-    return 2\n+    return 3',
  );
  await patch.getByRole('button', { name: 'Plain text' }).click();
  await patch.getByRole('button', { name: 'Split' }).click();
  await expect(patch.getByRole('columnheader')).toHaveText(['Old line', 'Before', 'New line', 'After']);
  await page.reload();
  await row.click();
  await expect(patch.getByRole('button', { name: 'Split' })).toHaveAttribute('aria-pressed', 'true');
  await page.setViewportSize({ width: 900, height: 900 });
  await expect(patch.getByRole('columnheader')).toHaveText(['Old line', 'New line', 'Content']);
});

test('lines are marked, linked to and found again', async ({ page, client, repositories, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const repository = repositories({ 'src/a.ts': lines(400, 'line'), 'src/b.ts': lines(10, 'line') });
  const runId = await recordRun(client, repository, () => {
    repository.write({
      'src/a.ts': repository.read('src/a.ts').replace('line 200\n', 'line two hundred\n'),
      'src/b.ts': lines(11, 'line'),
    });
  });
  await page.goto(`/runs/${runId}`);
  const { row, patch } = fileOf(page, 'src/a.ts');
  await row.click();
  await patch.locator('td.diff-gutter', { hasText: /^199$/ }).last().click();
  await patch
    .locator('td.diff-gutter', { hasText: /^201$/ })
    .last()
    .click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(/#f-[0-9a-f]{8}-R199-R201$/);
  const link = page.url();

  // A line far from any change is loaded, shown and focused.
  await page.goto('about:blank');
  await page.goto(link.replace('R199-R201', 'R300-R302'));
  const line = patch
    .locator('tr', { hasText: /^300300?line 300$/ })
    .or(patch.locator('tr', { hasText: 'line 300' }))
    .first();
  await expect(line).toBeFocused();
  await expect(line).toBeInViewport();
  await expect(patch.locator('td.diff-code-selected')).toHaveCount(3);

  await patch.getByRole('button', { name: 'Find' }).click();
  await page.keyboard.type('two hundred');
  await expect(patch.getByText('1 of 1')).toBeVisible();
  await expect(patch.getByText('line two hundred')).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(patch.getByRole('button', { name: 'Find' })).toBeFocused();

  // What is copied has no numbers and no marks.
  await patch.locator('td.diff-code', { hasText: 'line two hundred' }).evaluate((cell) => {
    const next = cell.parentElement?.nextElementSibling?.querySelector('td.diff-code');
    getSelection()?.setBaseAndExtent(cell, 0, next as Element, next?.childNodes.length ?? 0);
  });
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('line two hundred\nline 201');
});

test('the list is filtered, folded into a tree, and remembers what was viewed', async ({
  page,
  client,
  repositories,
}) => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`src/part-${at % 3}/file-${at}.ts`, lines(3, `v${at}`)]),
  );
  const repository = repositories({ ...files, 'package-lock.json': lines(40), 'README.md': lines(3) });
  const write = () => {
    for (const path of Object.keys(files)) repository.write({ [path]: `${repository.read(path)}more\n` });
    repository.write({ 'package-lock.json': lines(41), 'new.md': 'new\n', '.gitignore': 'dist\n' });
    repository.git('rm', '--quiet', 'README.md');
  };
  const runId = await recordRun(client, repository, write);
  await page.goto(`/runs/${runId}`);
  const block = page.getByRole('region', { name: 'Changed 16 files' });
  await expect(block.locator('button[data-row]')).toHaveCount(16);
  await expect(block.getByRole('button', { name: /package-lock.json.*lock file/ })).toBeVisible();
  await expect(block.getByRole('button', { name: /\.gitignore.*ignore rules/ })).toBeVisible();

  await block.getByRole('searchbox', { name: 'Filter files by name' }).fill('part-1');
  await expect(block.locator('button[data-row]')).toHaveCount(4);
  await block.getByRole('searchbox').fill('nothing like it');
  await expect(block.getByText('No file passes this filter.')).toBeVisible();
  await block.getByRole('searchbox').fill('');
  await block.getByRole('button', { name: 'Deleted 1' }).click();
  await expect(block.locator('button[data-row]')).toHaveCount(1);
  await block.getByRole('button', { name: 'All 16' }).click();

  await block.getByRole('button', { name: 'Tree' }).click();
  const folder = block.getByRole('button', { name: 'folder src, 12 files, 12 additions' });
  await expect(folder).toHaveAttribute('aria-expanded', 'true');
  const top = await topOf(folder);
  await folder.click();
  await expect(block.getByRole('button', { name: /file-1\.ts/ })).toHaveCount(0);
  expect(Math.abs((await topOf(folder)) - top)).toBeLessThan(2);
  await block.getByRole('button', { name: 'Flat' }).click();

  const { row, patch } = fileOf(page, 'new.md');
  await row.click();
  await patch.getByRole('checkbox', { name: 'Viewed' }).click();
  await expect(row).toBeFocused();
  await expect(row).toHaveAttribute('aria-expanded', 'false');
  await expect(block.getByText('1 of 16 viewed')).toBeVisible();
  await page.reload();
  await expect(block.getByText('1 of 16 viewed')).toBeVisible();
  await expect(row).toHaveAccessibleName(/^added new\.md, 1 addition.*, viewed$/);
});

test('a file that is no longer as the run left it says so', async ({ page, client, repositories }) => {
  const repository = repositories({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const runId = await recordRun(client, repository, () => repository.write({ 'a.txt': 'A\n', 'b.txt': 'B\n' }));
  repository.write({ 'b.txt': 'edited later\n' });
  await page.goto(`/runs/${runId}`);
  await expect(
    page.getByRole('button', { name: 'modified b.txt, 1 addition, 1 deletion, has changed since' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'modified a.txt, 1 addition, 1 deletion', exact: true })).toBeVisible();
});

test('what came with git is folded under what moved', async ({ page, client, repositories }) => {
  const repository = repositories({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  repository.git('checkout', '--quiet', '-b', 'other');
  repository.write({ 'b.txt': 'B\n' });
  repository.git('commit', '--quiet', '--all', '--message=b');
  repository.git('checkout', '--quiet', 'main');
  const runId = await recordRun(client, repository, () => {
    repository.git('checkout', '--quiet', 'other');
    repository.write({ 'a.txt': 'A\n' });
  });
  await page.goto(`/runs/${runId}`);
  const block = page.getByRole('region', { name: 'Changed 1 file' });
  await expect(block.locator('button[data-row]')).toHaveCount(1);
  const moved = block.getByRole('button', { name: /main → other, 1 file came with git checkout/ });
  await moved.click();
  await expect(block.getByRole('button', { name: 'modified b.txt, 1 addition, 1 deletion' })).toBeVisible();
});
