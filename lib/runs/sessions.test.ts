import { expect, it } from 'vitest';
import type { SessionId } from '@/lib/domain/ids';
import { listSessions } from '@/lib/store/session-store';
import { tempFolder } from '@/lib/testing/temp-workspace';
import { testHouse } from '@/lib/testing/test-house';
import { createSession } from './sessions';

it('makes one session of the same request at the same time, and refuses another one under its id', async () => {
  const house = testHouse();
  const workspace = tempFolder();
  const sessionId = 'mine' as SessionId;
  const made = await Promise.all([1, 2, 3].map(() => createSession(house, { workspace, sessionId, request: 'a' })));
  expect(made.map(({ created }) => created).toSorted()).toEqual([false, false, true]);
  await expect(createSession(house, { workspace, sessionId, request: 'b' })).rejects.toMatchObject({
    code: 'run_id_in_use',
  });
  expect(listSessions(house.store, { limit: 9 }).sessions).toHaveLength(1);
});

it('makes one session of one outside conversation, whoever tells of it first', async () => {
  const house = testHouse();
  const workspace = tempFolder();
  const made = await Promise.all(
    [1, 2].map(() => createSession(house, { workspace, outsideKey: 'claude:1', request: null })),
  );
  expect(made[0]?.session.id).toBe(made[1]?.session.id);
});
