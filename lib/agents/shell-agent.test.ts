import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isGroupAlive, processStartTime } from '@/lib/process/process-group';
import type { AgentOutcome, AgentSession, AgentUpdate } from './agent';
import { createShellAgent } from './shell-agent';

let dir: string;
let sessions: AgentSession[] = [];

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'tidemark-shell-')));
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  sessions = [];
  await rm(dir, { recursive: true, force: true });
});

interface Heard {
  outcome: AgentOutcome;
  updates: AgentUpdate[];
  output: string;
  dropped: number;
  message: string;
  processes: { type: string; pid: number; startTime: string }[];
}

async function run(
  command: string,
  {
    outputBytes = 1024 * 1024,
    workspace = dir,
    signal = new AbortController().signal,
    onUpdate = (_: AgentUpdate): void => {},
  } = {},
): Promise<Heard> {
  const processes: Heard['processes'] = [];
  const agent = createShellAgent({ env: { PATH: process.env.PATH }, outputBytes });
  const session = agent.open({
    workspace,
    resumeToken: null,
    onResumeToken: () => {},
    onState: () => {},
    onLateUpdate: () => {},
    onProcess: (event) => processes.push(event),
    mcp: null,
  });
  sessions.push(session);
  const heard: Heard = {
    outcome: { status: 'failed', stopReason: '', error: null },
    updates: [],
    output: '',
    dropped: 0,
    message: '',
    processes,
  };
  const update = (told: AgentUpdate) => {
    heard.updates.push(told);
    onUpdate(told);
    if (told.type === 'text') heard.message += told.text;
    if (told.type !== 'tool') return;
    if (told.call.output !== undefined) heard.output = told.call.output;
    heard.output += told.call.outputAppend ?? '';
    heard.dropped = told.call.outputDropped ?? heard.dropped;
  };
  heard.outcome = await session.prompt({ text: command, images: [] }, { update, permission: async () => null }, signal);
  return heard;
}

async function content(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(join(dir, file), 'utf8').catch(() => '');
    if (text !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a command runs in the workspace as one tool call, with its outputs in their true order', async () => {
  const heard = await run('echo one; echo two >&2; echo three; pwd; echo hi > made.txt');
  expect(heard.outcome).toEqual({ status: 'completed', stopReason: 'exit 0', error: null });
  expect(heard.output).toBe(`one\ntwo\nthree\n${dir}\n`);
  expect(await readFile(join(dir, 'made.txt'), 'utf8')).toBe('hi\n');
  const calls = heard.updates.flatMap((update) => (update.type === 'tool' ? [update.call] : []));
  expect(new Set(calls.map((call) => call.id)).size).toBe(1);
  expect(calls[0]).toMatchObject({
    kind: 'execute',
    status: 'in_progress',
    title: expect.stringContaining('echo one'),
  });
  expect(calls.at(-1)).toMatchObject({ status: 'completed' });
  expect(heard.message).toMatch(/^Exited with status 0 after [\d.]+ m?s\.$/);
  expect(heard.updates.at(-1)?.type).toBe('text');
});

test('its call is announced before anything runs, however long the announcement takes', async () => {
  let isFirst = true;
  const found: boolean[] = [];
  const heard = await run('echo x > made.txt', {
    onUpdate: (told) => {
      if (told.type !== 'tool' || !isFirst) return;
      isFirst = false;
      // A busy house: whatever runs already has all the time to write.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      found.push(existsSync(join(dir, 'made.txt')));
    },
  });
  expect(heard.outcome.status).toBe('completed');
  expect(found).toEqual([false]);
  expect(existsSync(join(dir, 'made.txt'))).toBe(true);
});

test('the command line is the command line: its own $0 and $1, quotes and line ends', async () => {
  const heard = await run(`echo "$0 [$1] $#"\nprintf '%s\\n' 'a "b" $c'`);
  expect(heard.output).toBe('/bin/sh [] 0\na "b" $c\n');
});

test('a command that fails is a failed run that says its status', async () => {
  const heard = await run('echo boom >&2; exit 3');
  expect(heard.outcome).toEqual({
    status: 'failed',
    stopReason: 'exit 3',
    error: 'The command exited with status 3.',
  });
  expect(heard.output).toBe('boom\n');
  expect(heard.message).toContain('status 3');
});

test('a command that was killed says by what', async () => {
  const heard = await run('kill -KILL $$');
  expect(heard.outcome).toMatchObject({ status: 'failed', stopReason: 'signal SIGKILL' });
});

test('an unknown command is told by the shell itself', async () => {
  const heard = await run('surely-no-such-command');
  expect(heard.outcome).toMatchObject({ status: 'failed', stopReason: 'exit 127' });
  expect(heard.output).toContain('surely-no-such-command');
});

test('a command that reads gets an empty input instead of waiting forever', async () => {
  expect((await run('cat; read x; echo "end $?"')).output).toBe('end 1\n');
});

test('colours are not shown and progress is shown as it ended', async () => {
  const heard = await run(`printf '\\033[31mred\\033[0m\\n'; printf '10%%\\r'; sleep 0.2; printf '100%%\\n'`);
  expect(heard.output).toBe('red\n100%\n');
});

test('stop ends the whole group, background children that hold the pipe included', async () => {
  const stopping = new AbortController();
  const running = run('sleep 600 & echo $! > background; echo $$ > self; sleep 600', { signal: stopping.signal });
  const background = Number(await content('background'));
  await content('self');
  stopping.abort();
  const heard = await running;
  expect(heard.outcome).toEqual({ status: 'cancelled', stopReason: 'cancelled', error: null });
  expect(heard.message).toMatch(/^Stopped after /);
  expect(await isGroupAlive(heard.processes[0]!.pid)).toBe(false);
  expect(await readFile(`/proc/${background}/stat`, 'utf8').catch(() => 'gone')).toMatch(/gone|\) Z /);
});

test('stop before the start starts nothing', async () => {
  const heard = await run('echo x > made.txt', { signal: AbortSignal.abort() });
  expect(heard.outcome.status).toBe('cancelled');
  expect(heard.processes).toEqual([]);
  await expect(readFile(join(dir, 'made.txt'))).rejects.toThrow('ENOENT');
});

test('what a command leaves in the background is ended with it, and said', async () => {
  const heard = await run('sleep 600 & echo started');
  expect(heard.outcome.status).toBe('completed');
  expect(heard.message).toContain('Background processes that it left running were ended.');
  expect(await isGroupAlive(heard.processes[0]!.pid)).toBe(false);
});

test('helpers of a command may finish after it', async () => {
  const heard = await run('(sleep 0.1; echo late > late.txt) & echo done');
  expect(heard.message).not.toContain('Background');
  expect(await readFile(join(dir, 'late.txt'), 'utf8')).toBe('late\n');
});

// `setsid` is no part of macOS.
test.skipIf(process.platform !== 'linux')(
  'a daemon that leaves the group and keeps the pipe does not hold up the run',
  async () => {
    const heard = await run('setsid sleep 600 & echo $! > daemon; echo started');
    process.kill(Number(await content('daemon')));
    expect(heard.outcome.status).toBe('completed');
    expect(heard.output).toBe('started\n');
  },
);

test('100 MiB of output are read, bounded and told in few updates', async () => {
  const limit = 1024 * 1024;
  const startedAt = performance.now();
  const heard = await run('yes "a line of output that is repeated" | head -c 104857600; echo the end', {
    outputBytes: limit,
  });
  expect(heard.outcome.status).toBe('completed');
  expect(Buffer.byteLength(heard.output)).toBeLessThanOrEqual(limit);
  expect(heard.output).toContain('MiB of output left out here');
  expect(heard.output.endsWith('the end\n')).toBe(true);
  expect(heard.dropped + Buffer.byteLength(heard.output)).toBeGreaterThan(104_000_000);
  expect(heard.updates.length).toBeLessThan((performance.now() - startedAt) / 80 + 10);
});

test('its process group is announced when it starts and when it is gone', async () => {
  const heard = await run('sleep 0.1');
  expect(heard.processes.map(({ type }) => type)).toEqual(['started', 'ended']);
  expect(heard.processes[0]!.startTime).not.toBe('');
  expect(await processStartTime(heard.processes[0]!.pid)).not.toBe(heard.processes[0]!.startTime);
});

test.each([
  ['a workspace that is gone', 'echo x', '/nowhere/at/all', 'The workspace folder is not there any more.'],
  ['a null character', 'echo \0', undefined, 'The command holds a null character.'],
  ['a command too long for the system', `: ${'x'.repeat(300_000)}`, undefined, 'The command is too long'],
])('%s fails the run in words', async (_, command, workspace, words) => {
  const heard = await run(command, { workspace: workspace ?? dir });
  expect(heard.outcome.status).toBe('failed');
  expect(heard.outcome.error).toContain(words);
  const calls = heard.updates.flatMap((update) => (update.type === 'tool' ? [update.call] : []));
  expect(calls.map(({ status }) => status)).toEqual(['in_progress', 'failed']);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
});

test('close ends a command that is going on', async () => {
  const running = run('echo $$ > self; sleep 600');
  await content('self');
  await sessions[0]!.close();
  expect((await running).outcome).toMatchObject({ status: 'failed', stopReason: 'signal SIGTERM' });
});
