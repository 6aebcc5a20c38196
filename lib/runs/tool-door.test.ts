import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listChanges } from '@/lib/store/change-store';
import { sessionRuns } from '@/lib/store/run-store';
import { deleteSession, findSession, listSessions } from '@/lib/store/session-store';
import { runToolCalls } from '@/lib/store/tool-store';
import { git, tempRepository } from '@/lib/testing/temp-workspace';
import { testHouse } from '@/lib/testing/test-house';
import { createToolServer } from '@/lib/tools/tool-server';
import { openHookBook } from './hook-book';
import { takeHookRequest } from './hook-runs';
import type { House } from './house';
import { completeOutsideRun, startOutsideRun } from './outside-run';
import { mendAfterRestart } from './restart';
import { createSession } from './sessions';
import { dismissClient, dismissSilentClients, type ToolClients } from './tool-clients';
import { openToolDoor, type ToolBinding } from './tool-door';

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' };

/** A client that is connected to the tools of a house. */
async function connected(house: House, binding: Partial<ToolBinding>, clients: ToolClients = new Map()) {
  const server = createToolServer(
    openToolDoor(house, clients, { sessionId: null, folder: null, client: 'c', ...binding }),
  );
  const client = new Client({ name: 'tester', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return {
    client,
    clients,
    call: async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError = false, _meta } = await client.callTool({ name, arguments: args });
      const [first] = content as { type: string; text: string }[];
      return { text: first?.text ?? '', isError, meta: _meta as Record<string, never> };
    },
  };
}

/** Rows of the changes of a run, in short. */
function rows(house: House, source: 'run' | 'tool' | 'drift') {
  return listSessions(house.store, { limit: 9 }).sessions.flatMap((session) =>
    listChanges(house.store, session.id, { source, limit: 50 }, 500).changes.flatMap((change) =>
      change.files.map(
        (file) => `${file.changeType} ${file.path} +${file.additions} -${file.deletions} ${file.origin}`,
      ),
    ),
  );
}

async function outsideRun(house: House, workspace: string) {
  const { session } = await createSession(house, { workspace, request: null });
  const { run } = await startOutsideRun(house, session, { prompt: 'go', request: '' });
  return {
    session,
    run,
    end: () => completeOutsideRun(house, session.id, run.id, { status: 'completed', completion: '' }),
  };
}

it('tells a client which tools there are, and which only read', async () => {
  const { client } = await connected(testHouse(), { folder: tempRepository(FILES) });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['edit', false],
    ['write', false],
    ['list_runs', true],
    ['run_changes', true],
    ['run_patch', true],
  ]);
  expect(tools.find(({ name }) => name === 'edit')?.inputSchema.required).toEqual(['path', 'old_string', 'new_string']);
});

describe('a client without a run', () => {
  it('edits, checks itself, and reads its run’s patch; the run ends when it leaves', async () => {
    const house = testHouse();
    const workspace = tempRepository(FILES);
    const { call, clients } = await connected(house, { folder: workspace });
    const edited = await call('edit', { path: 'a.txt', old_string: 'two', new_string: '2' });
    expect(edited.text).toBe('Edited a.txt (1 replacement).\n```diff\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n```');
    const written = await call('write', { path: join(workspace, 'new.txt'), content: 'new\n' });
    expect(written.text).toBe('Wrote 4 bytes to new.txt.');
    expect(edited.meta.run_id).toBe(written.meta.run_id);
    writeFileSync(join(workspace, 'b.txt'), 'by shell\n');

    const changes = await call('run_changes');
    expect(changes.text).toMatch(
      /^Changed 3 files {2}\+3 −2 {2}\(run_\w+, so far\)\nM a\.txt \+1 −1\nM b\.txt \+1 −1\nA new\.txt \+1 −0$/,
    );
    const patch = await call('run_patch');
    expect(patch.text).toContain('+by shell');
    execFileSync('git', ['apply', '-R'], { cwd: workspace, input: patch.meta.patch });
    expect(git(workspace, 'status', '--porcelain')).toBe('');

    await call('write', { path: 'c.txt', content: 'c\n' });
    await dismissClient(house, clients, 'c');
    expect(house.live.size).toBe(0);
    expect(rows(house, 'run')).toEqual(['added c.txt +1 -0 tool']);
    expect((await call('run_changes', { run_id: edited.meta.run_id })).text).toContain('A c.txt +1 −0');
    expect((await call('list_runs')).text).toMatch(/^run_\w+ {2}completed {2}/);
  });

  it('gets a new run for what it does after a long silence', async () => {
    const house = testHouse();
    const { call, clients } = await connected(house, { folder: tempRepository(FILES) });
    const first = await call('write', { path: 'a.txt', content: 'x\n' });
    await dismissSilentClients(house, clients, Date.now() + 60_000);
    expect(house.live.size).toBe(1);
    await dismissSilentClients(house, clients, Date.now() + 60 * 60_000);
    expect(house.live.size).toBe(0);
    const second = await call('write', { path: 'a.txt', content: 'y\n' });
    expect(second.meta.run_id).not.toBe(first.meta.run_id);
    const { sessions } = listSessions(house.store, { limit: 9 });
    expect(sessions).toHaveLength(1);
  });

  it('makes one run of edits that come at once', async () => {
    const house = testHouse();
    const { call } = await connected(house, { folder: tempRepository(FILES) });
    const answers = await Promise.all(['1', '2', '3', '4'].map((name) => call('write', { path: name, content: 'x' })));
    expect(new Set(answers.map(({ meta }) => meta.run_id)).size).toBe(1);
  });

  it('has a run of its own beside that of another process of the same program', async () => {
    const house = testHouse();
    const folder = tempRepository(FILES);
    const clients: ToolClients = new Map();
    const [one, two] = [
      await connected(house, { folder, client: 'one' }, clients),
      await connected(house, { folder, client: 'two' }, clients),
    ];
    const answers = [
      await one.call('write', { path: '1', content: 'x' }),
      await two.call('write', { path: '2', content: 'x' }),
    ];
    expect(new Set(answers.map(({ meta }) => meta.run_id)).size).toBe(2);
    await dismissClient(house, clients, 'one');
    expect([...house.live.keys()]).toEqual([answers[1]?.meta.run_id]);
  });

  it('is told to say where it works, where it does not', async () => {
    const { call } = await connected(testHouse(), {});
    expect(await call('edit', { path: 'a', old_string: 'a', new_string: 'b' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('?workspace='),
    });
    expect((await call('list_runs')).isError).toBe(true);
  });
});

describe('an agent of ours', () => {
  it('edits in the run of its session, and the call and its hunks are recorded by us', async () => {
    const house = testHouse();
    const workspace = tempRepository(FILES);
    const { session, run, end } = await outsideRun(house, workspace);
    const { call } = await connected(house, { sessionId: session.id });
    const answer = await call('edit', { path: 'a.txt', old_string: 'two', new_string: '2' });
    expect(answer.meta.run_id).toBe(run.id);
    await end();
    const [recorded] = runToolCalls(house.store, run.id);
    expect(recorded).toMatchObject({ tool: 'tidemark edit', kind: 'edit', status: 'completed', output: answer.text });
    expect(recorded?.meta).toMatchObject({ diffs: [{ path: 'a.txt', hunks: [{ old_start: 1 }] }] });
    expect(rows(house, 'run')).toEqual(['modified a.txt +1 -1 tool']);
    expect(rows(house, 'tool')).toEqual(['modified a.txt +1 -1 tool']);
  });

  it('is told what it could not do, and that is recorded', async () => {
    const house = testHouse();
    const { session, run, end } = await outsideRun(house, tempRepository(FILES));
    const { call } = await connected(house, { sessionId: session.id });
    const answer = await call('edit', { path: 'a.txt', old_string: 'three', new_string: '3' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('not in a.txt') });
    expect(await call('edit', { path: '../x', old_string: 'a', new_string: 'b' })).toMatchObject({ isError: true });
    await end();
    expect(runToolCalls(house.store, run.id).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(rows(house, 'run')).toEqual([]);
  });
});

it('copies nothing of a file that it refuses to edit', async () => {
  const house = testHouse();
  const outside = tempRepository({ 'secret.txt': 'the-outside-secret\n' });
  const workspace = tempRepository(FILES);
  symlinkSync(outside, join(workspace, 'out'));
  const { session, run, end } = await outsideRun(house, workspace);
  const { call } = await connected(house, { sessionId: session.id });
  for (const path of [join(outside, 'secret.txt'), 'out/secret.txt', '../secret.txt']) {
    expect(await call('edit', { path, old_string: 'outside', new_string: 'x' })).toMatchObject({ isError: true });
  }
  await end();
  expect(runToolCalls(house.store, run.id).map(({ status, locations }) => [status, locations])).toEqual(
    Array(3).fill(['failed', []]),
  );
  // grep finds nothing.
  expect(spawnSync('grep', ['-rq', 'the-outside-secret', house.settings.dataDir]).status).toBe(1);
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('the-outside-secret\n');
});

it('a call that an agent’s hooks announced is recorded once', async () => {
  const house = testHouse();
  const workspace = tempRepository(FILES);
  const book = openHookBook();
  const hook = (hook_event_name: string, rest: object = {}) =>
    takeHookRequest(house, book, 'claude', {
      event: null,
      directory: null,
      body: { session_id: 's', cwd: workspace, hook_event_name, ...rest },
    });
  const input = { path: 'a.txt', old_string: 'two', new_string: '2' };
  await hook('UserPromptSubmit', { prompt: 'go' });
  const announced = { tool_name: 'mcp__tidemark__edit', tool_input: input, tool_use_id: 'toolu_1' };
  await hook('PreToolUse', announced);
  const { call } = await connected(house, { folder: workspace });
  const answer = await call('edit', input);
  await hook('PostToolUse', { ...announced, tool_response: [{ type: 'text', text: answer.text }] });
  await hook('Stop');
  await [...book.talks.values()][0]?.tail;
  const [session] = listSessions(house.store, { limit: 9 }).sessions;
  const runs = sessionRuns(house.store, session!.id);
  expect(runs).toMatchObject([{ prompt: 'go', status: 'completed', id: answer.meta.run_id }]);
  expect(runToolCalls(house.store, runs[0]!.id)).toMatchObject([
    { id: 'toolu_1', status: 'completed', meta: { diffs: [{ path: 'a.txt' }] } },
  ]);
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n2\n');
});

describe('what is not known is not called nothing', () => {
  it('a run that changed nothing says so', async () => {
    const house = testHouse();
    const { session, end } = await outsideRun(house, tempRepository(FILES));
    const { call } = await connected(house, { sessionId: session.id });
    await end();
    expect(await call('run_changes')).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^No files changed in run_/),
    });
    expect(await call('run_patch')).toMatchObject({ isError: false, text: expect.stringMatching(/^No files changed/) });
  });

  it('a run that Tidemark lost', async () => {
    const house = testHouse();
    const { session, run } = await outsideRun(house, tempRepository(FILES));
    house.live.clear();
    await mendAfterRestart(house);
    const { call } = await connected(house, { sessionId: session.id });
    for (const tool of ['run_changes', 'run_patch']) {
      expect(await call(tool, { run_id: run.id })).toMatchObject({
        isError: true,
        text: expect.stringContaining('not recorded'),
      });
    }
  });

  it('a run that was deleted, or never was', async () => {
    const house = testHouse();
    const workspace = tempRepository(FILES);
    const { session, run, end } = await outsideRun(house, workspace);
    await end();
    deleteSession(house.store, session.id);
    expect(findSession(house.store, session.id)).toBeNull();
    const { call } = await connected(house, { folder: workspace });
    for (const run_id of [run.id, 'nothing', '../x', '']) {
      expect(await call('run_changes', { run_id })).toMatchObject({
        isError: true,
        text: expect.stringContaining('no run'),
      });
    }
    expect(await call('run_changes')).toMatchObject({ isError: true });
    const other = await connected(house, { sessionId: session.id });
    expect(await other.call('list_runs')).toMatchObject({ isError: true });
  });
});

it('says what changed outside runs, and that a first run has none', async () => {
  const house = testHouse();
  const workspace = tempRepository(FILES);
  const first = await outsideRun(house, workspace);
  const { call } = await connected(house, { folder: workspace });
  expect((await call('run_changes', { drift: true })).text).toMatch(/^Nothing changed outside runs/);
  await first.end();
  writeFileSync(join(workspace, 'b.txt'), 'by hand\n');
  const second = await outsideRun(house, workspace);
  const drift = await call('run_changes', { drift: true });
  expect(drift.text).toMatch(/^Changed outside runs: 1 file/);
  expect(drift.text).toContain('M b.txt +1 −1');
  expect((await call('run_changes')).text).toMatch(/^No files changed/);
  await second.end();
});

it('neither shows nor stores what is private', async () => {
  const house = testHouse({ privatePaths: ['.env*'] });
  const workspace = tempRepository({ '.env': 'TOKEN=secret\n' });
  const { session, run, end } = await outsideRun(house, workspace);
  const { call } = await connected(house, { sessionId: session.id });
  const answer = await call('edit', { path: '.env', old_string: 'secret', new_string: 'hidden' });
  expect(answer.isError).toBe(false);
  await end();
  const stored = JSON.stringify([answer, runToolCalls(house.store, run.id)]);
  expect(stored).not.toMatch(/secret|hidden/);
  expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe('TOKEN=hidden\n');
});
