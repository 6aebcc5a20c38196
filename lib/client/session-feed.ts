/**
 * Keeps one session's timeline current: a single event stream, resumed by id, closed while nobody looks, and history
 * read anew where the stream says that something is missing.
 */
import { EVENT_NAMES, fromWire, type SessionEvent, type TimelineSlice, type Wire } from '@/lib/domain/events';
import type { SessionId } from '@/lib/domain/ids';
import { RequestFailed, readJson } from './read-json';
import {
  joinSlices,
  type NumberedEvent,
  openTimeline,
  reduceTimeline,
  type TimelineAction,
  type TimelineState,
} from './timeline';

/** `live`: events arrive; `waiting`: the stream broke and is being opened again; `out`: the cookie no longer opens it. */
export type Connection = 'connecting' | 'live' | 'waiting' | 'out';

export interface FeedState {
  readonly timeline: TimelineState;
  readonly connection: Connection;
  /** Reading an older page: going on, or why it failed. */
  readonly older: 'idle' | 'reading' | RequestFailed;
}

/** What the feed needs of the browser; handed in, so that it can be tested without one. */
export interface FeedSurroundings {
  openStream(url: string): Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;
  read(url: string, signal: AbortSignal): Promise<unknown>;
  /** Runs the callback before the next paint, or soon where nothing is painted. */
  beforePaint(callback: () => void): void;
  wait(ms: number, callback: () => void): () => void;
}

export interface SessionFeed {
  state(): FeedState;
  subscribe(listener: () => void): () => void;
  /** Opens the stream; `close` lets it go and keeps what is known. Both may be called again and again. */
  open(): void;
  close(): void;
  loadOlder(): void;
}

/** Items read at once when scrolling up and after a gap. */
const PAGE_ITEMS = 100;
/** Items read anew after a gap at most; what is older is loaded again by scrolling. */
const MOST_ITEMS_ANEW = 1_000;
/** Milliseconds until the stream is opened again after the server closed it, doubled up to the second. */
const REOPEN_MS = [1_000, 15_000] as const;
const CLOSED = 2;

export function createSessionFeed(initial: TimelineSlice, surroundings: FeedSurroundings): SessionFeed {
  const sessionId = initial.session.id;
  const listeners = new Set<() => void>();
  let state: FeedState = { timeline: openTimeline(initial), connection: 'connecting', older: 'idle' };
  let stream: ReturnType<FeedSurroundings['openStream']> | null = null;
  let queue: NumberedEvent[] = [];
  let lastSeenId = initial.lastEventId;
  let isFlushing = false;
  let readingAnew: AbortSignal | null = null;
  let failures = 0;
  let cancelReopen: (() => void) | null = null;
  let reading = new AbortController();

  const change = (changed: Partial<FeedState>) => {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  };
  const apply = (action: TimelineAction) => {
    const timeline = reduceTimeline(state.timeline, action);
    if (timeline !== state.timeline) change({ timeline });
    if (timeline.stale) void readAnew();
  };
  const flush = () => {
    isFlushing = false;
    const events = queue;
    queue = [];
    apply({ type: 'events', events });
    if (state.timeline.deleted) close();
  };
  const arrive = (event: NumberedEvent) => {
    lastSeenId = Math.max(lastSeenId, event.id);
    queue.push(event);
    if (isFlushing) return;
    isFlushing = true;
    surroundings.beforePaint(flush);
  };

  const readAnew = async () => {
    const { signal } = reading;
    if (readingAnew === signal) return;
    readingAnew = signal;
    try {
      let slice = await readSlice(surroundings, sessionId, null, signal);
      const depth = state.timeline.loadedFrom;
      while (slice.nextCursor !== null && (slice.items[0]?.at ?? 0) > depth && slice.items.length < MOST_ITEMS_ANEW) {
        slice = joinSlices(await readSlice(surroundings, sessionId, slice.nextCursor, signal), slice);
      }
      if (signal.aborted) return;
      readingAnew = null;
      apply({ type: 'read', slice });
    } catch (error) {
      if (signal.aborted) return;
      readingAnew = null;
      if (isGone(error)) giveUp(error);
      else surroundings.wait(REOPEN_MS[0], () => state.timeline.stale && !signal.aborted && void readAnew());
    }
  };

  /** The session was deleted, or the cookie is no longer good: nothing more will come. */
  const giveUp = (error: RequestFailed) => {
    close();
    if (error.status === 404) change({ timeline: { ...state.timeline, deleted: true } });
    else change({ connection: 'out' });
  };

  const open = () => {
    if (stream || state.timeline.deleted || state.connection === 'out') return;
    cancelReopen?.();
    reading = new AbortController();
    const opened = surroundings.openStream(`/api/sessions/${sessionId}/events?last_event_id=${lastSeenId}`);
    stream = opened;
    opened.addEventListener('open', () => {
      failures = 0;
      change({ connection: 'live' });
    });
    opened.addEventListener('error', () => {
      if (stream !== opened) return;
      if (state.connection === 'live') change({ connection: 'waiting' });
      // A stream that could not be opened is closed for good; one that broke opens itself again, by its last id.
      if (opened.readyState !== CLOSED) return;
      stream = null;
      failures += 1;
      change({ connection: 'waiting' });
      cancelReopen = surroundings.wait(Math.min(REOPEN_MS[1], REOPEN_MS[0] * 2 ** (failures - 1)), () => void reopen());
    });
    for (const name of EVENT_NAMES) {
      opened.addEventListener(name, (message: MessageEvent<string>) => {
        if (stream !== opened) return;
        arrive({ id: Number(message.lastEventId), event: fromWire(JSON.parse(message.data) as Wire<SessionEvent>) });
      });
    }
    opened.addEventListener('resync', (message: MessageEvent<string>) => {
      if (stream !== opened) return;
      lastSeenId = Number(message.lastEventId);
      apply({ type: 'gap' });
    });
    if (state.timeline.stale) void readAnew();
  };

  /** Opens the stream again, unless a plain request says that it would be in vain. */
  const reopen = async () => {
    const { signal } = reading;
    try {
      await surroundings.read(`/api/sessions/${sessionId}`, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) {
        giveUp(error);
        return;
      }
    }
    if (!signal.aborted) open();
  };

  const close = () => {
    cancelReopen?.();
    cancelReopen = null;
    stream?.close();
    stream = null;
    reading.abort();
    if (queue.length > 0) flush();
    if (state.older === 'reading') change({ older: 'idle' });
  };

  const loadOlder = () => {
    const cursor = state.timeline.nextCursor;
    if (cursor === null || state.older === 'reading') return;
    const { signal } = reading;
    change({ older: 'reading' });
    readSlice(surroundings, sessionId, cursor, signal).then(
      (slice) => {
        if (signal.aborted) return;
        if (queue.length > 0) flush();
        change({ older: 'idle' });
        apply({ type: 'older', cursor, slice });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const failed =
          error instanceof RequestFailed ? error : new RequestFailed('internal', 0, 'Older runs cannot be read.');
        change({ older: failed });
      },
    );
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open,
    close,
    loadOlder,
  };
}

function isGone(error: unknown): error is RequestFailed {
  return error instanceof RequestFailed && (error.status === 404 || error.status === 401 || error.status === 403);
}

async function readSlice(
  { read }: FeedSurroundings,
  sessionId: SessionId,
  cursor: string | null,
  signal: AbortSignal,
): Promise<TimelineSlice> {
  const query = new URLSearchParams({ limit: String(PAGE_ITEMS), ...(cursor === null ? {} : { cursor }) });
  return fromWire<TimelineSlice>(
    (await read(`/api/sessions/${sessionId}/timeline?${query}`, signal)) as Wire<TimelineSlice>,
  );
}

/** The real browser. */
export const BROWSER: FeedSurroundings = {
  openStream: (url) => new EventSource(url),
  read: (url, signal) => readJson(url, { signal }),
  beforePaint: (callback) => {
    // Frames stop in a window that is covered; events must not wait for it to come back.
    let done = false;
    const once = () => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      callback();
    };
    const timer = setTimeout(once, 200);
    const frame = requestAnimationFrame(once);
  },
  wait: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
