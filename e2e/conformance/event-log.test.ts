import { expect, test } from 'vitest';
import { EventReader } from './event-log';

test('events are cut out of a stream that comes in pieces of any size', () => {
  const text =
    'retry: 1000\n\n: still here\n\nid: 3\nevent: run.started\ndata: {"run_id":"r"}\n\nid: 4\nevent: x\ndata: {"text":"a: b"}\n\nid: 5\nev';
  for (const size of [1, 7, text.length]) {
    const reader = new EventReader();
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...reader.read(text.slice(at, at + size)));
    expect(events).toEqual([
      { id: 3, name: 'run.started', data: { run_id: 'r' } },
      { id: 4, name: 'x', data: { text: 'a: b' } },
    ]);
  }
});
