/** Publishes what happens in a session to its listeners, and replays what a listener missed from a bounded ring. */
import { type EventName, type SessionEvent, toWire } from '@/lib/domain/events';
import type { SessionId } from '@/lib/domain/ids';
import type { Store } from '@/lib/store/database';
import { reservedEventId, reserveEventIds } from '@/lib/store/session-store';

/** One event as it goes over the wire. */
export interface PublishedEvent {
  id: number;
  name: EventName | 'resync';
  /** JSON. */
  data: string;
}

interface Channel {
  /** The newest id given out. */
  lastId: number;
  /** Ids up to here are set aside in the database, so that a restart goes on above. */
  reservedTo: number;
  ring: PublishedEvent[];
  ringChars: number;
  listeners: Set<(event: PublishedEvent) => void>;
}

export type EventBus = Map<SessionId, Channel>;

/** Events kept per session for replay; a listener that missed more is told to read anew. */
const RING_EVENTS = 4096;
/** Characters kept per session for replay. */
const RING_CHARS = 4 * 1024 * 1024;
/** Ids set aside at once: one write to the database per so many events. */
const RESERVE = 1024;
/** Channels kept although nobody listens. */
const IDLE_CHANNELS = 64;

interface Publisher {
  store: Store;
  bus: EventBus;
}

function channelOf({ store, bus }: Publisher, sessionId: SessionId): Channel {
  const existing = bus.get(sessionId);
  if (existing) {
    bus.delete(sessionId);
    bus.set(sessionId, existing);
    return existing;
  }
  const reserved = reservedEventId(store, sessionId);
  const channel: Channel = { lastId: reserved, reservedTo: reserved, ring: [], ringChars: 0, listeners: new Set() };
  bus.set(sessionId, channel);
  dropIdle(bus);
  return channel;
}

/** Forgets the longest unused channels: their listeners, should they come back, read anew. */
function dropIdle(bus: EventBus): void {
  let surplus = bus.size - IDLE_CHANNELS;
  for (const [id, channel] of bus) {
    if (surplus <= 0) return;
    if (channel.listeners.size > 0) continue;
    bus.delete(id);
    surplus -= 1;
  }
}

/** Publishes an event and returns its id. */
export function publish(publisher: Publisher, event: SessionEvent): number {
  const channel = channelOf(publisher, event.sessionId);
  if (channel.lastId >= channel.reservedTo) {
    const first = reserveEventIds(publisher.store, event.sessionId, RESERVE);
    channel.lastId = first - 1;
    channel.reservedTo = first + RESERVE - 1;
  }
  channel.lastId += 1;
  const published: PublishedEvent = { id: channel.lastId, name: event.event, data: JSON.stringify(toWire(event)) };
  channel.ring.push(published);
  channel.ringChars += published.data.length;
  while (channel.ring.length > RING_EVENTS || (channel.ringChars > RING_CHARS && channel.ring.length > 1)) {
    channel.ringChars -= channel.ring.shift()?.data.length ?? 0;
  }
  for (const listener of channel.listeners) listener(published);
  return published.id;
}

/** The id of the newest event of a session: what a reader of its history resumes from. */
export function lastEventId(publisher: Publisher, sessionId: SessionId): number {
  return channelOf(publisher, sessionId).lastId;
}

export interface Subscription {
  /** What was missed, oldest first; a single `resync` where that cannot be told. */
  missed: PublishedEvent[];
  unsubscribe(): void;
}

/** Listens to a session from the event after `after` on; null listens from now. */
export function subscribe(
  publisher: Publisher,
  sessionId: SessionId,
  after: number | null,
  listener: (event: PublishedEvent) => void,
): Subscription {
  const channel = channelOf(publisher, sessionId);
  channel.listeners.add(listener);
  return { missed: missedSince(channel, sessionId, after), unsubscribe: () => channel.listeners.delete(listener) };
}

function missedSince(channel: Channel, sessionId: SessionId, after: number | null): PublishedEvent[] {
  if (after === null || after === channel.lastId) return [];
  const oldest = channel.ring[0]?.id;
  const covered = oldest !== undefined && after >= oldest - 1 && after < channel.lastId;
  if (covered) return channel.ring.filter((event) => event.id > after);
  const data = JSON.stringify({ event: 'resync', session_id: sessionId, run_id: null, last_event_id: channel.lastId });
  return [{ id: channel.lastId, name: 'resync', data }];
}

/** Ends a session's channel after its last event. */
export function closeChannel({ bus }: Publisher, sessionId: SessionId): void {
  bus.delete(sessionId);
}
