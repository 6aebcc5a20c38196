import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { SessionEvent } from '@/lib/domain/events';
import { changeIdOf, type RunId, type ToolCallId } from '@/lib/domain/ids';
import { findChange, findFile } from '@/lib/store/change-store';
import { findRun, runMessages } from '@/lib/store/run-store';
import { runToolCalls } from '@/lib/store/tool-store';
import { git, tempFolder, tempRepository } from '@/lib/testing/temp-workspace';
import { heard, testHouse } from '@/lib/testing/test-house';
import { startAgentRun } from './agent-run';
import type { House } from './house';
import { cancelRun, completeOutsideCall, completeOutsideRun, startOutsideCall, startOutsideRun } from './outside-run';
import { mendAfterRestart } from './restart';
import { createSession, removeSession } from './sessions';
import { expireSilentRuns } from './upkeep';

const prompt = (text: string) => ({ text, images: [] });
const isEnd = (event: SessionEvent) => /^run\.(completed|failed|cancelled|interrupted)$/.test(event.event);

async function shellSession(house: House, workspace: string) {
  const { session } = await createSession(house, { workspace, agent: 'shell', request: null });
  return { session, events: heard(house, session.id) };
}

async function runToEnd(house: House, workspace: string, command: string) {
  const { session, events } = await shellSession(house, workspace);
  const run = await startAgentRun(house, session, prompt(command));
  await vi.waitFor(() => expect(events.some(isEnd)).toBe(true), 15_000);
  const change = findChange(house.store, changeIdOf({ source: 'run', runId: run.id }), 500);
  return { session, events, run: findRun(house.store, run.id), change };
}

const rows = (change: Awaited<ReturnType<typeof runToEnd>>['change']) =>
  change?.files.map(
    (file) => `${file.changeType[0]?.toUpperCase()} ${file.path} +${file.additions} -${file.deletions}`,
  );

describe('a run of the shell', () => {
  it('lists exactly what the command changed, with git’s counts, before the terminal event', async () => {
    const house = testHouse();
    const workspace = tempRepository({ 'a.txt': 'one\ntwo\n', 'old.txt': 'x\n', 'dirty.txt': '1\n' });
    appendFileSync(join(workspace, 'dirty.txt'), 'mine\n');
    const { events, run, change } = await runToEnd(
      house,
      workspace,
      "sed -i s/one/ONE/ a.txt; rm old.txt; mkdir -p new; printf 'p\\nq\\n' > new/n.txt",
    );
    expect(run?.status).toBe('completed');
    expect(rows(change)).toEqual(['M a.txt +1 -1', 'A new/n.txt +2 -0', 'D old.txt +0 -1']);
    expect(change).toMatchObject({ changedCount: 3, additions: 3, deletions: 2, workspaceKind: 'git' });
    expect(change?.files.every((file) => file.origin === 'command')).toBe(true);
    const names = events.map((event) => event.event);
    expect(names.indexOf('workspace.diff.completed')).toBe(names.length - 2);
    expect(names.at(-1)).toBe('run.completed');
    const first = change?.files[0];
    const patch = first && findFile(house.store, change.changeId, first.id)?.body.patch;
    expect(patch?.slice(patch.indexOf('@@'))).toBe(git(workspace, 'diff', 'a.txt').replace(/^[\s\S]*?(?=@@)/, ''));
  });

  it('has a change block and a failed run when the command fails', async () => {
    const { run, change, session } = await runToEnd(testHouse(), tempRepository({ a: '1\n' }), 'echo 2 >> a; exit 3');
    expect(run).toMatchObject({ status: 'failed', stopReason: 'exit 3' });
    expect(rows(change)).toEqual(['M a +1 -0']);
    expect(session.agent).toBe('shell');
  });

  it('has no change and no event when nothing changed', async () => {
    const { events, change } = await runToEnd(testHouse(), tempRepository({ a: '1\n' }), 'cp a b; rm b');
    expect(change).toBeNull();
    expect(events.some((event) => event.event === 'workspace.diff.completed')).toBe(false);
  });

  it('keeps the output as one call of kind execute and the status in the answer', async () => {
    const house = testHouse();
    const { run } = await runToEnd(house, tempRepository(), 'echo hello; echo there >&2');
    const [call, ...more] = runToolCalls(house.store, run?.id as RunId);
    expect(more).toEqual([]);
    expect(call).toMatchObject({ kind: 'execute', status: 'completed', title: 'echo hello; echo there >&2' });
    expect(call?.output).toContain('hello');
    expect(call?.output).toContain('there');
    expect(runMessages(house.store, run?.id as RunId).map((message) => message.role)).toEqual(['user', 'assistant']);
  });

  it('is cancelled by Stop, with what it changed until then', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n' });
    const { session, events } = await shellSession(house, workspace);
    const run = await startAgentRun(house, session, prompt('echo 2 >> a; sleep 60; echo 3 >> a'));
    await vi.waitFor(() => expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('1\n2\n'), 10_000);
    await cancelRun(house, session.id, run.id);
    await vi.waitFor(() => expect(events.some(isEnd)).toBe(true), 10_000);
    expect(findRun(house.store, run.id)?.status).toBe('cancelled');
    expect(rows(findChange(house.store, changeIdOf({ source: 'run', runId: run.id }), 500))).toEqual(['M a +1 -0']);
  });

  it('refuses a second run while one goes on, and a folder that is gone', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n' });
    const { session, events } = await shellSession(house, workspace);
    await startAgentRun(house, session, prompt('sleep 1'));
    await expect(startAgentRun(house, session, prompt('true'))).rejects.toMatchObject({ code: 'run_in_progress' });
    await vi.waitFor(() => expect(events.some(isEnd)).toBe(true), 10_000);
    rmSync(workspace, { recursive: true });
    await expect(startAgentRun(house, session, prompt('true'))).rejects.toMatchObject({
      code: 'workspace_unavailable',
    });
  });

  it('says that the workspace disappeared during the run', async () => {
    const workspace = tempRepository({ a: '1\n' });
    const { run, change } = await runToEnd(testHouse(), workspace, `rm -rf '${workspace}'`);
    expect(existsSync(workspace)).toBe(false);
    expect(run?.status).not.toBe('running');
    expect(change?.gaps.map((gap) => gap.reason)).toContain('workspace_missing');
  });
});

describe('a run of an outside host', () => {
  async function outside(house: House, workspace: string) {
    const { session } = await createSession(house, { workspace, request: null });
    const events = heard(house, session.id);
    const start = (runId: string) =>
      startOutsideRun(house, session, { prompt: 'p', runId: runId as RunId, request: `{"run_id":"${runId}"}` });
    const call = (runId: string, id: string, paths: string[], kind: 'edit' | 'execute' = 'edit') =>
      startOutsideCall(house, session.id, runId as RunId, { id: id as ToolCallId, paths, kind, request: id });
    const end = (runId: string, id: string) =>
      completeOutsideCall(house, session.id, runId as RunId, {
        id: id as ToolCallId,
        status: 'completed',
        completion: id,
      });
    const complete = (runId: string, message?: string) =>
      completeOutsideRun(house, session.id, runId as RunId, { status: 'completed', message, completion: 'c' });
    return { session, events, start, call, end, complete };
  }

  it('gives each call its own change, and each file the calls that touched it', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n', b: '1\n' });
    const { start, call, end, complete } = await outside(house, workspace);
    const { run } = await start('r1');
    expect(run.baseline).toBe('ready');
    await call('r1', 'edit a', ['a']);
    appendFileSync(join(workspace, 'a'), '2\n');
    const first = await end('r1', 'edit a');
    expect(rows(first.change)).toEqual(['M a +1 -0']);
    expect(first.change?.changeId).toBe('tool:r1:edit%20a');
    expect(first.toolCall.meta).toMatchObject({
      diffs: [{ path: 'a', hunks: [{ old_start: 1, new_lines: 2 }] }],
      diff_stat: { files: 1, additions: 1, deletions: 0 },
    });
    await call('r1', 'shell', [], 'execute');
    appendFileSync(join(workspace, 'a'), '3\n');
    writeFileSync(join(workspace, 'c'), 'new\n');
    const second = await end('r1', 'shell');
    expect(rows(second.change)).toEqual(['M a +1 -0', 'A c +1 -0']);
    const { change } = await complete('r1', 'done');
    expect(rows(change)).toEqual(['M a +2 -0', 'A c +1 -0']);
    expect(change?.files.map((file) => [file.origin, file.toolCallIds])).toEqual([
      ['tool', ['edit a', 'shell']],
      ['command', ['shell']],
    ]);
  });

  it('leaves to nobody what a person saved between two calls', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n', u: '1\n' });
    const { start, call, end, complete } = await outside(house, workspace);
    await start('r1');
    await call('r1', 'one', ['a']);
    appendFileSync(join(workspace, 'a'), '2\n');
    await end('r1', 'one');
    await new Promise((resolve) => setTimeout(resolve, 60));
    appendFileSync(join(workspace, 'u'), 'mine\n');
    await new Promise((resolve) => setTimeout(resolve, 60));
    await call('r1', 'two', ['a']);
    appendFileSync(join(workspace, 'a'), '3\n');
    await end('r1', 'two');
    const { change } = await complete('r1');
    expect(change?.files.map((file) => [file.path, file.origin])).toEqual([
      ['a', 'tool'],
      ['u', 'other'],
    ]);
  });

  it('lists an ignored file that a file tool named, and only once', async () => {
    const house = testHouse();
    const workspace = tempRepository({ '.gitignore': 'secret/\n', 'secret/k': '1\n' });
    const { start, call, end, complete } = await outside(house, workspace);
    await start('r1');
    await call('r1', 'one', ['secret/k']);
    appendFileSync(join(workspace, 'secret/k'), '2\n');
    const call1 = await end('r1', 'one');
    expect(rows(call1.change)).toEqual(['M secret/k +1 -0']);
    const { change } = await complete('r1');
    expect(rows(change)).toEqual(['M secret/k +1 -0']);
    expect(change?.files[0]).toMatchObject({ ignored: true, origin: 'tool', evidence: ['capture'] });
  });

  it('answers repeats with what exists and refuses other bodies', async () => {
    const house = testHouse();
    const { session, start, call, end, complete } = await outside(house, tempRepository({ a: '1\n' }));
    expect((await start('r1')).created).toBe(true);
    expect((await start('r1')).created).toBe(false);
    await expect(
      startOutsideRun(house, session, { prompt: 'other', runId: 'r1' as RunId, request: 'other' }),
    ).rejects.toMatchObject({ code: 'run_id_in_use' });
    expect((await call('r1', 'c', [])).created).toBe(true);
    expect((await call('r1', 'c', [])).created).toBe(false);
    await end('r1', 'c');
    expect((await end('r1', 'c')).toolCall.status).toBe('completed');
    const first = await complete('r1');
    expect(await complete('r1')).toEqual(first);
    await expect(
      completeOutsideRun(house, session.id, 'r1' as RunId, { status: 'failed', completion: 'other' }),
    ).rejects.toMatchObject({ code: 'run_already_finished' });
    await expect(call('r1', 'late', [])).rejects.toMatchObject({ code: 'run_already_finished' });
  });

  it('shows what changed between two runs as drift, never as the work of the second', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n', b: '1\n' });
    const { start, complete, events } = await outside(house, workspace);
    await start('r1');
    appendFileSync(join(workspace, 'a'), '2\n');
    await complete('r1');
    appendFileSync(join(workspace, 'b'), 'mine\n');
    await start('r2');
    const { change } = await complete('r2');
    expect(change).toBeNull();
    const drift = findChange(house.store, changeIdOf({ source: 'drift', runId: 'r2' as RunId }), 500);
    expect(rows(drift)).toEqual(['M b +1 -0']);
    expect(findChange(house.store, changeIdOf({ source: 'drift', runId: 'r1' as RunId }), 500)).toBeNull();
    expect(events.filter((event) => event.event === 'workspace.drift.detected')).toHaveLength(1);
  });

  it('tells two runs in one workspace apart by what their tools named', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n', b: '1\n' });
    const [one, two] = [await outside(house, workspace), await outside(house, workspace)];
    await one.start('A');
    await two.start('B');
    await one.call('A', 'ea', ['a']);
    appendFileSync(join(workspace, 'a'), '2\n');
    await one.end('A', 'ea');
    await two.call('B', 'eb', ['b']);
    appendFileSync(join(workspace, 'b'), '2\n');
    await two.end('B', 'eb');
    const a = (await one.complete('A')).change;
    const b = (await two.complete('B')).change;
    expect(a?.files.map((file) => [file.path, file.origin])).toEqual([
      ['a', 'tool'],
      ['b', 'other'],
    ]);
    expect(b?.files.map((file) => [file.path, file.origin])).toEqual([
      ['a', 'other'],
      ['b', 'tool'],
    ]);
    expect([a?.overlaps, b?.overlaps]).toEqual([['B'], ['A']]);
  });

  it('becomes interrupted, with its change computed then, when its host falls silent', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n' });
    const { start } = await outside(house, workspace);
    await start('r1');
    appendFileSync(join(workspace, 'a'), '2\n');
    await expireSilentRuns(house, Date.now() + house.settings.limits.checkpointMs + 1);
    expect(findRun(house.store, 'r1' as RunId)?.status).toBe('interrupted');
    const change = findChange(house.store, changeIdOf({ source: 'run', runId: 'r1' as RunId }), 500);
    expect(rows(change)).toEqual(['M a +1 -0']);
    expect(change?.gaps).toContainEqual({ reason: 'checkpoint_expired' });
  });

  it('is interrupted by a crash, has no change, and shows as drift of the next run', async () => {
    const dataDir = tempFolder('data');
    const workspace = tempRepository({ a: '1\n' });
    const before = testHouse({ dataDir });
    const { session, start } = await outside(before, workspace);
    await start('r1');
    await Promise.all(before.live.get('r1' as RunId)?.pending ?? []);
    appendFileSync(join(workspace, 'a'), '2\n');

    const after = testHouse({ dataDir });
    await mendAfterRestart(after);
    const run = findRun(after.store, 'r1' as RunId);
    expect(run).toMatchObject({ status: 'interrupted' });
    expect(run?.error).toContain('Tidemark stopped');
    expect(findChange(after.store, changeIdOf({ source: 'run', runId: 'r1' as RunId }), 500)).toBeNull();
    await startOutsideRun(after, session, { prompt: '', runId: 'r2' as RunId, request: 'r2' });
    const { change } = await completeOutsideRun(after, session.id, 'r2' as RunId, {
      status: 'completed',
      completion: '',
    });
    expect(change).toBeNull();
    expect(rows(findChange(after.store, changeIdOf({ source: 'drift', runId: 'r2' as RunId }), 500))).toEqual([
      'M a +1 -0',
    ]);
  });

  it('goes with its session: rows, bodies and private refs', async () => {
    const house = testHouse();
    const workspace = tempRepository({ a: '1\n' });
    const { session, start, complete, events } = await outside(house, workspace);
    await start('r1');
    appendFileSync(join(workspace, 'a'), '2\n');
    await complete('r1');
    await start('r2');
    await removeSession(house, session.id);
    expect(findRun(house.store, 'r1' as RunId)).toBeNull();
    expect(house.store.$client.prepare('select count(*) as n from workspace_run_change_files').get()).toEqual({ n: 0 });
    expect(house.store.$client.prepare('select count(*) as n from workspace_run_changes').get()).toEqual({ n: 0 });
    expect(events.at(-1)?.event).toBe('session.deleted');
    expect(house.live.size).toBe(0);
  });
});
