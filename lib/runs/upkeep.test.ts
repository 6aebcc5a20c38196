import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeIdOf, type RunId } from '@/lib/domain/ids';
import { findChange, findFile, keptBodies } from '@/lib/store/change-store';
import { findRun } from '@/lib/store/run-store';
import { tempRepository } from '@/lib/testing/temp-workspace';
import { testHouse } from '@/lib/testing/test-house';
import type { House } from './house';
import { completeOutsideRun, startOutsideRun } from './outside-run';
import { sweepCapture } from './restart';
import { createSession } from './sessions';
import { bodyBytes, enforceRetention, trimBodies } from './upkeep';

async function runs(house: House, count: number) {
  const workspace = tempRepository({ a: '0\n' });
  const { session } = await createSession(house, { workspace, request: null });
  const ids: RunId[] = [];
  for (let at = 0; at < count; at += 1) {
    const runId = `r${at}` as RunId;
    await startOutsideRun(house, session, { prompt: '', runId, request: runId });
    appendFileSync(join(workspace, 'a'), `${at} ${'x'.repeat(2000)}\n`);
    await completeOutsideRun(house, session.id, runId, { status: 'completed', completion: '' });
    ids.push(runId);
  }
  return { session, ids, workspace };
}

const changeOf = (runId: RunId) => changeIdOf({ source: 'run', runId });
const isExpired = (house: House, runId: RunId) => keptBodies(house.store, changeOf(runId))?.kept === null;

it('takes the oldest bodies first past the bytes; rows stay and say expired', async () => {
  const house = testHouse();
  const { ids } = await runs(house, 24);
  const all = await bodyBytes(house);
  const expired = await trimBodies(house, all - 1);
  expect(expired).toBeGreaterThan(0);
  expect(await bodyBytes(house)).toBeLessThan(all);
  expect(ids.map((id) => isExpired(house, id))).toEqual(ids.map((_, at) => at < expired));
  const [first, last] = [ids[0] as RunId, ids.at(-1) as RunId];
  const row = findChange(house.store, changeOf(first), 10)?.files[0];
  expect(row).toMatchObject({ path: 'a', additions: 1 });
  expect(row && findFile(house.store, changeOf(first), row.id)?.body).toMatchObject({ patch: null, expired: true });

  const kept = findChange(house.store, changeOf(last), 10)?.files[0];
  const stored = kept && findFile(house.store, changeOf(last), kept.id)?.stored;
  const bodies = keptBodies(house.store, changeOf(last))?.kept;
  const comparison = stored && (await house.capture.readComparison(bodies as never, stored, { context: 3 }));
  expect(comparison).toMatchObject({ kind: 'text' });
});

it('takes runs past their number and their days away whole', async () => {
  const house = testHouse({ limits: { retentionRuns: 3 } });
  const { ids } = await runs(house, 5);
  await enforceRetention(house, Date.now());
  expect(ids.map((id) => findRun(house.store, id) !== null)).toEqual([false, false, true, true, true]);
  await enforceRetention(house, Date.now() + 31 * 86_400_000);
  expect(ids.every((id) => findRun(house.store, id) === null)).toBe(true);
});

it('sweeps nothing that a run, a change or the workspace’s last look needs', async () => {
  const house = testHouse();
  const { session, ids, workspace } = await runs(house, 2);
  await startOutsideRun(house, session, { prompt: '', runId: 'going' as RunId, request: 'going' });
  await sweepCapture(house);
  appendFileSync(join(workspace, 'a'), 'more\n');
  const { change } = await completeOutsideRun(house, session.id, 'going' as RunId, {
    status: 'completed',
    completion: '',
  });
  expect(change?.files.map((file) => `${file.path} +${file.additions}`)).toEqual(['a +1']);
  await sweepCapture(house);
  for (const runId of [...ids, 'going' as RunId]) {
    const row = findChange(house.store, changeOf(runId), 10)?.files[0];
    const stored = row && findFile(house.store, changeOf(runId), row.id)?.stored;
    const bodies = keptBodies(house.store, changeOf(runId))?.kept;
    expect(stored && (await house.capture.readComparison(bodies as never, stored, { context: 3 }))).toMatchObject({
      kind: 'text',
      hunks: [{}],
    });
  }
});
