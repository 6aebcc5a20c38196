import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures';
import { fileOf, patchLines, recordRun } from './support/recorded-run';
import { lines, Repository } from './support/repository';

const AWS_ID = 'AKIAIOSFODNN7EXAMPLE';
const AWS_SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const KEY_LINE = 'MIIEpAIBAAKCAQEA04up8hoqzS1+APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1';
const SECRETS = [AWS_ID, AWS_SECRET, KEY_LINE, 'staging-pass-77', 'c0rrect-horse'];

/** A run that changed code, a file of secrets and a key, and quotes one of them in its answer. */
async function secretRun(client: Parameters<typeof recordRun>[0], repository: Repository): Promise<string> {
  return recordRun(
    client,
    repository,
    () => {
      repository.write({
        'src/app.ts': repository.read('src/app.ts').replace('line 5\n', 'line five\n'),
        'src/config.ts': `export const id = '${AWS_ID}';\nexport const password = 'c0rrect-horse';\n`,
        '.env': `DB_PASSWORD=staging-pass-77\nAWS_SECRET_ACCESS_KEY=${AWS_SECRET}\n`,
        'deploy.pem': `-----BEGIN RSA PRIVATE KEY-----\n${KEY_LINE}\n-----END RSA PRIVATE KEY-----\n`,
        'notes.txt': 'left out\n',
      });
    },
    { prompt: 'Use staging-pass-77 for the database', message: 'Done; the password is **c0rrect-horse** now.' },
  );
}

function repositoryWithSecrets(repositories: (files: Record<string, string>) => Repository): Repository {
  return repositories({ 'src/app.ts': lines(30), '.gitignore': '.env\n', '.env': 'DB_PASSWORD=old\n' });
}

/** Opens the dialog, makes a link, and reads it. */
async function makeLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this run' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  return dialog.getByRole('textbox', { name: 'Link to this run' }).inputValue();
}

test('the owner sees what is masked, makes a link, and takes it back', async ({
  page,
  client,
  repositories,
  browser,
}) => {
  const runId = await secretRun(client, repositoryWithSecrets(repositories));
  await page.goto(`/runs/${runId}`);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this run' });
  const masked = dialog.getByRole('region', { name: 'What will be masked' });
  for (const place of ['The prompt', 'The answer', '.env', 'deploy.pem', 'src/config.ts']) {
    await expect(masked.getByRole('listitem').filter({ hasText: place })).toBeVisible();
  }
  await dialog.getByText('All 5 files shared').click();
  await dialog.getByRole('checkbox', { name: 'notes.txt' }).uncheck();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(dialog.getByText('Opens on this computer only.')).toBeVisible();
  const url = await dialog.getByRole('textbox', { name: 'Link to this run' }).inputValue();
  expect(url).toMatch(/\/s\/[\w-]{20,}$/);

  // Somebody else's browser: no cookie, and nothing of the owner's is reachable from it.
  const stranger = await browser.newContext();
  const theirs = await stranger.newPage();
  const asked: string[] = [];
  theirs.on('request', (request) => asked.push(request.url()));
  await theirs.goto(url);
  await expect(theirs.getByRole('region', { name: 'Changed 4 files' })).toBeVisible();
  await expect(theirs.getByText('1 file left out')).toBeVisible();
  await expect(theirs.locator('[data-row="notes.txt"]')).toHaveCount(0);
  for (const path of ['src/config.ts', '.env', 'deploy.pem', 'src/app.ts']) {
    const { row, patch } = fileOf(theirs, path);
    await row.click();
    await expect(patch.locator('td.diff-code').first()).toBeVisible();
  }
  expect(await patchLines(fileOf(theirs, 'src/config.ts').patch)).toEqual([
    "+export const id = '••••••••';",
    "+export const password = '••••••••';",
  ]);
  expect(await patchLines(fileOf(theirs, 'src/app.ts').patch)).toContain('+line five');
  const html = await theirs.content();
  for (const secret of SECRETS) expect(html, secret).not.toContain(secret);
  // Hidden lines come through the same door.
  await fileOf(theirs, 'src/app.ts').patch.getByRole('button', { name: 'Expand 20 lines below' }).click();
  await expect(theirs.getByText('line 20', { exact: true })).toBeVisible();
  const origin = new URL(url).origin;
  const token = new URL(url).pathname.slice('/s/'.length);
  for (const address of asked) {
    expect(
      address.startsWith(`${origin}/s/${token}`) || /^(blob:|data:)|\/_next\/static\/|\/icon/.test(address),
      address,
    ).toBe(true);
  }

  // Nothing else opens: other addresses, other tokens, other files, writing.
  const change = (await client.readRun(runId)).change;
  const leftOut = change?.files.find(({ path }) => path === 'notes.txt')?.id;
  const outside = stranger.request;
  for (const path of ['/api/sessions', `/api/runs/${runId}`, `/api/runs/${runId}/export.json`]) {
    expect((await outside.get(origin + path)).status(), path).toBe(401);
  }
  for (const path of [
    `/s/${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    `/s/${token}x/changes`,
    '/s/constructor/changes',
    `/s/${token}/files/${leftOut}`,
    `/s/${token}/files/${leftOut}/comparison`,
    `/s/${token}/files/file_of_nobody`,
  ]) {
    expect((await outside.get(origin + path)).status(), path).toBe(404);
  }
  expect((await outside.post(`${origin}/s/${token}`)).status()).toBe(405);
  expect((await outside.delete(`${origin}/s/${token}/files`)).status()).toBe(405);
  const answer = await outside.get(url);
  expect(answer.headers()).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
  expect(answer.headers()['content-security-policy']).toContain("default-src 'none'");
  expect(await answer.text()).not.toContain(repositoryPath(change));

  await dialog.getByRole('button', { name: 'Revoke link 1' }).click();
  await expect(dialog.getByRole('button', { name: 'Revoke link 1' })).toHaveCount(0);
  const unknown = await (await outside.get(`${origin}/s/unknown/changes`)).text();
  const revoked = await outside.get(`${url}/changes`);
  expect(revoked.status()).toBe(404);
  expect(await revoked.text()).toBe(unknown);
  expect((await outside.get(url)).status()).toBe(404);
  await stranger.close();
});

function repositoryPath(change: { workspace: string } | null): string {
  if (!change) throw new Error('The run has no change');
  return change.workspace;
}

test('a link shows one run, and not another one of the same session', async ({
  page,
  client,
  repositories,
  playwright,
}) => {
  const repository = repositories({ 'a.txt': 'a\n' });
  const session = await client.createSession({ workspace: repository.path });
  const first = await recordRun(client, repository, () => repository.write({ 'a.txt': 'one\n' }), {
    sessionId: session.id,
  });
  const second = await recordRun(client, repository, () => repository.write({ 'a.txt': 'two\n' }), {
    sessionId: session.id,
  });
  await page.goto(`/runs/${first}`);
  const url = await makeLink(page);
  const other = (await client.readRun(second)).change?.files[0]?.id;
  const outside = await playwright.request.newContext();
  expect((await outside.get(`${url}/files/${other}`)).status()).toBe(404);
  const { changes } = await (await outside.get(`${url}/changes`)).json();
  expect(changes.map((change: { run_id: string }) => change.run_id)).toEqual([first]);
  await outside.dispose();
});

test('what is exported says the same, masked, and the repository may be gone', async ({
  page,
  client,
  repositories,
  playwright,
}) => {
  const repository = repositoryWithSecrets(repositories);
  const runId = await secretRun(client, repository);
  await page.goto(`/runs/${runId}`);
  const url = await makeLink(page);
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=later');
  repository.git('gc', '--quiet', '--prune=now');
  const clone = Repository.create({ 'src/app.ts': lines(30), '.gitignore': '.env\n' });
  rmSync(repository.path, { recursive: true });

  const outside = await playwright.request.newContext();
  const read = async (name: string) => {
    const answer = await outside.get(`${url}/${name}`);
    expect(answer.status(), name).toBe(200);
    return answer.text();
  };
  for (const name of ['patch', 'export.json', 'export.md', 'export.html', 'changes', 'files']) {
    const text = await read(name);
    for (const secret of SECRETS) expect(text, `${secret} in ${name}`).not.toContain(secret);
  }
  const patch = await outside.get(`${url}/patch`);
  expect(Number(patch.headers()['x-tidemark-omitted'])).toBe(2);
  writeFileSync(join(clone.path, 'run.patch'), await patch.body());
  execFileSync('git', ['apply', 'run.patch'], { cwd: clone.path });
  expect(clone.read('src/app.ts')).toContain('line five\n');
  expect(clone.read('notes.txt')).toBe('left out\n');
  const exported = JSON.parse(await read('export.json'));
  expect(exported.files).toHaveLength(5);
  expect(exported.run.prompt).toBe('Use •••••••• for the database');
  expect(await read('export.md')).toContain('| M | `src/app.ts` | +1 | −1 |');
  clone.remove();
  await outside.dispose();
});

test('the exported file opens from disk, with every patch, and asks nothing of the network', async ({
  page,
  client,
  repositories,
  browser,
}, testInfo) => {
  const repository = repositories({ 'src/app.ts': lines(30), 'page.html': '<p>\n' });
  const runId = await recordRun(
    client,
    repository,
    () => {
      repository.write({
        'src/app.ts': `const value = 1;\n${lines(30)}`,
        'page.html': '</script><script>document.title = "taken over"</script>\n<!-- <script>\n',
        '<img src=x onerror=alert(1)>.txt': 'name\n',
      });
    },
    { prompt: '</script><script>document.title = "taken over"</script>', message: '# Done' },
  );
  await page.goto(`/runs/${runId}`);
  await page.getByRole('button', { name: 'Save changed 3 files' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'HTML file' }).click(),
  ]);
  const file = testInfo.outputPath('run.html');
  await download.saveAs(file);
  expect(readFileSync(file, 'utf8')).toContain("default-src 'none'");

  const context = await browser.newContext({ offline: true });
  const offline = await context.newPage();
  const heard: string[] = [];
  offline.on('pageerror', (error) => heard.push(error.message));
  offline.on('console', (message) => message.type() === 'error' && heard.push(message.text()));
  const asked: string[] = [];
  offline.on('request', (request) => !/^(file|blob|data):/.test(request.url()) && asked.push(request.url()));
  await offline.goto(pathToFileURL(file).href);
  await expect(offline).toHaveTitle(/^Changed 3 files in /);
  await expect(offline.getByRole('heading', { name: 'Done' })).toBeVisible();
  for (const path of ['src/app.ts', 'page.html', '<img src=x onerror=alert(1)>.txt']) {
    const { row, patch } = fileOf(offline, path);
    await row.click();
    await expect(patch.locator('td.diff-code-insert').first()).toBeVisible();
  }
  await expect(
    fileOf(offline, 'src/app.ts')
      .patch.locator('span', { hasText: /^const$/ })
      .first(),
  ).toBeVisible();
  expect(await patchLines(fileOf(offline, 'page.html').patch)).toContain('+<!-- <script>');
  await expect(offline.getByRole('button', { name: /^Expand / })).toHaveCount(0);
  expect({ heard, asked }).toEqual({ heard: [], asked: [] });
  await context.close();
});
