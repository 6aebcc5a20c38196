import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentState } from '@/lib/domain/conversation';
import { isGroupAlive } from '@/lib/process/process-group';
import { createAcpAgent, DEFAULT_PATIENCE, type Patience } from './acp-agent';
import type {
  AgentOutcome,
  AgentPrompt,
  AgentSession,
  AgentUpdate,
  PermissionQuestion,
  RunListener,
  ToolCallUpdate,
} from './agent';

const SCRIPTED = fileURLToPath(new URL('../../e2e/support/scripted-agent.mjs', import.meta.url));

let dir: string;
let workspace: string;
let opened: Opened[] = [];

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'tidemark-acp-')));
  workspace = join(dir, 'work');
  await mkdir(workspace);
  await mkdir(join(dir, 'home'));
});
afterEach(async () => {
  await Promise.all(opened.map(({ session }) => session.close()));
  for (const { processes } of opened) {
    for (const { pid } of processes) expect(await isGroupAlive(pid), `group ${pid}`).toBe(false);
  }
  opened = [];
  await rm(dir, { recursive: true, force: true });
});

interface Opened {
  session: AgentSession;
  states: AgentState[];
  state(): AgentState;
  late: AgentUpdate[];
  tokens: string[];
  processes: { type: string; pid: number }[];
}

interface OpenOptions {
  args?: string[];
  command?: string;
  env?: Record<string, string>;
  fs?: boolean;
  resumeToken?: string | null;
  patience?: Partial<Patience>;
  mcp?: Parameters<ReturnType<typeof createAcpAgent>['open']>[0]['mcp'];
}

function open({
  args = [],
  command,
  env = {},
  fs = false,
  resumeToken = null,
  patience = {},
  mcp = null,
}: OpenOptions = {}): Opened {
  const agent = createAcpAgent(
    {
      id: 'scripted',
      name: 'Scripted',
      command: command ?? process.execPath,
      args: command === undefined ? [SCRIPTED, ...args] : args,
      env: { SCRIPTED_AGENT_HOME: join(dir, 'home'), ...env },
      fs,
      install: 'Type: nothing',
    },
    {
      env: { PATH: process.env.PATH, HOME: join(dir, 'home') },
      version: '0',
      fileBytes: 100_000,
      patience: { ...DEFAULT_PATIENCE, ...patience },
    },
  );
  const one: Omit<Opened, 'session'> = {
    states: [],
    state: () => one.states.at(-1) as AgentState,
    late: [],
    tokens: [],
    processes: [],
  };
  const session = agent.open({
    workspace,
    resumeToken,
    onResumeToken: (token) => one.tokens.push(token),
    onState: (state) => one.states.push(state),
    onLateUpdate: (update) => one.late.push(update),
    onProcess: (event) => one.processes.push(event),
    mcp,
  });
  const whole = { ...one, session, state: one.state };
  opened.push(whole);
  return whole;
}

interface Heard {
  outcome: AgentOutcome;
  updates: AgentUpdate[];
  /** The answer as a person reads it. */
  answer: string;
  calls: Map<string, ToolCallUpdate>;
  questions: PermissionQuestion[];
}

interface AskOptions {
  answer?: (question: PermissionQuestion, signal: AbortSignal) => Promise<string | null>;
  signal?: AbortSignal;
  images?: AgentPrompt['images'];
  onUpdate?: (update: AgentUpdate) => void;
  beforeWrite?: (path: string) => Promise<void>;
}

async function ask(session: AgentSession, text: string, options: AskOptions = {}): Promise<Heard> {
  const heard: Heard = {
    outcome: { status: 'failed', stopReason: '', error: null },
    updates: [],
    answer: '',
    calls: new Map(),
    questions: [],
  };
  const listener: RunListener = {
    update(update) {
      heard.updates.push(update);
      options.onUpdate?.(update);
      if (update.type === 'text' && update.role === 'assistant') heard.answer += update.text;
      if (update.type !== 'tool') return;
      const before = heard.calls.get(update.call.id);
      const output = update.call.output ?? (before?.output ?? '') + (update.call.outputAppend ?? '');
      heard.calls.set(update.call.id, {
        ...before,
        ...update.call,
        output,
        meta: { ...before?.meta, ...update.call.meta },
      });
    },
    async permission(question, signal) {
      heard.questions.push(question);
      return options.answer ? options.answer(question, signal) : 'yes';
    },
    ...(options.beforeWrite ? { beforeWrite: options.beforeWrite } : {}),
  };
  const signal = options.signal ?? new AbortController().signal;
  heard.outcome = await session.prompt({ text, images: options.images ?? [] }, listener, signal);
  return heard;
}

const calls = (heard: Heard) => [...heard.calls.values()];

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('an edit is announced, asked for, done and told, in order', async () => {
  await writeFile(join(workspace, 'hello.txt'), 'hello world\n');
  const { session, state, tokens, processes } = open();
  const heard = await ask(
    session,
    'think Where is it?\nsay I will edit it.\nask\nedit hello.txt world => moon\nsay Done.',
  );
  expect(heard.outcome).toEqual({ status: 'completed', stopReason: 'end_turn', error: null });
  expect(await readFile(join(workspace, 'hello.txt'), 'utf8')).toBe('hello moon\n');
  expect(heard.answer).toBe('I will edit it.Done.');
  const [call] = calls(heard);
  expect(call).toMatchObject({
    title: 'Edit hello.txt',
    tool: 'Edit',
    kind: 'edit',
    status: 'completed',
    locations: [{ path: join(workspace, 'hello.txt') }],
    input: { old_string: 'world', new_string: 'moon' },
    output: 'The file hello.txt has been updated.',
    meta: { snippets: [{ path: join(workspace, 'hello.txt'), old_text: 'world', new_text: 'moon', cut: false }] },
  });
  expect(heard.questions).toMatchObject([
    { call: { id: call?.id }, options: [{ optionId: 'yes' }, { optionId: 'always' }, { optionId: 'no' }] },
  ]);
  expect(
    heard.updates.map((update) => (update.type === 'tool' ? (update.call.status ?? 'more') : update.type)),
  ).toEqual(['text', 'text', 'pending', 'more', 'in_progress', 'completed', 'text']);
  expect(state()).toMatchObject({ phase: 'ready', usage: { inputTokens: 3, outputTokens: 2 } });
  expect(tokens).toHaveLength(1);
  expect(processes.map(({ type }) => type)).toEqual(['started']);
});

test('a rejected edit changes nothing and is told as rejected', async () => {
  await writeFile(join(workspace, 'hello.txt'), 'hello world\n');
  const { session } = open();
  const heard = await ask(session, 'ask\nedit hello.txt world => moon\nsay Then not.', { answer: async () => 'no' });
  expect(heard.outcome.status).toBe('completed');
  expect(calls(heard)[0]).toMatchObject({ status: 'rejected' });
  expect(await readFile(join(workspace, 'hello.txt'), 'utf8')).toBe('hello world\n');
});

test('a permission that nobody answers is denied on cancel', async () => {
  const stopping = new AbortController();
  const { session } = open();
  const heard = await ask(session, 'ask\nwrite new.txt x', {
    signal: stopping.signal,
    answer: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('yes'), { once: true });
        stopping.abort();
      }),
  });
  expect(heard.outcome.status).toBe('cancelled');
  expect(existsSync(join(workspace, 'new.txt'))).toBe(false);
});

test('a permission that is asked after cancel is denied without asking anybody', async () => {
  const stopping = new AbortController();
  const { session } = open();
  const heard = await ask(session, 'say ready\nask-after-cancel', {
    signal: stopping.signal,
    onUpdate: () => stopping.abort(),
  });
  expect(heard.outcome.status).toBe('cancelled');
  expect(heard.questions).toEqual([]);
  expect(heard.answer).toBe('readydenied');
});

test('a command tells its output as it comes, and its exit code', async () => {
  const { session } = open();
  const heard = await ask(session, 'run echo one; echo two > made.txt\nrun echo boom >&2; exit 3');
  expect(calls(heard)).toMatchObject([
    { kind: 'execute', status: 'completed', output: 'one\n', meta: { exit_code: 0 } },
    { kind: 'execute', status: 'failed', output: 'Exit code 3\nboom\n', meta: { exit_code: 3 } },
  ]);
  expect(await readFile(join(workspace, 'made.txt'), 'utf8')).toBe('two\n');
});

test('calls that the agent leaves open are closed with the run', async () => {
  const { session } = open();
  const heard = await ask(session, 'leave\nwrite a.txt x\nsay Over.');
  expect(calls(heard)).toMatchObject([{ status: 'completed' }]);
  const stopping = new AbortController();
  const stopped = await ask(session, 'leave\nwrite b.txt x\nrun sleep 60', {
    signal: stopping.signal,
    onUpdate: (update) => {
      if (update.type === 'tool' && update.call.kind === 'execute') stopping.abort();
    },
  });
  expect(stopped.outcome.status).toBe('cancelled');
  expect(calls(stopped).map(({ status }) => status)).toEqual(['cancelled', expect.stringMatching(/failed|cancelled/)]);
});

test('plan, title, commands, modes and usage are told', async () => {
  const { session, state } = open();
  const heard = await ask(session, 'plan\ntitle A better title\ncommands\nusage\nmode auto');
  expect(heard.updates).toMatchObject([
    {
      type: 'plan',
      entries: [{ status: 'completed', priority: 'high' }, { status: 'in_progress' }, { status: 'pending' }],
    },
    { type: 'title', title: 'A better title' },
  ]);
  expect(state()).toMatchObject({
    commands: [
      { name: 'review', description: 'Review the current diff', hint: '[path]' },
      { name: 'compact', hint: null },
    ],
    usage: { used: 1200, size: 200000, cost: { amount: 0.02, currency: 'USD' } },
    choices: [{ id: 'mode', category: 'mode', current: 'auto', values: [{ value: 'ask' }, { value: 'auto' }] }],
  });
});

test.each([
  ['modes', []],
  ['options', ['--options']],
])('a choice is made over %s, and made again for a restarted agent', async (_, args) => {
  const { session, state } = open({ args });
  await session.choose('mode', 'auto');
  expect(state().choices.find(({ id }) => id === 'mode')).toMatchObject({ current: 'auto' });
  await expect(session.choose('mode', 'nonsense')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(session.choose('nonsense', 'auto')).rejects.toMatchObject({ code: 'invalid_request' });
  await ask(session, 'crash');
  await ask(session, 'say back');
  expect(state().choices.find(({ id }) => id === 'mode')).toMatchObject({ current: 'auto' });
});

test('groups of options are one list, and kinds of options we cannot show are left out', async () => {
  const { session, state } = open({ args: ['--options'] });
  await session.start?.();
  expect(state()).toMatchObject({ phase: 'ready', takesImages: true });
  expect(
    state().choices.map(({ id, category, values }) => `${id} ${category} ${values.map(({ value }) => value)}`),
  ).toEqual(['mode mode ask,auto', 'model model small,large']);
});

test('images go with the prompt where the agent takes them, and are refused where it does not', async () => {
  const images = [{ mimeType: 'image/png', data: 'aGk=' }];
  expect((await ask(open().session, 'say look', { images })).answer).toBe('lookgot image image/png');
  const refusing = await ask(open({ args: ['--no-images'] }).session, 'say look', { images });
  expect(refusing.outcome).toMatchObject({ status: 'failed', error: 'Scripted takes no images.' });
});

test.each([
  ['session/resume', []],
  ['session/load, whose replay is not stored twice', ['--load']],
  ['session/load, where session/resume is only offered', ['--no-such-resume']],
  ['session/load, whose replay comes after its answer', ['--load-late']],
])('a restarted agent resumes its conversation by %s', async (_, args) => {
  const first = open({ args });
  await ask(first.session, 'say first answer\nwrite a.txt x');
  await first.session.close();
  const token = first.tokens[0] as string;
  const second = open({ args, resumeToken: token });
  const heard = await ask(second.session, 'say second answer');
  expect(heard.answer).toBe('second answer');
  expect(calls(heard)).toEqual([]);
  expect(second.tokens).toEqual([]);
  expect(second.late).toEqual([]);
  const history = JSON.parse(await readFile(join(dir, 'home', `${token}.json`), 'utf8'));
  expect(JSON.stringify(history)).toContain('first answer');
  expect(JSON.stringify(history)).toContain('second answer');
});

test.each([
  ['does not know it any more', [], 'Scripted failed: Resource not found: long-gone'],
  ['cannot resume', ['--no-resume'], 'Scripted cannot resume'],
])('an agent that %s begins anew and says so', async (_, args, why) => {
  const { session, tokens } = open({ args, resumeToken: 'long-gone' });
  const heard = await ask(session, 'say hello');
  expect(heard.outcome.status).toBe('completed');
  expect(heard.answer).toBe(`*Scripted starts without the earlier conversation (${why}).*\n\nhello`);
  expect(tokens).toHaveLength(1);
});

test('a slow start is told while it lasts', async () => {
  const { session, states } = open({ args: ['--slow', '2500'] });
  const heard = await ask(session, 'say at last');
  expect(heard.answer).toBe('at last');
  const notes = states.flatMap(({ phase, note }) => (phase === 'starting' ? [note] : []));
  expect(notes).toContain('Starting Scripted');
  expect(notes.some((note) => /^Starting Scripted \(\d+ s\)$/.test(note ?? ''))).toBe(true);
  expect(states.at(-1)).toMatchObject({ phase: 'ready', note: null });
});

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

test('the limit of tokens is a normal end with its reason', async () => {
  expect((await ask(open().session, 'exhaust')).outcome).toEqual({
    status: 'completed',
    stopReason: 'max_tokens',
    error: null,
  });
});

test('stop ends a streaming answer, keeps what was said, and the agent lives on', async () => {
  const stopping = new AbortController();
  const { session, processes } = open();
  const heard = await ask(session, 'stream 1000 20 word', {
    signal: stopping.signal,
    onUpdate: () => stopping.abort(),
  });
  expect(heard.outcome).toEqual({ status: 'cancelled', stopReason: 'cancelled', error: null });
  expect(heard.answer).toContain('word0');
  expect((await ask(session, 'say again')).answer).toBe('again');
  expect(processes).toHaveLength(1);
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
  const running = ask(session, `careless ${join(dir, 'command')}`, { signal: stopping.signal });
  await until(() => existsSync(join(dir, 'command')));
  const group = Number(await readFile(join(dir, 'command'), 'utf8'));
  stopping.abort();
  expect((await running).outcome.status).toBe('cancelled');
  expect(await isGroupAlive(group)).toBe(false);
  expect((await ask(session, 'say again')).answer).toBe('again');
  expect(processes).toHaveLength(1);
});

test('what an agent leaves running after a normal end is its own business until it is closed', async () => {
  const { session } = open();
  await ask(session, `run setsid sleep 600 > /dev/null 2>&1 & echo $! > ${join(dir, 'server')}`);
  const group = Number(await readFile(join(dir, 'server'), 'utf8'));
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
  const heard = await ask(session, `orphan ${join(dir, 'orphan')}\ncrash 9`);
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

test('two sessions of one agent are two processes that do not hear each other', async () => {
  const [one, two] = [open(), open()];
  const [heardOne, heardTwo] = await Promise.all([
    ask(one.session, 'stream 20 5 one\nwrite one.txt 1'),
    ask(two.session, 'stream 20 5 two\nwrite two.txt 2'),
  ]);
  expect(heardOne.answer).not.toContain('two');
  expect(heardTwo.answer).not.toContain('one');
  expect(one.processes[0]?.pid).not.toBe(two.processes[0]?.pid);
  await one.session.close();
  expect((await ask(two.session, 'say alone')).answer).toBe('alone');
});

test('what a background subagent does after the end is told apart', async () => {
  const { session, late } = open();
  const heard = await ask(session, 'late 50 write late.txt later\nsay Done.');
  expect(calls(heard)).toEqual([]);
  await until(() => late.some((update) => update.type === 'tool' && update.call.status === 'completed'));
  expect(await readFile(join(workspace, 'late.txt'), 'utf8')).toBe('later');
});

test('a call of a subagent names its parent', async () => {
  const heard = await ask(open().session, 'sub\nwrite a.txt x');
  expect(calls(heard)).toMatchObject([{ meta: { parent_tool_call_id: 'parent' } }]);
});

test('files are not offered by default', async () => {
  const heard = await ask(open({ args: ['--fs'] }).session, 'write a.txt x');
  expect(calls(heard)).toMatchObject([{ status: 'failed' }]);
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false);
});

test('files that are offered are confined to the workspace, and copied before they change', async () => {
  await writeFile(join(workspace, 'a.txt'), 'before');
  const before: string[] = [];
  const { session } = open({ args: ['--fs'], fs: true });
  const outside = join(dir, 'outside.txt');
  const heard = await ask(session, `write a.txt after\nread missing.txt\noutside ${outside}`, {
    beforeWrite: async (path) => {
      before.push(await readFile(path, 'utf8'));
    },
  });
  expect(calls(heard).map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
  expect(calls(heard)[2]?.output).toContain('outside the workspace');
  expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('after');
  expect(existsSync(outside)).toBe(false);
  expect(before).toEqual(['before']);
});

test('paths outside the workspace are told as they are', async () => {
  const outside = join(dir, 'outside.txt');
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
