import { describe, expect, it } from 'vitest';
import { toWire } from '@/lib/domain/events';
import { ModelSession } from '@/lib/testing/model-session';
import { RequestFailed } from './read-json';
import { createSessionFeed } from './session-feed';

/** An event stream whose far end is in the test's hands. */
class HandStream extends EventTarget {
  readyState = 0;

  constructor(readonly url: string) {
    super();
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  send(name: string, id: number, data: unknown): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId: String(id) }));
  }

  break(closed: boolean): void {
    this.readyState = closed ? 2 : 0;
    this.dispatchEvent(new Event('error'));
  }

  close(): void {
    this.readyState = 2;
  }
}

function world(model: ModelSession, limit = 4) {
  const streams: HandStream[] = [];
  const frames: (() => void)[] = [];
  const timers: { ms: number; callback: () => void }[] = [];
  const reads: string[] = [];
  let failure: RequestFailed | null = null;
  const feed = createSessionFeed(model.slice(limit), {
    openStream(url) {
      const stream = new HandStream(url);
      streams.push(stream);
      return stream as unknown as EventSource;
    },
    async read(url, signal) {
      reads.push(url);
      if (failure) throw failure;
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      await Promise.resolve();
      signal.throwIfAborted();
      if (!pathname.endsWith('/timeline')) return {};
      return toWire(model.slice(limit, searchParams.get('cursor') ?? undefined));
    },
    beforePaint: (callback) => frames.push(callback),
    wait(ms, callback) {
      const timer = { ms, callback };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer) >>> 0, 1);
    },
  });
  return {
    feed,
    streams,
    timers,
    reads,
    fail: (code: string | null, status = 0) => {
      failure = code === null ? null : new RequestFailed(code, status, code);
    },
    /** The stream in use. */
    get stream() {
      return streams.at(-1) as HandStream;
    },
    /** Sends what the model told since `after`. */
    deliver(after: number) {
      for (const { id, event } of model.events) if (id > after) streams.at(-1)?.send(event.event, id, toWire(event));
    },
    paint() {
      for (const frame of frames.splice(0)) frame();
    },
    settle: () => new Promise((resolve) => setTimeout(resolve, 5)),
  };
}

function modelOf(runs: number): ModelSession {
  const model = new ModelSession();
  for (let at = 0; at < runs; at += 1) model.run((run) => run.say(`answer ${at}`));
  return model;
}

describe('session feed', () => {
  it('applies what arrives between two frames at once', () => {
    const model = modelOf(1);
    const mark = model.lastEventId;
    const here = world(model);
    let renders = 0;
    here.feed.subscribe(() => {
      renders += 1;
    });
    here.feed.open();
    here.stream.open();
    renders = 0;
    model.run((run) => {
      for (let word = 0; word < 50; word += 1) run.say(`word ${word}`);
    });
    here.deliver(mark);
    expect(renders).toBe(0);
    here.paint();
    expect(renders).toBe(1);
    expect(here.feed.state().timeline.runs).toHaveLength(2);
    expect(here.feed.state().connection).toBe('live');
  });

  it('resumes where it was after it was closed, unpainted events included', () => {
    const model = modelOf(1);
    const mark = model.lastEventId;
    const here = world(model);
    here.feed.open();
    expect(here.stream.url).toBe(`/api/sessions/ses_model/events?last_event_id=${mark}`);
    model.run((run) => run.say('seen'));
    here.deliver(mark);
    here.feed.close();
    expect(here.feed.state().timeline.runs).toHaveLength(2);
    here.feed.open();
    expect(here.streams).toHaveLength(2);
    expect(here.stream.url).toBe(`/api/sessions/ses_model/events?last_event_id=${model.lastEventId}`);
  });

  it('opens one stream only, however often it is asked', () => {
    const here = world(modelOf(1));
    here.feed.open();
    here.feed.open();
    expect(here.streams).toHaveLength(1);
  });

  it('leaves a broken stream to the browser, and opens a refused one again, slower and slower', async () => {
    const here = world(modelOf(1));
    here.feed.open();
    here.stream.open();
    here.stream.break(false);
    expect(here.feed.state().connection).toBe('waiting');
    expect(here.timers).toHaveLength(0);
    here.stream.open();
    expect(here.feed.state().connection).toBe('live');
    const waits: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      here.stream.break(true);
      const timer = here.timers.pop();
      waits.push(timer?.ms ?? 0);
      timer?.callback();
      await here.settle();
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 15000, 15000]);
    expect(here.streams).toHaveLength(7);
  });

  it.each([
    [404, 'deleted'],
    [401, 'out'],
  ])('gives up when the server answers %i', async (status, what) => {
    const here = world(modelOf(1));
    here.feed.open();
    here.fail('x', status);
    here.stream.break(true);
    here.timers.pop()?.callback();
    await here.settle();
    const { timeline, connection } = here.feed.state();
    expect(what === 'out' ? connection === 'out' : timeline.deleted).toBe(true);
    here.feed.open();
    expect(here.streams).toHaveLength(1);
  });

  it('closes when the session is deleted', () => {
    const model = modelOf(1);
    const here = world(model);
    here.feed.open();
    here.stream.send(
      'session.deleted',
      model.lastEventId + 1,
      toWire({ event: 'session.deleted', sessionId: 's', runId: null }),
    );
    here.paint();
    expect(here.feed.state().timeline.deleted).toBe(true);
    expect(here.stream.readyState).toBe(2);
  });

  it('reads all that is loaded anew when the server cannot fill the gap, and keeps what arrives meanwhile', async () => {
    const model = modelOf(6);
    const here = world(model);
    here.feed.open();
    for (let at = 0; at < 2; at += 1) {
      here.feed.loadOlder();
      await here.settle();
    }
    const loaded = here.feed.state().timeline.runs.length;
    model.run((run) => run.say('missed'));
    here.reads.length = 0;
    here.stream.send('resync', model.lastEventId, {});
    const mark = model.lastEventId;
    model.run((run) => run.say('meanwhile'));
    here.deliver(mark);
    here.paint();
    await here.settle();
    const { timeline } = here.feed.state();
    expect(timeline.stale).toBe(false);
    expect(timeline.runs.length).toBeGreaterThanOrEqual(loaded + 2);
    const said = JSON.stringify(timeline.runs);
    expect(said).toContain('missed');
    expect(said).toContain('meanwhile');
    expect(here.reads.length).toBeGreaterThan(1);
  });

  it('tries again when reading anew fails, and not after it was closed', async () => {
    const model = modelOf(2);
    const here = world(model);
    here.feed.open();
    here.fail('offline');
    here.stream.send('resync', model.lastEventId, {});
    await here.settle();
    expect(here.feed.state().timeline.stale).toBe(true);
    here.fail(null);
    here.timers.pop()?.callback();
    await here.settle();
    expect(here.feed.state().timeline.stale).toBe(false);

    here.stream.send('resync', model.lastEventId, {});
    here.feed.close();
    await here.settle();
    expect(here.feed.state().timeline.stale).toBe(true);
    here.feed.open();
    await here.settle();
    expect(here.feed.state().timeline.stale).toBe(false);
  });

  it('says why an older page cannot be read, and reads it when asked again', async () => {
    const here = world(modelOf(5));
    here.feed.open();
    here.fail('offline');
    here.feed.loadOlder();
    expect(here.feed.state().older).toBe('reading');
    await here.settle();
    expect(here.feed.state().older).toMatchObject({ code: 'offline' });
    here.fail(null);
    const before = here.feed.state().timeline.runs.length;
    here.feed.loadOlder();
    here.feed.loadOlder();
    await here.settle();
    expect(here.feed.state().older).toBe('idle');
    expect(here.feed.state().timeline.runs.length).toBeGreaterThan(before);
  });
});
