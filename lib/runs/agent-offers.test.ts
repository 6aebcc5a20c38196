import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SessionId } from '@/lib/domain/ids';
import { tempRepository } from '@/lib/testing/temp-workspace';
import { testHouse } from '@/lib/testing/test-house';
import { toolServerFor, withDriftNote } from './agent-offers';
import type { House } from './house';
import { completeOutsideRun, startOutsideRun } from './outside-run';
import { createSession } from './sessions';

/** A run that begins after the folder changed since the one before it. */
async function afterDrift(house: House, change: (folder: string) => void) {
  const workspace = tempRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { session } = await createSession(house, { workspace, request: null });
  const first = await startOutsideRun(house, session, { prompt: 'one', request: '' });
  await completeOutsideRun(house, session.id, first.run.id, { status: 'completed', completion: '' });
  change(workspace);
  const { run } = await startOutsideRun(house, session, { prompt: 'two', request: '' });
  const live = house.live.get(run.id);
  if (!live) throw new Error('The run does not go on');
  return live;
}

it('adds nothing to a prompt unless a setting says so', async () => {
  const house = testHouse();
  const live = await afterDrift(house, (folder) => writeFileSync(join(folder, 'a.txt'), 'by hand\n'));
  expect(await withDriftNote(house, live, 'go')).toBe('go');
  expect(toolServerFor(house, live.session.id)).toBeNull();
});

it('tells an agent in one line what changed since its last run, where that is wanted', async () => {
  const house = testHouse();
  house.settings.agentDriftNote = true;
  const live = await afterDrift(house, (folder) => {
    for (let at = 0; at < 12; at += 1) writeFileSync(join(folder, `new-${String(at).padStart(2, '0')}`), 'x\n');
  });
  expect(await withDriftNote(house, live, 'go')).toBe(
    `(Since the last run, 12 files changed outside runs: ${Array.from({ length: 10 }, (_, at) => `new-${String(at).padStart(2, '0')}`).join(', ')} and 2 more)\n\ngo`,
  );
  const quiet = await afterDrift(house, () => undefined);
  expect(await withDriftNote(house, quiet, 'go')).toBe('go');
});

it('offers its tools without a token among the arguments', () => {
  const house = testHouse();
  house.settings.agentMcp = true;
  expect(toolServerFor(house, 'ses_1' as SessionId)).toEqual({
    command: process.execPath,
    args: [
      join(process.cwd(), 'dist', 'tidemark.mjs'),
      'mcp',
      '--session',
      'ses_1',
      '--data-dir',
      house.settings.dataDir,
    ],
    env: [],
  });
});
