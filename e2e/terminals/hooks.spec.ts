import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CommandResult, finished } from '@/lib/testing/command-line';
import { RECORDINGS, type Recording, recordedRequests } from '@/lib/testing/hook-recordings';
import { performCall } from '@/lib/testing/scripted-tools';
import type { Client, WireRun } from '../conformance/client';
import { expect, type Tidemark, test, tidemarkFor } from './fixtures';

/** The command that an agent finds in its settings for an event, run as agents run it. */
function hookOf(tidemark: Tidemark, file: string, env: Record<string, string> = {}) {
  const settings = JSON.parse(readFileSync(join(tidemark.home, file), 'utf8'));
  const commands: string[] = Object.values<{ hooks: { command: string }[] }[]>(settings.hooks).map(
    (list) => list.at(-1)?.hooks[0]?.command ?? '',
  );
  expect(new Set(commands).size).toBe(1);
  const [command = ''] = commands;
  return (body: unknown): Promise<CommandResult> => {
    const child = spawn('/bin/sh', ['-c', command], {
      env: { ...tidemark.env, ...env } as unknown as NodeJS.ProcessEnv,
    });
    return finished(child, typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const SETTINGS = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  qwen: '.qwen/settings.json',
};

/** Does what the recorded call did, where it is the beginning of one. */
function perform(body: unknown, workspace: string, agent: string): void {
  const { hook_event_name, tool_name, tool_input } = body as Record<string, string>;
  if (hook_event_name !== 'PreToolUse' && hook_event_name !== 'BeforeTool') return;
  // Codex refused to remove the file.
  if (agent === 'codex' && JSON.stringify(tool_input).includes('rm -f')) return;
  performCall(tool_name ?? '', tool_input, workspace);
}

async function runsIn(client: Client, path: string): Promise<WireRun[]> {
  const { bytes } = await client.request('GET', `/api/runs?workspace=${encodeURIComponent(path)}`);
  return (JSON.parse(Buffer.from(bytes).toString()) as { runs: WireRun[] }).runs;
}

/** What the last run in a folder changed, once it has ended. */
async function rowsIn(client: Client, path: string): Promise<string[]> {
  await expect.poll(async () => (await runsIn(client, path)).map(({ status }) => status)).not.toContain('running');
  const [run] = await runsIn(client, path);
  const { change } = await client.readRun(run?.id ?? '');
  return (change?.files ?? []).map(
    (file) => `${file.change_type} ${file.path} +${file.additions} -${file.deletions} ${file.origin}`,
  );
}

const ALL_FOUR = [
  'added by-shell.txt +1 -0 command',
  'deleted doomed.txt +0 -1 command',
  'modified hello.txt +1 -1 tool',
  'added new.txt +1 -0 tool',
];

for (const recording of [
  'claude-full',
  'codex-full',
  'gemini-full',
  'qwen-full',
  'qwen24-full',
] as const satisfies Recording[]) {
  const agent = RECORDINGS[recording];
  test(`what ${recording} sent, through the installed hook, becomes one run`, async ({
    tidemark,
    client,
    repository,
  }) => {
    const { path } = repository();
    expect(await tidemark.run(['hooks', 'install', agent])).toMatchObject({ code: 0 });
    const hook = hookOf(tidemark, SETTINGS[agent]);
    for (const { body } of recordedRequests(recording, path)) {
      // Nothing that an agent would read, and never a failure.
      expect(await hook(body)).toMatchObject({ code: 0, stdout: '', stderr: '' });
      perform(body, path, agent);
    }
    const expected = agent === 'codex' ? ALL_FOUR.slice(2) : ALL_FOUR;
    expect(await rowsIn(client, path)).toEqual(expected);
    expect(await runsIn(client, path)).toMatchObject([
      { status: 'completed', prompt: expect.stringContaining('SCRIPT:full') },
    ]);
    expect((await tidemark.run(['hooks', 'status', agent])).stdout).toContain('installed, last event just now');
  });
}

test('what opencode does, through the installed plugin, becomes one run', async ({
  tidemark,
  client,
  repository,
  folder,
}) => {
  const { path } = repository();
  await tidemark.run(['hooks', 'install', 'opencode']);
  const module = join(folder, 'plugin.mjs');
  copyFileSync(join(tidemark.home, '.config/opencode/plugins/tidemark.js'), module);
  // As opencode calls it: one plugin, its hooks by name.
  const script = `
    import { readFileSync } from 'node:fs';
    const { Tidemark } = await import(${JSON.stringify(pathToFileURL(module).href)});
    const hooks = await Tidemark({ directory: process.cwd(), worktree: process.cwd() });
    for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
      const { event, body } = JSON.parse(line);
      if (event.startsWith('event:')) await hooks.event({ event: body });
      else await hooks[event]?.(body.input, body.output);
      if (event === 'tool.execute.before') process.stdout.write(line + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: path,
    env: tidemark.env as unknown as NodeJS.ProcessEnv,
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) {
      const { input, output } = JSON.parse(line).body;
      performCall(input.tool, output.args, path);
    }
  });
  const events = recordedRequests('opencode-acp', path).filter(({ event }) => event !== 'plugin.init');
  const input = events.map(({ event, body }) => JSON.stringify({ event, body })).join('\n');
  expect(await finished(child, input)).toMatchObject({ code: 0, stderr: '' });
  expect(await rowsIn(client, path)).toEqual(ALL_FOUR);
  expect(await runsIn(client, path)).toMatchObject([
    { status: 'completed', prompt: expect.stringContaining('SCRIPT:full') },
  ]);
});

test.describe('an agent never feels', () => {
  const event = (path: string, hook_event_name: string, rest: object = {}) => ({
    session_id: 's',
    cwd: path,
    hook_event_name,
    ...rest,
  });

  test('that Tidemark is away; it is told once, and recorded again once Tidemark is back', async ({
    scratch,
    folder,
    repository,
  }) => {
    const { path } = repository();
    const dataDir = join(folder, 'data');
    const tidemark = tidemarkFor(dataDir, scratch, join(folder, 'home'));
    await tidemark.run(['hooks', 'install', 'claude']);
    const hook = hookOf(tidemark, SETTINGS.claude);
    const told = {
      code: 0,
      stdout: '',
      stderr: 'tidemark: not running, so this work is not recorded (tidemark start)\n',
    };
    expect(await hook(event(path, 'UserPromptSubmit', { prompt: 'go' }))).toEqual({ ...told, signal: null });
    expect(await hook(event(path, 'Stop'))).toMatchObject({ code: 0, stdout: '', stderr: '' });
    // A server that crashed leaves its file behind.
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'token'), 'x'.repeat(40));
    const stale = { url: 'http://127.0.0.1:9', pid: 1, token_file: join(dataDir, 'token'), version: '0' };
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify(stale));
    expect(await hook(event(path, 'Stop'))).toMatchObject({ code: 0, stdout: '', stderr: '' });

    const { Server } = await import('../conformance/server');
    const server = await Server.start(process.cwd(), scratch, { dataDir });
    try {
      await hook(event(path, 'UserPromptSubmit', { prompt: 'again' }));
      await hook(event(path, 'Stop'));
      expect(await rowsIn(server.client, path)).toEqual([]);
      expect(await runsIn(server.client, path)).toMatchObject([{ prompt: 'again', status: 'completed' }]);
      expect(existsSync(join(dataDir, 'hooks', 'away'))).toBe(false);
    } finally {
      await server.stop();
    }
    expect(await hook(event(path, 'Stop'))).toEqual({ ...told, signal: null });
  });

  test('that Tidemark hangs', async ({ scratch, folder, repository }) => {
    const { path } = repository();
    const dataDir = join(folder, 'data');
    const tidemark = tidemarkFor(dataDir, scratch, join(folder, 'home'));
    const asked: string[] = [];
    const hanging = createServer((request) => {
      asked.push(request.url ?? '');
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    try {
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(join(dataDir, 'token'), 'x'.repeat(40));
      const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
      writeFileSync(
        join(dataDir, 'server.json'),
        JSON.stringify({ url, pid: process.pid, token_file: join(dataDir, 'token'), version: '0' }),
      );
      await tidemark.run(['hooks', 'install', 'claude']);
      const hook = hookOf(tidemark, SETTINGS.claude);
      for (const name of ['UserPromptSubmit', 'PreToolUse', 'Stop']) {
        expect(await hook(event(path, name, { prompt: 'go' }))).toMatchObject({ code: 0, stdout: '' });
      }
      expect(asked).toEqual(Array(3).fill('/api/hooks/claude'));
    } finally {
      hanging.closeAllConnections();
      hanging.close();
    }
  });

  test('that Tidemark was restarted in the middle of a run', async ({ anotherServer, scratch, repository }) => {
    const { server, tidemark } = await anotherServer();
    const { path, write } = repository();
    void write;
    await tidemark.run(['hooks', 'install', 'claude']);
    const hook = hookOf(tidemark, SETTINGS.claude);
    await hook(event(path, 'UserPromptSubmit', { prompt: 'go', prompt_id: 'p' }));
    writeFileSync(join(path, 'before.txt'), 'x\n');
    await server.kill();
    const call = { tool_name: 'Write', tool_input: { file_path: 'after.txt' }, prompt_id: 'p' };
    expect(await hook(event(path, 'PreToolUse', { ...call, tool_use_id: '1' }))).toMatchObject({ code: 0, stdout: '' });
    const { Server } = await import('../conformance/server');
    const again = await Server.start(process.cwd(), scratch, { dataDir: tidemark.dataDir });
    try {
      await hook(event(path, 'PostToolUse', { ...call, tool_use_id: '1' }));
      await hook(event(path, 'PreToolUse', { ...call, tool_use_id: '2' }));
      writeFileSync(join(path, 'after.txt'), 'x\n');
      await hook(event(path, 'PostToolUse', { ...call, tool_use_id: '2' }));
      await hook(event(path, 'Stop', { prompt_id: 'p' }));
      expect(await rowsIn(again.client, path)).toEqual(['added after.txt +1 -0 tool']);
      const [second, first] = await runsIn(again.client, path);
      expect([first?.status, second?.status]).toEqual(['interrupted', 'completed']);
      // What the lost part did is drift of the next run, not its work.
      const drift = await again.client.changes(second?.session_id ?? '', 'drift');
      expect(drift.flatMap(({ files }) => files.map((file) => file.path))).toEqual(['before.txt']);
    } finally {
      await again.stop();
    }
  });

  test('what it sends: 50 MB, broken JSON, an unknown event, nothing, and what comes after is recorded', async ({
    tidemark,
    client,
    repository,
  }) => {
    const { path } = repository();
    await tidemark.run(['hooks', 'install', 'claude']);
    const hook = hookOf(tidemark, SETTINGS.claude);
    await hook(event(path, 'UserPromptSubmit', { prompt: 'go' }));
    const bodies: unknown[] = [
      event(path, 'PreToolUse', {
        tool_name: 'Write',
        tool_use_id: '1',
        tool_input: { file_path: 'a', content: 'x'.repeat(50_000_000) },
      }),
      '{"session_id": "s", ',
      '',
      '[]',
      event(path, 'SomethingNew'),
      { hook_event_name: 'PreToolUse' },
      event('/no/such/folder', 'UserPromptSubmit', { prompt: 'elsewhere' }),
    ];
    for (const body of bodies.slice(0, 6)) expect(await hook(body)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    writeFileSync(join(path, 'a'), 'a\n');
    await hook(event(path, 'Stop', { last_assistant_message: 'Done.' }));
    expect(await rowsIn(client, path)).toEqual(['added a +1 -0 command']);
    // A folder that is not there is told where the user looks.
    expect(await hook({ ...(bodies[6] as object), session_id: 'other' })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    await expect
      .poll(async () => (await tidemark.run(['hooks', 'status', 'claude'])).stdout)
      .toContain('/no/such/folder');
  });

  test('that there is no curl, a proxy or a setting of curl', async ({ tidemark, client, repository, folder }) => {
    const { path } = repository();
    await tidemark.run(['hooks', 'install', 'claude']);
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    for (const tool of ['cat', 'rm', 'git']) symlinkSync(join('/usr/bin', tool), join(tools, tool));
    writeFileSync(join(tidemark.home, '.curlrc'), 'fail-early\nurl = "http://127.0.0.1:9"\noutput = "litter"\n');
    for (const env of [{ PATH: tools }, { http_proxy: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' }]) {
      const hook = hookOf(tidemark, SETTINGS.claude, env);
      expect(await hook(event(path, 'UserPromptSubmit', { prompt: JSON.stringify(env).slice(0, 8) }))).toMatchObject({
        code: 0,
        stdout: '',
        stderr: '',
      });
      await hook(event(path, 'Stop'));
    }
    await rowsIn(client, path);
    expect((await runsIn(client, path)).map(({ status }) => status)).toEqual(['completed', 'completed']);
    const off = hookOf(tidemark, SETTINGS.claude, { TIDEMARK_HOOKS: 'off' });
    expect(await off(event(path, 'UserPromptSubmit', { prompt: 'off' }))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await runsIn(client, path)).toHaveLength(2);
  });

  test('that the data folder is gone', async ({ tidemark, folder, scratch }) => {
    const gone = tidemarkFor(join(folder, 'gone'), scratch, join(folder, 'home'));
    await gone.run(['hooks', 'install', 'claude']);
    const hook = hookOf(gone, SETTINGS.claude);
    const { rmSync } = await import('node:fs');
    rmSync(gone.dataDir, { recursive: true });
    expect(await hook({})).toMatchObject({ code: 0, stdout: '', stderr: '' });
    void tidemark;
  });
});

test('the intake wants the token, and knows its agents', async ({ client, server }) => {
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.client.url}${path}`, { method: 'POST', body: '{}', headers });
  expect((await post('/api/hooks/claude')).status).toBe(401);
  expect((await post('/api/hooks/claude', { authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await client.request('POST', '/api/hooks/emacs', {})).status).toBe(404);
  expect((await client.request('GET', '/api/hooks/claude')).status).toBe(405);
  const answer = await client.request('POST', '/api/hooks/claude', { hook_event_name: 'Stop', session_id: 'x' });
  expect([answer.status, Buffer.from(answer.bytes).toString()]).toEqual([200, '{}']);
});
