import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { lines } from './support/repository';
import { expectRows, SessionPage } from './support/session-page';

/** A repository with as many files as a real one has. */
function manyFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let folder = 0; folder < 100; folder += 1) {
    for (let file = 0; file < 55; file += 1)
      files[`packages/p${folder}/file-${file}.ts`] = lines(12, `p${folder} ${file}`);
  }
  return files;
}

const COMMAND = [
  "sed -i 's/^line 3$/line three/' src/Login.vue",
  "sed -i 's/^line 10$/line ten/; $d' src/router.ts",
  'mkdir -p src/api/v2',
  'seq 48 > src/api/v2/auth.ts',
  'rm old/login.js',
  'git mv src/guard.ts src/router-guard.ts',
  "printf 'PNG\\000\\001\\002changed' > assets/logo.png",
].join(' && ');

test('a person runs a command in a repository of 5,500 files and sees exactly what it changed', async ({
  page,
  server,
  repositories,
}) => {
  const repository = repositories({
    ...manyFiles(),
    'src/Login.vue': lines(20),
    'src/router.ts': lines(12),
    'src/guard.ts': lines(30, 'guard'),
    'old/login.js': lines(22, 'old'),
    'assets/logo.png': 'PNG\0\u0001first',
  });
  const before = repository.imprint();
  const patches: string[] = [];
  page.on('request', (request) => {
    if (/\/files\/[^/]+(\/comparison)?$/.test(new URL(request.url()).pathname)) patches.push(request.url());
  });

  await page.goto(`${server.client.url}/`);
  await page.getByRole('link', { name: 'New session' }).first().click();
  await page.getByLabel('Workspace folder').fill(repository.path);
  await page.getByLabel('Agent').selectOption('shell');
  await page.getByRole('button', { name: 'Start session' }).click();
  const session = new SessionPage(page);
  await expect(session.message).toBeVisible();
  expect(repository.imprint()).toEqual(before);

  await session.sayAndWait(COMMAND);
  const block = session.block(1);
  await expect(block).toHaveAccessibleName('Changed 6 files, run 1');
  await expect(block.getByRole('heading', { name: 'Changed 6 files' })).toBeVisible();
  await expect(block.getByText('+50 \u221225')).toBeVisible();
  const rows = [
    'modified assets/logo.png, binary changed, 10 B to 13 B',
    'deleted old/login.js, 22 deletions',
    'modified src/Login.vue, 1 addition, 1 deletion',
    'added src/api/v2/auth.ts, 48 additions',
    'renamed src/guard.ts to src/router-guard.ts, no line changes',
    'modified src/router.ts, 1 addition, 2 deletions',
  ];
  await expectRows(block, rows);
  expect(patches).toEqual([]);

  await page.reload();
  await expect(block).toHaveAccessibleName('Changed 6 files, run 1');
  await expectRows(block, rows);
  expect(patches).toEqual([]);

  await block.getByRole('link', { name: 'Review' }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(page.getByRole('region', { name: 'Changed 6 files' })).toBeVisible();
  await expectRows(page.getByRole('region', { name: 'Changed 6 files' }), rows);
  expect(patches).toEqual([]);
});

test('each patch equals git’s own, and is asked for only when its row opens', async ({
  page,
  client,
  repositories,
  startSession,
}) => {
  const repository = repositories({
    'src/Login.vue': lines(40),
    'src/router.ts': lines(12),
    'notes.md': 'one line without an end',
    'old/login.js': lines(9, 'old'),
  });
  const patches: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/files\/[^/]+$/.test(pathname)) patches.push(pathname);
  });
  const session = await startSession(repository.path);
  await session.sayAndWait(
    "sed -i 's/^line 7$/line seven/; s/^line 30$/line thirty/' src/Login.vue && printf 'changed' > notes.md && rm old/login.js && printf 'a\\nb\\n' > new.txt",
  );
  await expect(session.block(1)).toHaveAccessibleName('Changed 4 files, run 1');
  repository.git('add', '--intent-to-add', 'new.txt');
  const [change] = await client.changes(session.id);

  for (const [at, file] of change!.files.entries()) {
    expect(patches).toHaveLength(at);
    const row = session.block(1).getByRole('button', { name: new RegExp(`^\\w+ ${file.path.replace('.', '\\.')}`) });
    const answered = page.waitForResponse((response) => response.url().endsWith(`/files/${file.id}`));
    await row.click();
    await expect(row).toHaveAttribute('aria-expanded', 'true');
    const { file: body } = (await (await answered).json()) as { file: { patch: string } };
    const git = repository.git('diff', '--no-color', '--no-ext-diff', 'HEAD', '--', file.path);
    expect(withoutIds(body.patch)).toBe(withoutIds(git));
    await expect(row.locator('xpath=ancestor::li[1]').getByRole('table').first()).toBeVisible();
  }
  expect(patches).toHaveLength(4);
  expect(readFileSync(join(repository.path, 'notes.md'), 'utf8')).toBe('changed');
});

/** Blob ids are abbreviated to the size of the object store that was asked. */
function withoutIds(patch: string): string {
  return patch
    .split('\n')
    .filter((line) => !line.startsWith('index '))
    .join('\n')
    .trimEnd();
}
