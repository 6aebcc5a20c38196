import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { IntakeAgent } from '@/lib/domain/hooks';
import type { RunId, SessionId } from '@/lib/domain/ids';
import { readToolMeta } from '@/lib/domain/tool-meta';
import { listChanges } from '@/lib/store/change-store';
import { runMessages, sessionRuns } from '@/lib/store/run-store';
import { listSessions, saveResumeToken } from '@/lib/store/session-store';
import { runToolCalls } from '@/lib/store/tool-store';
import { RECORDINGS, type Recording, recordedRequests } from '@/lib/testing/hook-recordings';
import { performCall } from '@/lib/testing/scripted-tools';
import { tempFolder, tempRepository } from '@/lib/testing/temp-workspace';
import { heard, testHouse } from '@/lib/testing/test-house';
import { openHookBook } from './hook-book';
import { boundedJson } from './hook-call';
import { readHookEvent } from './hook-payload';
import { endSilentTalks, takeHookRequest } from './hook-runs';
import type { House } from './house';
import { cancelRun } from './outside-run';
import { mendAfterRestart } from './restart';
import { removeSession } from './sessions';

const FILES = { 'hello.txt': 'hello world\n', 'doomed.txt': 'doomed\n' };

/** A house that listens to hooks. */
function intake(house: House = testHouse()) {
  const book = openHookBook();
  const post = (agent: IntakeAgent, body: unknown, more: { event?: string; directory?: string } = {}) =>
    takeHookRequest(house, book, agent, { body, event: more.event ?? null, directory: more.directory ?? null });
  return {
    house,
    book,
    post,
    /** Waits until all that was posted is recorded. */
    settled: async () => {
      await Promise.all([...book.talks.values()].map((talk) => talk.tail));
      await vi.waitFor(() => expect([...house.live.values()].filter((live) => live.ending !== null)).toEqual([]));
    },
    /** Claude's events in a folder. */
    claude: (cwd: string, hook_event_name: string, rest: object = {}) =>
      post('claude', { session_id: 's1', cwd, hook_event_name, ...rest }),
  };
}

/** All that is recorded: sessions, their runs, what was called and what changed. */
function recorded(house: House) {
  return listSessions(house.store, { limit: 50 }).sessions.flatMap((session) =>
    sessionRuns(house.store, session.id).map((run) => ({
      prompt: run.prompt,
      status: run.status,
      workspace: run.workspace,
      title: session.title,
      calls: runToolCalls(house.store, run.id).map((call) => `${call.tool} ${call.status}`),
      said: runMessages(house.store, run.id).map(({ role, text }) => `${role}: ${text.trim()}`),
      files: listChanges(house.store, session.id, { runId: run.id, source: 'run', limit: 50 }, 500).changes.flatMap(
        (change) =>
          change.files.map(
            (file) => `${file.changeType} ${file.path} +${file.additions} -${file.deletions} ${file.origin}`,
          ),
      ),
    })),
  );
}

/** Plays a recording in a folder: each call does what it did, between its beginning and its end. */
async function play(recording: Recording, workspace: string, listening: ReturnType<typeof intake>) {
  const agent = RECORDINGS[recording];
  for (const request of recordedRequests(recording, workspace)) {
    await listening.post(agent, request.body, { ...(request.event !== null && { event: request.event }) });
    const event = readHookEvent(agent, request);
    if (event?.type !== 'tool_started') continue;
    // Codex refused to remove the file.
    if (event.call.title.includes('rm -f') && agent === 'codex') continue;
    performCall(event.call.tool, event.call.input, workspace);
  }
  await listening.settled();
}

const ALL_FOUR = [
  'added by-shell.txt +1 -0 command',
  'deleted doomed.txt +0 -1 command',
  'modified hello.txt +1 -1 tool',
  'added new.txt +1 -0 tool',
];

describe('a recorded conversation', () => {
  it.each(['claude-full', 'gemini-full', 'qwen-full', 'qwen24-full', 'opencode-acp'] as const)(
    'of %s is one run with what it changed, and who did it',
    async (recording) => {
      const workspace = tempRepository(FILES);
      const listening = intake();
      await play(recording, workspace, listening);
      expect(recorded(listening.house)).toMatchObject([
        { status: 'completed', workspace, files: ALL_FOUR, prompt: expect.stringContaining('SCRIPT:full') },
      ]);
    },
  );

  it('of Codex lacks what Codex refused, and the refused call is closed', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    await play('codex-full', workspace, listening);
    expect(recorded(listening.house)).toMatchObject([
      {
        status: 'completed',
        calls: ['Bash completed', 'apply_patch completed', 'apply_patch completed', 'Bash cancelled', 'Bash completed'],
        files: ['modified hello.txt +1 -1 tool', 'added new.txt +1 -0 tool'],
        said: [expect.stringContaining('user: SCRIPT:full'), 'assistant: All done.'],
      },
    ]);
  });

  it('of Cline, which does not tell the prompt', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    await play('cline-full', workspace, listening);
    expect(recorded(listening.house)).toMatchObject([
      {
        title: 'Cline',
        prompt: '',
        status: 'completed',
        files: [
          'added by-shell.txt +1 -0 command',
          'deleted doomed.txt +0 -1 command',
          'modified hello.txt +1 -1 tool',
          'added new.txt +1 -0 command',
        ],
      },
    ]);
  });

  it('with a subagent that wrote after the agent stopped is one run', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    await play('claude-sub', workspace, listening);
    expect(recorded(listening.house)).toMatchObject([
      {
        status: 'completed',
        calls: ['Agent completed', 'Write completed'],
        files: ['added new.txt +1 -0 tool'],
        said: [expect.stringContaining('user: SCRIPT:sub'), 'assistant: Delegated work done.'],
      },
    ]);
  });

  it('shows live, in the order of a browser’s run', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'go' });
    const [session] = listSessions(listening.house.store, { limit: 1 }).sessions;
    const events = heard(listening.house, session?.id as SessionId);
    await listening.claude(workspace, 'PreToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: 'a', content: 'x\n' },
      tool_use_id: '1',
    });
    writeFileSync(join(workspace, 'a'), 'x\n');
    await listening.claude(workspace, 'PostToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: 'a' },
      tool_use_id: '1',
    });
    await listening.claude(workspace, 'Stop', { last_assistant_message: 'Done.' });
    await listening.settled();
    const names = events.map(({ event }) => event);
    expect(names.filter((name) => name === 'tool.started' || name === 'tool.completed')).toEqual([
      'tool.started',
      'tool.completed',
    ]);
    expect(names).toContain('message.created');
    expect(names.slice(-2)).toEqual(['workspace.diff.completed', 'run.completed']);
  });
});

describe('sessions', () => {
  it('are found again when the agent resumes, also in a subfolder and after a restart', async () => {
    const workspace = tempRepository({ 'pkg/a': '1\n' });
    const house = testHouse();
    const first = intake(house);
    await first.claude(workspace, 'UserPromptSubmit', { prompt: 'one' });
    await first.claude(workspace, 'Stop');
    await first.claude(join(workspace, 'pkg'), 'UserPromptSubmit', { prompt: 'two' });
    await first.settled();
    await mendAfterRestart({ ...house, live: new Map() });
    house.live.clear();
    const second = intake(house);
    await second.claude(workspace, 'UserPromptSubmit', { prompt: 'three' });
    await second.claude(workspace, 'Stop');
    await second.settled();
    expect(recorded(house)).toMatchObject([
      { title: 'one', prompt: 'one', status: 'completed', workspace },
      { title: 'one', prompt: 'two', status: 'interrupted', workspace },
      { title: 'one', prompt: 'three', status: 'completed', workspace },
    ]);
  });

  it('are one for each folder that a conversation works in', async () => {
    const [one, two] = [tempRepository(), tempRepository()];
    const listening = intake();
    for (const folder of [one, two, one, two]) {
      await listening.claude(folder, 'UserPromptSubmit', { prompt: 'go' });
      await listening.claude(folder, 'Stop');
    }
    await listening.settled();
    expect(
      listSessions(listening.house.store, { limit: 9 })
        .sessions.map(({ workspace }) => workspace)
        .toSorted(),
    ).toEqual([one, two].toSorted());
    expect(recorded(listening.house)).toHaveLength(4);
  });

  it('of two terminals in one folder stay two, and say that they overlapped', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    const say = (session_id: string, hook_event_name: string, rest: object = {}) =>
      listening.post('claude', { session_id, cwd: workspace, hook_event_name, ...rest });
    await say('a', 'UserPromptSubmit', { prompt: 'a' });
    await say('b', 'UserPromptSubmit', { prompt: 'b' });
    writeFileSync(join(workspace, 'hello.txt'), 'changed\n');
    await say('a', 'Stop');
    await say('b', 'Stop');
    await listening.settled();
    expect(recorded(listening.house).map(({ prompt, files }) => [prompt, files.length])).toEqual(
      expect.arrayContaining([
        ['a', 1],
        ['b', 1],
      ]),
    );
    expect(listSessions(listening.house.store, { limit: 9 }).sessions).toHaveLength(2);
  });

  it('of a subagent with a conversation of its own are its parent’s', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    const say = (event: string, body: object) => listening.post('opencode', body, { event, directory: workspace });
    const message = (sessionID: string, text: string) =>
      say('chat.message', {
        output: { message: { id: `m-${sessionID}`, sessionID }, parts: [{ type: 'text', text }] },
      });
    await message('parent', 'go');
    await say('event:session.created', {
      id: 'e1',
      type: 'session.created',
      properties: { info: { id: 'child', parentID: 'parent', directory: workspace } },
    });
    await message('child', 'sub');
    await say('tool.execute.before', {
      input: { tool: 'write', sessionID: 'child', callID: 'c1' },
      output: { args: { filePath: join(workspace, 'new.txt'), content: 'x\n' } },
    });
    writeFileSync(join(workspace, 'new.txt'), 'x\n');
    await say('tool.execute.after', {
      input: { tool: 'write', sessionID: 'child', callID: 'c1', args: {} },
      output: { output: 'ok' },
    });
    await say('event:session.idle', { id: 'e2', type: 'session.idle', properties: { sessionID: 'child' } });
    await say('event:session.idle', { id: 'e3', type: 'session.idle', properties: { sessionID: 'parent' } });
    await listening.settled();
    expect(recorded(listening.house)).toMatchObject([
      { prompt: 'go', status: 'completed', files: ['added new.txt +1 -0 tool'] },
    ]);
  });
});

describe('what is not recorded', () => {
  it('is a conversation that we run ourselves', async () => {
    const workspace = tempRepository();
    const listening = intake();
    const { house } = listening;
    await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'outside' });
    const [session] = listSessions(house.store, { limit: 1 }).sessions;
    saveResumeToken(house.store, session?.id as SessionId, 'acp-1');
    house.openAgents.set(session?.id as SessionId, {} as never);
    await listening.post('claude', {
      session_id: 'acp-1',
      cwd: workspace,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'inside',
    });
    await listening.settled();
    expect(recorded(house).map(({ prompt }) => prompt)).toEqual(['outside']);
  });

  it.each([
    ['a folder that is gone', () => '/no/such/folder'],
    ['a file', () => join(tempRepository(FILES), 'hello.txt')],
    ['a folder outside the allowed roots', () => tempRepository()],
    ['no folder at all', () => undefined],
  ])('is work in %s; the reason is told', async (_what, folder) => {
    const house = testHouse();
    house.settings.workspaceRoots = [tempFolder()];
    const listening = intake(house);
    await listening.post('claude', {
      session_id: 's1',
      cwd: folder(),
      hook_event_name: 'UserPromptSubmit',
      prompt: 'go',
    });
    await listening.post('claude', {
      session_id: 's1',
      cwd: folder(),
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: {},
      tool_use_id: '1',
    });
    await listening.settled();
    expect(recorded(house)).toEqual([]);
    expect(listening.book.intake.get('claude')).toMatchObject({ events: 2, problem: expect.stringMatching(/./) });
  });

  it.each([
    ['nothing', {}],
    ['a list', []],
    ['text', 'hello'],
    ['null', null],
    ['an unknown event', { session_id: 's', cwd: '/', hook_event_name: 'Dance' }],
    ['a name of an object’s own', { session_id: 's', cwd: '/', hook_event_name: 'constructor' }],
    ['fields of other kinds', { session_id: 7, cwd: [], hook_event_name: {} }],
    ['a call without a tool', { session_id: 's', cwd: '/', hook_event_name: 'PreToolUse', tool_input: 1 }],
    [
      'deeper than it can be walked',
      {
        session_id: 's',
        cwd: '/',
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
      },
    ],
    ['a prompt without a text', { session_id: 's', cwd: '/', hook_event_name: 'UserPromptSubmit' }],
  ])('is %s, from any agent', async (_what, body) => {
    const listening = intake();
    for (const agent of ['claude', 'codex', 'gemini', 'qwen', 'opencode', 'cline', 'cursor'] as const)
      await listening.post(agent, body);
    await listening.settled();
    expect(recorded(listening.house)).toEqual([]);
  });
});

it('does not take for the state before what an agent wrote that had stopped waiting for its copy', async () => {
  const house = testHouse();
  const listening = intake(house);
  const workspace = tempRepository(FILES);
  await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'go' });
  const { captureFile } = house.capture;
  let isWritten: () => void = () => {};
  const written = new Promise<void>((resolve) => {
    isWritten = resolve;
  });
  // A slow disk: the file is not read before the agent has written it.
  vi.spyOn(house.capture, 'captureFile').mockImplementation(async (...args) => {
    await written;
    return captureFile.apply(house.capture, args);
  });
  const call = {
    tool_name: 'Edit',
    tool_input: { file_path: join(workspace, 'hello.txt'), old_string: 'world', new_string: 'there' },
    tool_use_id: 'edit',
  };
  await listening.claude(workspace, 'PreToolUse', call);
  writeFileSync(join(workspace, 'hello.txt'), 'hello there\n');
  isWritten();
  await listening.claude(workspace, 'PostToolUse', { ...call, tool_response: {} });
  await listening.claude(workspace, 'Stop', { last_assistant_message: 'done' });
  await listening.settled();
  const [run] = recorded(house);
  expect(run?.files).toEqual(['modified hello.txt +1 -1 tool']);
  const [session] = listSessions(house.store, { limit: 1 }).sessions;
  const [stored] = runToolCalls(house.store, sessionRuns(house.store, session?.id as SessionId)[0]?.id as RunId);
  // The look before the call tells what was there.
  expect(readToolMeta(stored?.meta ?? null)).toMatchObject({
    stat: { additions: 1, deletions: 1 },
    diffs: [{ kind: 'modified', old_text: 'hello world\n', new_text: 'hello there\n' }],
  });
});

it('keeps a bounded part of an input, however it is made', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`k${at}`, Array(1_000).fill('x'.repeat(1_000))]),
  );
  for (const value of [wide, 'x'.repeat(5_000_000), Array(100_000).fill({ a: 1 }), { ['k'.repeat(100_000)]: 1 }]) {
    expect(JSON.stringify(boundedJson(value)).length).toBeLessThan(200_000);
  }
  const plain = { command: 'ls', nested: [1, true, null, { a: 'b' }], __proto__: { x: 1 } };
  expect(boundedJson(plain)).toEqual(plain);
});

it('stores what is needed of a payload and no more', async () => {
  const workspace = tempRepository(FILES);
  const listening = intake();
  const long = 'x'.repeat(500_000);
  await listening.post('cursor', {
    conversation_id: 'c',
    generation_id: 'g',
    hook_event_name: 'beforeSubmitPrompt',
    prompt: 'go',
    user_email: 'someone@example.org',
    workspace_roots: [workspace],
  });
  const call = {
    conversation_id: 'c',
    generation_id: 'g',
    workspace_roots: [workspace],
    user_email: 'someone@example.org',
    tool_name: 'write',
    tool_use_id: '1',
    tool_input: { file_path: 'a', content: long, email: 'someone@example.org' },
  };
  await listening.post('cursor', { ...call, hook_event_name: 'preToolUse' });
  await listening.post('cursor', { ...call, hook_event_name: 'postToolUse', tool_output: 'ok' });
  await listening.post('cursor', {
    conversation_id: 'c',
    hook_event_name: 'stop',
    status: 'completed',
    workspace_roots: [workspace],
  });
  await listening.settled();
  const [session] = listSessions(listening.house.store, { limit: 1 }).sessions;
  const [run] = sessionRuns(listening.house.store, session?.id as SessionId);
  const stored = JSON.stringify([
    run,
    runToolCalls(listening.house.store, run!.id),
    runMessages(listening.house.store, run!.id),
  ]);
  expect(stored).not.toContain('@example.org');
  expect(stored.length).toBeLessThan(100_000);
});

describe('a run', () => {
  it('goes on in a new one where Tidemark was restarted in the middle, and the first says why it ended', async () => {
    const workspace = tempRepository(FILES);
    const house = testHouse();
    const before = intake(house);
    await before.claude(workspace, 'UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' });
    await before.settled();
    house.live.clear();
    await mendAfterRestart(house);
    const after = intake(house);
    const call = { tool_name: 'Write', tool_input: { file_path: 'new.txt' }, tool_use_id: '2', prompt_id: 'p1' };
    await after.claude(workspace, 'PostToolUse', { ...call, tool_use_id: '1' });
    await after.claude(workspace, 'PreToolUse', call);
    writeFileSync(join(workspace, 'new.txt'), 'x\n');
    await after.claude(workspace, 'PostToolUse', call);
    await after.claude(workspace, 'Stop', { prompt_id: 'p1' });
    await after.settled();
    expect(recorded(house)).toMatchObject([
      { prompt: 'go', status: 'interrupted' },
      { prompt: '', status: 'completed', files: ['added new.txt +1 -0 tool'] },
    ]);
  });

  it('that a person cancelled stays cancelled, though its agent goes on', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'go' });
    const [live] = listening.house.live.values();
    await cancelRun(listening.house, live!.session.id, live!.run.id);
    await listening.claude(workspace, 'PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: '1' });
    await listening.claude(workspace, 'Stop');
    await listening.settled();
    expect(recorded(listening.house)).toMatchObject([{ status: 'cancelled', calls: [] }]);
  });

  it('of a session that was deleted is not recorded further; the next prompt begins a new session', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'go' });
    const [live] = listening.house.live.values();
    await removeSession(listening.house, live!.session.id);
    await listening.claude(workspace, 'PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: '1' });
    await listening.claude(workspace, 'Stop');
    await listening.settled();
    expect(recorded(listening.house)).toEqual([]);
    await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'again' });
    await listening.claude(workspace, 'Stop');
    await listening.settled();
    expect(recorded(listening.house)).toMatchObject([{ prompt: 'again', status: 'completed' }]);
  });

  it('whose folder disappears ends and says so', async () => {
    const workspace = join(tempFolder(), 'work');
    mkdirSync(workspace);
    const listening = intake();
    await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'go' });
    rmSync(workspace, { recursive: true });
    await listening.claude(workspace, 'Stop');
    await listening.settled();
    expect(recorded(listening.house)).toMatchObject([{ status: 'completed' }]);
  });

  it('is ended by the clock where only a background server still runs', async () => {
    const workspace = tempRepository(FILES);
    const listening = intake();
    await listening.claude(workspace, 'UserPromptSubmit', { prompt: 'go' });
    await listening.claude(workspace, 'Stop', {
      background_tasks: [{ type: 'shell', status: 'running' }],
      last_assistant_message: 'It runs.',
    });
    await listening.settled();
    expect(recorded(listening.house)).toMatchObject([{ status: 'running' }]);
    await endSilentTalks(listening.house, listening.book, Date.now() + 60 * 60_000);
    await listening.settled();
    expect(recorded(listening.house)).toMatchObject([
      { status: 'completed', said: ['user: go', 'assistant: It runs.'] },
    ]);
  });
});
