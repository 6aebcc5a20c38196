import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, calls, open, place, until } from '@/lib/testing/scripted-session';

test('an edit is announced, asked for, done and told, in order', async () => {
  await writeFile(join(place.workspace, 'hello.txt'), 'hello world\n');
  const { session, state, tokens, processes } = open();
  const heard = await ask(
    session,
    'think Where is it?\nsay I will edit it.\nask\nedit hello.txt world => moon\nsay Done.',
  );
  expect(heard.outcome).toEqual({ status: 'completed', stopReason: 'end_turn', error: null });
  expect(await readFile(join(place.workspace, 'hello.txt'), 'utf8')).toBe('hello moon\n');
  expect(heard.answer).toBe('I will edit it.Done.');
  const [call] = calls(heard);
  expect(call).toMatchObject({
    title: 'Edit hello.txt',
    tool: 'Edit',
    kind: 'edit',
    status: 'completed',
    locations: [{ path: join(place.workspace, 'hello.txt') }],
    input: { old_string: 'world', new_string: 'moon' },
    output: 'The file hello.txt has been updated.',
    meta: { snippets: [{ path: join(place.workspace, 'hello.txt'), old_text: 'world', new_text: 'moon', cut: false }] },
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
  await writeFile(join(place.workspace, 'hello.txt'), 'hello world\n');
  const { session } = open();
  const heard = await ask(session, 'ask\nedit hello.txt world => moon\nsay Then not.', { answer: async () => 'no' });
  expect(heard.outcome.status).toBe('completed');
  expect(calls(heard)[0]).toMatchObject({ status: 'rejected' });
  expect(await readFile(join(place.workspace, 'hello.txt'), 'utf8')).toBe('hello world\n');
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
  expect(existsSync(join(place.workspace, 'new.txt'))).toBe(false);
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
  expect(await readFile(join(place.workspace, 'made.txt'), 'utf8')).toBe('two\n');
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
  const history = JSON.parse(await readFile(join(place.dir, 'home', `${token}.json`), 'utf8'));
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

test('a command that was going on when the prompt was stopped did not complete, whatever the agent says', async () => {
  const stopping = new AbortController();
  let sleeper = '';
  const { session } = open();
  const heard = await ask(session, 'run echo quick\nshrug', {
    signal: stopping.signal,
    onUpdate: (update) => {
      if (update.type !== 'tool') return;
      if (update.call.title === 'sleep 600') sleeper = update.call.id;
      if (update.call.id === sleeper && update.call.status === 'in_progress') stopping.abort();
    },
  });
  expect(heard.outcome.status).toBe('cancelled');
  expect(calls(heard)).toMatchObject([{ status: 'completed' }, { title: 'sleep 600', status: 'cancelled' }]);
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
  expect(await readFile(join(place.workspace, 'late.txt'), 'utf8')).toBe('later');
});

test('a call of a subagent names its parent', async () => {
  const heard = await ask(open().session, 'sub\nwrite a.txt x');
  expect(calls(heard)).toMatchObject([{ meta: { parent_tool_call_id: 'parent' } }]);
});
