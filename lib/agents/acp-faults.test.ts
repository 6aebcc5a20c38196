import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isGroupAlive } from '@/lib/process/process-group';
import { ask, calls, type OpenOptions, open, place, until } from '@/lib/testing/scripted-session';

test.each<[string, OpenOptions, string]>([
  [
    'is not installed',
    { command: '/nowhere/agent' },
    'Scripted could not be started: its command was not found (/nowhere/agent).',
  ],
  [
    'exits at once',
    { args: ['--exit', '3'] },
    'Scripted stopped unexpectedly (exit code 3). Its last words:\ncannot start: no such licence',
  ],
  [
    'exits at once without a word',
    { command: '/bin/sh', args: ['-c', 'exit 0'] },
    'Scripted stopped unexpectedly (exit code 0). It left no error message.',
  ],
  [
    'never answers',
    { args: ['--silent'], patience: { startMs: 300 } },
    'Scripted did not answer within 300 ms and was stopped.',
  ],
  [
    'prints no JSON',
    { args: ['--garbage'], patience: { startMs: 4_000 } },
    'Scripted did not answer within 4 seconds and was stopped. It printed something else instead: Welcome to the agent!\nPress any key to continue.',
  ],
  [
    'speaks another version',
    { args: ['--version', '9'] },
    'Scripted speaks version 9 of the Agent Client Protocol; Tidemark speaks version 1.',
  ],
  [
    'needs a login',
    { args: ['--auth'] },
    'Scripted needs you to log in first. It offers: Log in (Run `scripted login` in a terminal). Start it once in a terminal and log in there, then send the message again.',
  ],
  [
    'never opens a conversation',
    { args: ['--hang-new'], patience: { openMs: 300 } },
    'Scripted did not answer within 300 ms and was stopped.',
  ],
])('an agent that %s fails the run in words', async (_, options, error) => {
  const { session, state, processes } = open(options);
  const heard = await ask(session, 'say x');
  expect(heard.outcome.status).toBe('failed');
  expect(heard.outcome.error).toBe(error);
  expect(state().phase).toBe('off');
  for (const { pid } of processes) expect(await isGroupAlive(pid)).toBe(false);
});

test.each([
  ['crash 7', 'Scripted stopped unexpectedly (exit code 7). Its last words:\npanic: the script said so'],
  ['throw', 'Scripted failed: agent handler threw'],
  [
    'auth',
    'Scripted needs you to log in first. It offers: Log in (Run `scripted login` in a terminal). Start it once in a terminal and log in there, then send the message again. It says: the session has expired',
  ],
  ['refuse', 'Scripted refused to answer this message.'],
])(
  'a prompt that ends with "%s" fails in words, what was done before stays, and the next prompt works',
  async (step, error) => {
    const { session } = open();
    const heard = await ask(session, `say before\nwrite a.txt x\n${step}`);
    expect(heard.outcome).toMatchObject({ status: 'failed', error });
    expect(heard.answer).toBe('before');
    expect(calls(heard)).toMatchObject([{ status: 'completed' }]);
    expect((await ask(session, 'say after')).answer).toContain('after');
  },
);

test('an agent that closes its output but lives on is ended', async () => {
  const { session, processes } = open();
  const heard = await ask(session, 'say bye\nclosestdout');
  expect(heard.outcome).toMatchObject({ status: 'failed', error: 'Scripted failed: it closed the conversation' });
  await until(async () => !(await isGroupAlive(processes[0]!.pid)));
});

test('an agent that does not stop when asked is ended, with what it started', async () => {
  const stopping = new AbortController();
  const { session, processes } = open({ patience: { cancelMs: 200 } });
  const heard = await ask(session, 'say deaf\nstubborn', { signal: stopping.signal, onUpdate: () => stopping.abort() });
  expect(heard.outcome.status).toBe('cancelled');
  await until(() => processes.some(({ type }) => type === 'ended'));
  expect(await isGroupAlive(processes[0]!.pid)).toBe(false);
});

test('a command that an agent lets run on after it was cancelled is ended; the agent lives on', async () => {
  const stopping = new AbortController();
  const { session, processes } = open();
  const running = ask(session, `careless ${join(place.dir, 'command')}`, { signal: stopping.signal });
  await until(() => existsSync(join(place.dir, 'command')));
  const group = Number(await readFile(join(place.dir, 'command'), 'utf8'));
  stopping.abort();
  expect((await running).outcome.status).toBe('cancelled');
  expect(await isGroupAlive(group)).toBe(false);
  expect((await ask(session, 'say again')).answer).toBe('again');
  expect(processes).toHaveLength(1);
});

test('what an agent leaves running after a normal end is its own business until it is closed', async () => {
  const { session } = open();
  await ask(session, `run setsid sleep 600 > /dev/null 2>&1 & echo $! > ${join(place.dir, 'server')}`);
  const group = Number(await readFile(join(place.dir, 'server'), 'utf8'));
  expect(await isGroupAlive(group)).toBe(true);
  process.kill(-group, 'SIGKILL');
});

test('stop during the start ends the start', async () => {
  const stopping = new AbortController();
  const { session, processes } = open({ args: ['--silent'] });
  const running = ask(session, 'say x', { signal: stopping.signal });
  await until(() => processes.length > 0);
  stopping.abort();
  expect((await running).outcome.status).toBe('cancelled');
  await until(async () => !(await isGroupAlive(processes[0]!.pid)));
});

test('a crash ends the children that hold the pipes open', async () => {
  const { session, processes } = open();
  const heard = await ask(session, `orphan ${join(place.dir, 'orphan')}\ncrash 9`);
  expect(heard.outcome.error).toContain('exit code 9');
  await until(() => processes.some(({ type }) => type === 'ended'));
  expect(await isGroupAlive(processes[0]!.pid)).toBe(false);
});

test('garbage on its output harms nothing', async () => {
  const heard = await ask(open().session, 'say a\ngarbage\nsay b');
  expect(heard.outcome.status).toBe('completed');
  expect(heard.answer).toBe('ab');
});

test('unknown updates, kinds and content are told as far as they can be', async () => {
  const heard = await ask(open().session, 'unknown\nbadcontent\nsay on');
  expect(heard.outcome.status).toBe('completed');
  expect(heard.answer).toBe('on');
  expect(calls(heard)).toMatchObject([
    {
      id: 'odd',
      title: 'odd',
      kind: 'other',
      meta: { raw_output: { structuredContent: { k: [1] }, _meta: { z: 2 } } },
    },
    { id: 'bad', meta: { snippets: [{ path: '/a', old_text: null, new_text: 'x' }], description: 'still here' } },
  ]);
});

test('bytes that are no UTF-8 are marked, not fatal', async () => {
  expect((await ask(open().session, 'utf8\nsay fine')).answer).toBe('bad \ufffd\ufffd bytesfine');
});

test('a flood of 50,000 updates arrives whole, in order and in few pieces', async () => {
  const heard = await ask(open().session, 'flood 50000');
  expect(heard.answer).toBe(Array.from({ length: 50_000 }, (_, at) => `${at},`).join(''));
  expect(heard.updates.length).toBeLessThan(5_000);
});

test('a flood of output of one call arrives whole and in few pieces', async () => {
  const heard = await ask(open().session, 'floodcall 50000');
  expect(calls(heard)[0]).toMatchObject({ id: 'busy', status: 'completed' });
  expect(calls(heard)[0]?.output).toBe(Array.from({ length: 50_000 }, (_, at) => `line ${at}\n`).join(''));
  expect(heard.updates.length).toBeLessThan(5_000);
});

test('20 MB in one message are read and told in pieces', async () => {
  const heard = await ask(open().session, 'big 20\nsay end');
  expect(heard.outcome.status).toBe('completed');
  expect(heard.answer).toHaveLength(20 * 1024 * 1024 + 3);
  for (const update of heard.updates) expect(update.type === 'text' && update.text.length <= 128 * 1024).toBe(true);
});

test('a call with 7 MB of input, snippet and output keeps what a card can show', async () => {
  const heard = await ask(open().session, 'bigtool 7');
  const [call] = calls(heard);
  expect(call).toMatchObject({ id: 'big', status: 'completed' });
  expect(JSON.stringify({ input: call?.input, meta: call?.meta }).length).toBeLessThan(200_000);
});

test('a message over the limit ends the agent and says so', async () => {
  const { session } = open();
  const heard = await ask(session, 'say small\nbig 40');
  expect(heard.outcome).toMatchObject({
    status: 'failed',
    error: 'Scripted sent a message that is too large to be read, and was stopped.',
  });
  expect((await ask(session, 'say again')).answer).toContain('again');
});

test('files are not offered by default', async () => {
  const heard = await ask(open({ args: ['--fs'] }).session, 'write a.txt x');
  expect(calls(heard)).toMatchObject([{ status: 'failed' }]);
  expect(existsSync(join(place.workspace, 'a.txt'))).toBe(false);
});

test('files that are offered are confined to the workspace, and copied before they change', async () => {
  await writeFile(join(place.workspace, 'a.txt'), 'before');
  const before: string[] = [];
  const { session } = open({ args: ['--fs'], fs: true });
  const outside = join(place.dir, 'outside.txt');
  const heard = await ask(session, `write a.txt after\nread missing.txt\noutside ${outside}`, {
    beforeWrite: async (path) => {
      before.push(await readFile(path, 'utf8'));
    },
  });
  expect(calls(heard).map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
  expect(calls(heard)[2]?.output).toContain('outside the workspace');
  expect(await readFile(join(place.workspace, 'a.txt'), 'utf8')).toBe('after');
  expect(existsSync(outside)).toBe(false);
  expect(before).toEqual(['before']);
});

test('paths outside the workspace are told as they are', async () => {
  const outside = join(place.dir, 'outside.txt');
  const heard = await ask(open().session, `outside ${outside}`);
  expect(calls(heard)).toMatchObject([{ status: 'completed', locations: [{ path: outside }] }]);
});

test('secrets of the environment are not repeated in a failure', async () => {
  const { session } = open({
    args: ['--exit', '1', '--stderr', 'bad key sk-very-secret-value'],
    env: { MY_API_KEY: 'sk-very-secret-value' },
  });
  const heard = await ask(session, 'say x');
  expect(heard.outcome.error).toContain('bad key [MY_API_KEY]');
  expect(heard.outcome.error).not.toContain('very-secret');
});

test('a second message while one is going on is refused', async () => {
  const { session } = open();
  const first = ask(session, 'stream 10 10 x');
  expect((await ask(session, 'say y')).outcome).toMatchObject({ status: 'failed', stopReason: 'busy' });
  expect((await first).outcome.status).toBe('completed');
});

test('close during a prompt ends it, and nothing starts afterwards', async () => {
  const { session, processes } = open();
  const running = ask(session, 'say going\nhang');
  await until(() => processes.length > 0);
  await session.close();
  expect((await running).outcome.status).toBe('failed');
  expect((await ask(session, 'say x')).outcome).toMatchObject({ status: 'failed', error: 'The session was closed.' });
  expect(processes.map(({ type }) => type)).toEqual(['started', 'ended']);
});
