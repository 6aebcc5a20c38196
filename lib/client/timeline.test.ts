import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangeSummary } from '@/lib/domain/change';
import type { TimelineSlice } from '@/lib/domain/events';
import { ModelSession } from '@/lib/testing/model-session';
import { joinSlices, openTimeline, reduceTimeline, type TimelineState } from './timeline';

/** What a reader sees; the rest of the state is bookkeeping. */
function seen(state: TimelineState) {
  return {
    session: state.session,
    agent: state.agent,
    deleted: state.deleted,
    runs: state.runs.map(({ live: _, ...record }) => record),
  };
}

/** Loads every older page that is left. */
function complete(state: TimelineState, model: ModelSession, limit: number): TimelineState {
  let now = state;
  while (now.nextCursor !== null) {
    const cursor = now.nextCursor;
    now = reduceTimeline(now, { type: 'older', cursor, slice: model.slice(limit, cursor) });
  }
  return now;
}

const everything = (model: ModelSession) => seen(openTimeline(model.slice(100_000)));

describe('timeline', () => {
  it('reads history and applies events to the same end, whatever is repeated, late, lost or paged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 20, maxLength: 200, size: 'max' }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 10, maxLength: 60, size: 'max' }),
        (steps, limit, moves) => {
          const model = new ModelSession();
          let step = 0;
          const advance = (count: number) => {
            for (let done = 0; done < count && step < steps.length; done += 1) model.act(steps[step++] as number);
          };
          advance(limit * 4);
          let state = openTimeline(model.slice(limit));
          let sent = model.lastEventId;
          let read: { cursor: string | null; slice: TimelineSlice } | null = null;

          for (const [kind, amount] of moves) {
            advance(amount % 7);
            switch (kind % 6) {
              case 0: {
                const events = model.events.filter(({ id }) => id > sent);
                sent = model.lastEventId;
                state = reduceTimeline(state, { type: 'events', events });
                break;
              }
              case 1: {
                // A replay from some way back, as after a reconnect.
                const from = Math.max(0, sent - (amount % 20));
                const events = model.events.filter(({ id }) => id > from && id <= sent);
                state = reduceTimeline(state, { type: 'events', events });
                break;
              }
              case 2:
                if (state.nextCursor !== null) {
                  read = { cursor: state.nextCursor, slice: model.slice(limit, state.nextCursor) };
                }
                break;
              case 3:
                if (read?.cursor)
                  state = reduceTimeline(state, { type: 'older', cursor: read.cursor, slice: read.slice });
                break;
              case 4:
                // Events are lost; the server says so, and the newest page is read anew while more arrive.
                sent = model.lastEventId;
                state = reduceTimeline(state, { type: 'gap' });
                advance(amount % 5);
                {
                  let slice = model.slice(limit);
                  while (slice.nextCursor !== null && (slice.items[0]?.at ?? 0) > state.loadedFrom) {
                    advance(amount % 2);
                    slice = joinSlices(model.slice(limit, slice.nextCursor), slice);
                  }
                  advance(amount % 3);
                  const events = model.events.filter(({ id }) => id > sent);
                  sent = model.lastEventId;
                  state = reduceTimeline(state, { type: 'events', events });
                  state = reduceTimeline(state, { type: 'read', slice });
                }
                break;
              case 5:
                // A reading that comes too late.
                state = reduceTimeline(state, { type: 'events', events: model.events.filter(({ id }) => id > sent) });
                sent = model.lastEventId;
                state = reduceTimeline(state, {
                  type: 'read',
                  slice: { ...model.slice(limit), lastEventId: sent - 1 },
                });
                break;
            }
          }
          advance(steps.length);
          state = reduceTimeline(state, { type: 'events', events: model.events.filter(({ id }) => id > sent) });
          expect(state.stale).toBe(false);
          expect(seen(complete(state, model, limit))).toEqual(everything(model));
        },
      ),
      { numRuns: 300, endOnFailure: true },
    );
  });

  it('leaves untouched runs and repeated events alone', () => {
    const model = new ModelSession();
    model.run((run) => run.say('first'));
    model.run((run) => run.say('second'));
    const before = openTimeline(model.slice(100));
    const mark = model.lastEventId;
    model.run((run) => run.say('third'));
    const events = model.events.filter(({ id }) => id > mark);
    const after = reduceTimeline(before, { type: 'events', events });
    expect(after.runs[0]).toBe(before.runs[0]);
    expect(after.runs[1]).toBe(before.runs[1]);
    expect(reduceTimeline(after, { type: 'events', events })).toBe(after);
  });

  it('asks to read anew when a stretch of a streaming text is missing, and shows the whole text then', () => {
    const model = new ModelSession();
    const run = model.begin();
    const message = run.openMessage('assistant');
    let state = openTimeline(model.slice(100));
    run.stream(message, 'lost ');
    run.stream(message, 'found');
    const last = model.events.at(-1)!;
    state = reduceTimeline(state, { type: 'events', events: [last] });
    expect(state.stale).toBe(true);
    state = reduceTimeline(state, { type: 'read', slice: model.slice(100) });
    expect(state.stale).toBe(false);
    expect(seen(state)).toEqual(everything(model));
  });

  it('drops older pages that were not read anew after a gap', () => {
    const model = new ModelSession();
    for (let at = 0; at < 5; at += 1) model.run((run) => run.say(`old ${at}`));
    let state = complete(openTimeline(model.slice(3)), model, 3);
    expect(state.nextCursor).toBeNull();
    for (let at = 0; at < 20; at += 1) model.run((run) => run.say(`new ${at}`));
    state = reduceTimeline(state, { type: 'gap' });
    state = reduceTimeline(state, { type: 'read', slice: model.slice(3) });
    expect(state.nextCursor).not.toBeNull();
    expect(state.loadedFrom).toBe(model.slice(3).items[0]?.at);
    expect(seen(complete(state, model, 3))).toEqual(everything(model));
  });

  it('takes the block away when a later record says that nothing changed', () => {
    const model = new ModelSession();
    const run = model.begin();
    run.change(2);
    run.end('completed');
    let state = openTimeline(model.slice(100));
    const mark = model.lastEventId;
    run.supersede(0);
    state = reduceTimeline(state, { type: 'events', events: model.events.filter(({ id }) => id > mark) });
    expect(state.runs[0]?.items.some((item) => item.type === 'change')).toBe(false);
  });

  it('goes on where all that was loaded was a block that was taken away', () => {
    const model = new ModelSession();
    const run = model.begin();
    run.end('completed');
    run.change(2);
    let state = openTimeline(model.slice(1));
    expect(state.runs[0]?.items.map(({ type }) => type)).toEqual(['change']);
    const mark = model.lastEventId;
    run.supersede(0);
    model.run((next) => next.say('hello'));
    state = reduceTimeline(state, { type: 'events', events: model.events.filter(({ id }) => id > mark) });
    expect(seen(complete(state, model, 1))).toEqual(everything(model));
  });

  it('shows the later record in place of the first', () => {
    const model = new ModelSession();
    const run = model.begin();
    run.change(2);
    run.end('completed');
    run.supersede(5);
    const state = openTimeline(model.slice(100));
    const changes = state.runs[0]?.items.flatMap((item): ChangeSummary[] =>
      item.type === 'change' ? [item.change] : [],
    );
    expect(changes?.map(({ generation, changedCount }) => [generation, changedCount])).toEqual([[2, 5]]);
  });

  it('never makes a run out of an event of one that is not loaded', () => {
    const model = new ModelSession();
    const old = model.begin();
    old.change(1);
    old.end('completed');
    for (let at = 0; at < 5; at += 1) model.run((run) => run.say(`later ${at}`));
    let state = openTimeline(model.slice(3));
    const mark = model.lastEventId;
    old.supersede(3);
    state = reduceTimeline(state, { type: 'events', events: model.events.filter(({ id }) => id > mark) });
    expect(state.runs.some((record) => record.id === old.run.id)).toBe(false);
    expect(seen(complete(state, model, 3))).toEqual(everything(model));
  });

  it('says when the session is gone', () => {
    const model = new ModelSession();
    const state = reduceTimeline(openTimeline(model.slice(1)), {
      type: 'events',
      events: [{ id: 1, event: { event: 'session.deleted', sessionId: model.session.id, runId: null } }],
    });
    expect(state.deleted).toBe(true);
  });
});
