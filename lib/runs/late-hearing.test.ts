import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { changeIdOf } from '@/lib/domain/ids';
import { readToolMeta } from '@/lib/domain/tool-meta';
import { findChange } from '@/lib/store/change-store';
import { runToolCalls } from '@/lib/store/tool-store';
import { scriptedAgent } from '@/lib/testing/scripted-agent';
import { tempFolder, tempRepository } from '@/lib/testing/temp-workspace';
import { heard, testHouse } from '@/lib/testing/test-house';
import { closeAgentOf, startAgentRun } from './agent-run';
import { subscribe } from './event-bus';
import { createSession } from './sessions';

/** Hears nothing until a file is there and for a while after, as a process does that is kept busy. */
function deafUntil(file: string): void {
  const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  for (let waited = 0; !existsSync(file) && waited < 20_000; waited += 10) pause(10);
  pause(200);
}

it('what an agent did while nobody could listen is its calls’ work', async () => {
  const house = testHouse();
  house.agents = [...house.agents, scriptedAgent({ home: tempFolder('agent-home') })];
  const workspace = tempRepository({ 'b.txt': 'one\n' });
  const { session } = await createSession(house, { workspace, agent: 'scripted', request: null });
  const events = heard(house, session.id);
  let isDeaf = false;
  subscribe(house, session.id, null, ({ data }) => {
    const event = JSON.parse(data);
    if (isDeaf || event.event !== 'message.created' || event.message.role !== 'assistant') return;
    isDeaf = true;
    deafUntil(join(workspace, 'done.txt'));
  });
  const text = 'say here I go\nsleep 300\nrun echo x > made.txt\nedit b.txt one => two\nrun echo x > done.txt';
  const run = await startAgentRun(house, session, { text, images: [] });
  await vi.waitFor(() => expect(events.at(-1)?.event).toBe('run.completed'), 30_000);
  await closeAgentOf(house, session.id);

  expect(isDeaf).toBe(true);
  const [made, edited, done] = runToolCalls(house.store, run.id);
  const change = findChange(house.store, changeIdOf({ source: 'run', runId: run.id }), 500);
  expect(change?.files.map(({ path, origin }) => `${path} ${origin}`)).toEqual([
    'b.txt tool',
    'done.txt command',
    'made.txt command',
  ]);
  const idsOf = (path: string) => change?.files.find((file) => file.path === path)?.toolCallIds;
  expect(idsOf('made.txt')).toContain(made?.id);
  expect(idsOf('done.txt')).toContain(done?.id);
  expect(readToolMeta(edited?.meta ?? null)).toMatchObject({
    stat: { additions: 1, deletions: 1 },
    diffs: [{ path: 'b.txt', kind: 'modified', old_text: 'one\n', new_text: 'two\n' }],
  });
});
