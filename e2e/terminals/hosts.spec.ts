import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { finished } from '@/lib/testing/command-line';
import type { WireRun } from '../conformance/client';
import { expect, PROJECT, test } from './fixtures';

/** The examples of the README, as they stand. */
function example(language: 'sh' | 'ts' | 'python'): string {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code as string,
  );
  const found = blocks.find((code) => code.includes('hello from'));
  if (found === undefined) throw new Error(`The README has no example in ${language}`);
  return found;
}

const HOSTS = {
  curl: { says: 'hello from curl\n', prints: null, command: async () => ['sh', '-ec', example('sh')] },
  TypeScript: {
    says: 'hello from TypeScript\n',
    prints: 'greeting.txt +1 -0\n',
    command: async (folder: string) => {
      const { code } = await transform(example('ts'), { loader: 'ts', format: 'esm', target: 'node20' });
      const file = join(folder, 'host.mjs');
      writeFileSync(file, code);
      return [process.execPath, file];
    },
  },
  Python: {
    says: 'hello from Python\n',
    prints: 'greeting.txt +1 -0\n',
    command: async () => ['python3', '-c', example('python')],
  },
};

for (const [language, { says, prints, command }] of Object.entries(HOSTS)) {
  test(`the host in ${language} from the README records its run`, async ({ tidemark, client, folder }) => {
    const workspace = join(folder, 'work');
    mkdirSync(workspace);
    const [program = '', ...args] = await command(folder);
    const token = readFileSync(join(tidemark.dataDir, 'token'), 'utf8').trim();
    const env: Record<string, string | undefined> = {
      ...tidemark.env,
      TIDEMARK_URL: client.url,
      TIDEMARK_TOKEN: token,
    };
    const result = await finished(spawn(program, args, { cwd: workspace, env: env as NodeJS.ProcessEnv }));
    expect(result).toMatchObject({ code: 0, stderr: '' });
    if (prints !== null) expect(result.stdout).toBe(prints);
    expect(readFileSync(join(workspace, 'greeting.txt'), 'utf8')).toBe(says);

    const { bytes } = await client.request('GET', `/api/runs?workspace=${encodeURIComponent(workspace)}`);
    const { runs } = JSON.parse(Buffer.from(bytes).toString()) as { runs: WireRun[] };
    expect(runs).toMatchObject([{ prompt: 'Write a greeting', status: 'completed', external: true }]);
    const { change } = await client.readRun(runs[0]?.id ?? '');
    expect(change?.files.map(({ change_type, path, additions }) => [change_type, path, additions])).toEqual([
      ['added', 'greeting.txt', 1],
    ]);
    expect(change?.files[0]?.origin).toBe(language === 'TypeScript' ? 'tool' : 'command');
  });
}

test('the API document describes what answers, and names this server', async ({ client }) => {
  const { status, bytes } = await client.request('GET', '/api/openapi.json');
  expect(status).toBe(200);
  const document = JSON.parse(Buffer.from(bytes).toString());
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: client.url }] });
  for (const [path, methods] of Object.entries<Record<string, unknown>>(document.paths)) {
    if (!('get' in methods) || path.includes('{') || path === '/api/search') continue;
    expect([path, (await client.request('GET', path)).status]).toEqual([path, 200]);
  }
});

test('a workspace’s snapshot is exported without loss, compared, and tells of drift', async ({
  tidemark,
  client,
  repository,
}) => {
  const repo = repository({ 'a.txt': 'hello', 'b.txt': 'world', '日本.txt': 'x' });
  const session = await client.createSession({ workspace: repo.path });
  const address = `/api/sessions/${session.id}/snapshot`;
  const token = readFileSync(join(tidemark.dataDir, 'token'), 'utf8').trim();
  const ask = async (method: 'GET' | 'POST', body?: string) => {
    const init = { method, headers: { authorization: `Bearer ${token}` }, ...(body !== undefined && { body }) };
    const answer = await fetch(client.url + address, init);
    return { status: answer.status, text: await answer.text() };
  };
  const runOnce = async () => {
    const run = await client.startOutsideRun(session.id, 'go');
    await client.request('POST', `/api/sessions/${session.id}/runs/${run.id}/complete`, {});
  };
  expect((await ask('GET')).status).toBe(404);
  await runOnce();
  const { text: first } = await ask('GET');
  const { files, captured_at } = JSON.parse(first);
  expect(Object.keys(files)).toEqual(['a.txt', 'b.txt', '日本.txt']);
  expect(captured_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  // FNV-1a-64 of "hello", in full: more than a JavaScript number holds.
  expect(first).toContain('"head_hash": 11831194018420276491');
  expect(JSON.parse((await ask('POST', first)).text)).toEqual({ added: [], changed: [], removed: [], is_drift: false });

  repo.write({ 'a.txt': 'changed', 'c.txt': 'new' });
  unlinkSync(join(repo.path, 'b.txt'));
  await runOnce();
  expect(JSON.parse((await ask('POST', first)).text)).toEqual({
    added: ['c.txt'],
    changed: ['a.txt'],
    removed: ['b.txt'],
    is_drift: true,
  });
  expect((await client.changes(session.id, 'drift')).map(({ changed_count }) => changed_count)).toEqual([3]);
  expect((await ask('POST', '{"files": 1}')).status).toBe(400);
});
