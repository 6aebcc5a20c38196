import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { SessionEvent } from '@/lib/domain/events';
import { changeIdOf } from '@/lib/domain/ids';
import { isGroupAlive } from '@/lib/process/process-group';
import { findChange } from '@/lib/store/change-store';
import { agentProcessList, findRun, runMessages } from '@/lib/store/run-store';
import { type ScriptedAgentOptions, scriptedAgent } from '@/lib/testing/scripted-agent';
import { tempFolder, tempRepository } from '@/lib/testing/temp-workspace';
import { heard, testHouse } from '@/lib/testing/test-house';
import { closeAgentOf, startAgentRun } from './agent-run';
import type { House } from './house';
import { cancelRun } from './outside-run';
import { createSession } from './sessions';

const isEnd = ({ event }: SessionEvent) => /^run\.(completed|failed|cancelled)$/.test(event);

function houseWith(options: Omit<ScriptedAgentOptions, 'home'>): House {
  const house = testHouse();
  house.agents = [scriptedAgent({ home: tempFolder('agent-home'), ...options })];
  return house;
}

/** Plays a script to the end of its run; `stopAt` cancels it once that was said. */
async function play(house: House, text: string, { stopAt = '' } = {}) {
  const workspace = tempRepository({ 'a.txt': 'one\n' });
  const { session } = await createSession(house, { workspace, agent: 'scripted', request: null });
  const events = heard(house, session.id);
  const run = await startAgentRun(house, session, { text, images: [] });
  const answer = () =>
    runMessages(house.store, run.id)
      .filter(({ role }) => role === 'assistant')
      .map((message) => message.text)
      .join('');
  if (stopAt !== '') {
    await vi.waitFor(() => expect(answer()).toContain(stopAt), 30_000);
    await cancelRun(house, session.id, run.id);
  }
  await vi.waitFor(() => expect(events.filter(isEnd)).toHaveLength(1), 60_000);
  // The record stands before the end is told.
  const change = findChange(house.store, changeIdOf({ source: 'run', runId: run.id }), 500);
  const processes = () => agentProcessList(house.store).filter(({ sessionId }) => sessionId === session.id);
  const groups = processes().map(({ pid }) => pid);
  await closeAgentOf(house, session.id);
  for (const pid of groups) expect(await isGroupAlive(pid), `group ${pid}`).toBe(false);
  expect(processes()).toEqual([]);
  return {
    workspace,
    run: findRun(house.store, run.id),
    answer: answer(),
    rows: (change?.files ?? []).map((file) => `${file.changeType} ${file.path} +${file.additions} -${file.deletions}`),
  };
}

it('an agent that is not installed begins no run and says what to type', async () => {
  const house = houseWith({ command: 'surely-no-such-agent' });
  const workspace = tempRepository();
  const { session } = await createSession(house, { workspace, agent: 'scripted', request: null });
  const started = startAgentRun(house, session, { text: 'say x', images: [] });
  await expect(started).rejects.toMatchObject({
    code: 'agent_unavailable',
    message: expect.stringContaining('Type: nothing'),
  });
});

it.each<[string, Omit<ScriptedAgentOptions, 'home'>, string]>([
  ['exits at once', { args: ['--exit', '3'] }, 'exit code 3'],
  ['prints no JSON', { args: ['--garbage'], patience: { startMs: 5_000 } }, 'Welcome to the agent!'],
  ['never answers', { args: ['--silent'], patience: { startMs: 500 } }, 'did not answer within 500 ms'],
  ['speaks another version', { args: ['--version', '99'] }, 'speaks version 99'],
  ['needs a login', { args: ['--auth'] }, 'Run `scripted login` in a terminal'],
])('the run of an agent that %s fails in words, with nothing changed and nothing left', async (_, options, words) => {
  const { run, rows } = await play(houseWith(options), 'write b.txt x');
  expect(run?.status).toBe('failed');
  expect(run?.error).toContain(words);
  expect(rows).toEqual([]);
});

const ROWS = ['modified a.txt +1 -1', 'added b.txt +1 -0'];
const WORK = 'edit a.txt one => two\nwrite b.txt x\\n';

it.each([
  ['floods', 'flood 50000', '49999,'],
  ['floods with calls', 'floodtools 2000\nsay still here', 'still here'],
  ['prints garbage', 'garbage\nsay still here', 'still here'],
  ['sends unknown updates and kinds', 'unknown\nbadcontent\nsay still here', 'still here'],
  ['sends 20 MB in one message', 'big 20\nsay still here', 'the rest of this message was left out'],
  ['sends bytes that are no UTF-8', 'utf8', '\ufffd'],
])('the run of an agent that %s completes, and its block is right', async (_, fault, words) => {
  const { run, rows, answer } = await play(houseWith({}), `${WORK}\n${fault}`);
  expect(run).toMatchObject({ status: 'completed', error: null });
  expect(answer).toContain(words);
  expect(rows).toEqual(ROWS);
});

it('an agent that dies fails its run in words, and its block is right', async () => {
  const { run, rows } = await play(houseWith({}), `${WORK}\ncrash 9`);
  expect(run?.status).toBe('failed');
  expect(run?.error).toContain('exit code 9');
  expect(run?.error).toContain('panic: the script said so');
  expect(rows).toEqual(ROWS);
});

it('a permission that is asked after the cancel is denied, and what was done before is listed', async () => {
  const { run, rows, answer } = await play(houseWith({}), `${WORK}\nsay waiting\nask-after-cancel`, {
    stopAt: 'waiting',
  });
  expect(run?.status).toBe('cancelled');
  expect(answer).not.toContain('allowed');
  expect(rows).toEqual(ROWS);
});

it('a path outside the workspace harms nothing; what lies in a temporary folder is nobody’s concern', async () => {
  const outside = join(tempFolder('outside'), 'o.txt');
  const { run, rows } = await play(houseWith({}), `${WORK}\noutside ${outside}`);
  expect(run?.status).toBe('completed');
  expect(readFileSync(outside, 'utf8')).toBe('outside');
  expect(rows).toEqual(ROWS);
});

it('two sessions with one agent at once each list their own work', async () => {
  const house = houseWith({});
  const [first, second] = await Promise.all([
    play(house, 'write first.txt x\nsleep 300\nsay done'),
    play(house, 'write second.txt x\nsleep 300\nsay done'),
  ]);
  expect(first?.rows).toEqual(['added first.txt +1 -0']);
  expect(second?.rows).toEqual(['added second.txt +1 -0']);
});
