import { expect, it } from 'vitest';
import type { SessionEvent } from '@/lib/domain/events';
import type { SessionId } from '@/lib/domain/ids';
import { tempFolder } from '@/lib/testing/temp-workspace';
import { testHouse } from '@/lib/testing/test-house';
import { lastEventId, type PublishedEvent, publish, subscribe } from './event-bus';
import { createSession } from './sessions';

async function channel(dataDir = tempFolder('data')) {
  const house = testHouse({ dataDir });
  const { session } = await createSession(house, { workspace: tempFolder(), sessionId: 's' as SessionId, request: '' });
  const say = () =>
    publish(house, { event: 'session.updated', sessionId: session.id, runId: null, session } as SessionEvent);
  const listen = (after: number | null) => {
    const heard: PublishedEvent[] = [];
    return { heard, ...subscribe(house, session.id, after, (event) => heard.push(event)) };
  };
  return { house, session, say, listen, dataDir };
}

it('gives ids that grow, and replays exactly what was missed', async () => {
  const { say, listen } = await channel();
  const first = listen(null);
  const ids = [say(), say(), say()];
  expect(ids).toEqual([ids[0], (ids[0] as number) + 1, (ids[0] as number) + 2]);
  expect(first.heard.map((event) => event.id)).toEqual(ids);
  expect(listen(ids[0] as number).missed.map((event) => event.id)).toEqual(ids.slice(1));
  expect(listen(ids[2] as number).missed).toEqual([]);
});

it('says resync where it cannot tell what was missed', async () => {
  const { say, listen } = await channel();
  const first = say();
  for (let count = 0; count < 5000; count += 1) say();
  expect(listen(first).missed.map((event) => event.name)).toEqual(['resync']);
  expect(listen(first + 1_000_000).missed.map((event) => event.name)).toEqual(['resync']);
});

it('goes on above every id that was given out, after a crash too', async () => {
  const { say, house, session, dataDir } = await channel();
  for (let count = 0; count < 1500; count += 1) say();
  const last = lastEventId(house, session.id);
  const after = await channel(dataDir);
  expect(lastEventId(after.house, session.id)).toBeGreaterThanOrEqual(last);
  expect(after.say()).toBeGreaterThan(last);
  expect(after.listen(last - 1).missed.map((event) => event.name)).toEqual(['resync']);
});
