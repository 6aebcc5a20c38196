import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, PROJECT, type Tidemark, test } from './fixtures';

/** A real MCP client, over each way in. */
const WAYS = {
  'standard input and output': (tidemark: Tidemark, _url: string, folder: string) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [join(PROJECT, 'dist', 'tidemark.mjs'), 'mcp'],
      cwd: folder,
      env: tidemark.env,
    }),
  HTTP: (tidemark: Tidemark, url: string, folder: string) =>
    new StreamableHTTPClientTransport(new URL(`${url}/api/mcp?workspace=${encodeURIComponent(folder)}`), {
      requestInit: {
        headers: { authorization: `Bearer ${readFileSync(join(tidemark.dataDir, 'token'), 'utf8').trim()}` },
      },
    }),
};

for (const [way, transport] of Object.entries(WAYS)) {
  test(`a client over ${way} edits, checks itself and reads its run’s patch`, async ({
    tidemark,
    server,
    repository,
    client: http,
  }) => {
    const repo = repository({ 'a.txt': 'one\ntwo\n' });
    const client = new Client({ name: 'tester', version: '1' });
    await client.connect(transport(tidemark, server.client.url, repo.path) as Parameters<Client['connect']>[0]);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError = false, _meta } = await client.callTool({ name, arguments: args });
      return { text: (content as { text: string }[])[0]?.text ?? '', isError, meta: _meta as Record<string, string> };
    };
    const edited = await call('edit', { path: 'a.txt', old_string: 'two', new_string: '2' });
    expect(edited.text).toBe('Edited a.txt (1 replacement).\n```diff\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n```');
    expect(repo.read('a.txt')).toBe('one\n2\n');
    expect((await call('run_changes')).text).toContain('M a.txt +1 −1');
    const patch = await call('run_patch');
    repo.write({ 'undo.patch': patch.meta.patch ?? '' });
    repo.git('apply', '-R', 'undo.patch');
    expect(repo.read('a.txt')).toBe('one\ntwo\n');
    expect(await call('edit', { path: '/etc/passwd', old_string: 'root', new_string: 'x' })).toMatchObject({
      isError: true,
    });
    await expect(client.callTool({ name: 'shell', arguments: {} })).resolves.toMatchObject({ isError: true });

    await call('write', { path: 'kept.txt', content: 'kept\n' });
    await client.close();
    if (way !== 'HTTP') {
      // The process said goodbye: its run is over.
      await expect.poll(async () => (await http.readRun(edited.meta.run_id ?? '')).run.status).toBe('completed');
      const { change } = await http.readRun(edited.meta.run_id ?? '');
      expect(change?.files.map(({ path, origin }) => [path, origin])).toEqual([
        ['kept.txt', 'tool'],
        ['undo.patch', 'other'],
      ]);
    }
  });
}

test('an agent of ours that is offered the tools edits in its own run', async ({
  anotherServer,
  repository,
  folder,
}) => {
  const agents = join(folder, 'agents.json');
  const program = join(PROJECT, 'e2e', 'support', 'tool-using-agent.mjs');
  writeFileSync(
    agents,
    JSON.stringify({ agents: [{ id: 'tools', name: 'Tools', command: process.execPath, args: [program], env: {} }] }),
  );
  const calls = [
    { name: 'edit', arguments: { path: 'hello.txt', old_string: 'world', new_string: 'tools' } },
    { name: 'run_changes', arguments: {} },
  ];
  for (const offers of ['1', '0']) {
    const { server } = await anotherServer({ TIDEMARK_AGENTS: agents, TIDEMARK_AGENT_MCP: offers });
    const repo = repository();
    const session = await server.client.createSession({ workspace: repo.path, agent: 'tools' });
    const { id } = await server.client.startAgentRun(session.id, JSON.stringify(calls));
    await expect.poll(async () => (await server.client.readRun(id)).run.status, { timeout: 30_000 }).toBe('completed');
    const read = JSON.parse(Buffer.from((await server.client.request('GET', `/api/runs/${id}`)).bytes).toString());
    const answer = read.messages.at(-1).text;
    if (offers === '0') {
      expect(answer).toBe('no tools');
      continue;
    }
    expect(answer).toContain('-hello world\n+hello tools\n');
    expect(answer).toContain(`M hello.txt +1 −1`);
    expect(answer).toContain(id);
    expect(read.tool_calls.map(({ tool, status }: { tool: string; status: string }) => `${tool} ${status}`)).toEqual([
      'tidemark edit completed',
    ]);
    expect(read.change.files.map(({ path, origin }: { path: string; origin: string }) => [path, origin])).toEqual([
      ['hello.txt', 'tool'],
    ]);
  }
});

test('without a server the proxy says so and ends', async ({ tidemark, folder }) => {
  const { code, stderr } = await tidemark.run(['mcp'], { env: { TIDEMARK_DATA_DIR: join(folder, 'empty') } });
  expect(code).toBe(69);
  expect(stderr).toContain('Tidemark is not running');
});

test('the proxy answers what is no message, and a server that went away', async ({ anotherServer, repository }) => {
  const { server, tidemark } = await anotherServer();
  const { path } = repository();
  const child = tidemark.start(['mcp'], { cwd: path });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdin?.write('this is no message\n\n');
  await expect.poll(() => said).toContain('-32700');
  child.stdin?.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } })}\n`,
  );
  await expect.poll(() => said).toContain('"serverInfo"');
  await server.kill();
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
  await expect.poll(() => said).toMatch(/"id":2,"error".*does not answer/);
  child.stdin?.end();
  await new Promise((resolve) => child.once('exit', resolve));
  expect(child.exitCode).toBe(0);
});
