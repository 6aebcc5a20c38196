/**
 * What a session's timeline holds, as a pure function of its history and its events: reading history and then applying
 * events gives the same as reading history later; repeats do no harm; a gap is filled by reading anew.
 */
import { isChange } from '@/lib/domain/change';
import {
  type AgentState,
  type PermissionRequest,
  type PlanEntry,
  runIdOfItem,
  type Session,
  type TimelineItem,
} from '@/lib/domain/conversation';
import type { ChangeProgress, SessionEvent, TimelineSlice } from '@/lib/domain/events';
import type { RunId } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import { type LiveOutputs, liveOutputAfter } from './live-output';

export interface NumberedEvent {
  id: number;
  event: SessionEvent;
}

/** All that is known of one run. Untouched runs keep their identity from state to state. */
export interface RunRecord {
  readonly id: RunId;
  /** Its number in the session, from 1. */
  readonly number: number;
  /** Null where nothing but an item of it is known. */
  readonly run: Run | null;
  /** By place; the run's own item among them where it was read. */
  readonly items: readonly TimelineItem[];
  readonly plan: readonly PlanEntry[];
  readonly permissions: readonly PermissionRequest[];
  /** Counts and files so far, while it goes on. */
  readonly progress: ChangeProgress | null;
  /** Output of its calls as it streamed in here; more than their brief form keeps. */
  readonly live: LiveOutputs;
}

export interface TimelineState {
  readonly session: Session;
  /** Oldest first. */
  readonly runs: readonly RunRecord[];
  readonly agent: AgentState | null;
  /** Leads to older items; null when all are here. */
  readonly nextCursor: string | null;
  /** The place of the oldest item that was read. It stays where that item goes: what is older comes with its page. */
  readonly loadedFrom: number;
  /** The newest event applied. */
  readonly lastEventId: number;
  /** Something was missed that only reading anew can fill; events wait in `waiting` meanwhile. */
  readonly stale: boolean;
  readonly waiting: readonly NumberedEvent[];
  /** Every event after `recentFrom`, for older pages that were read before some of them. */
  readonly recent: readonly NumberedEvent[];
  readonly recentFrom: number;
  readonly deleted: boolean;
}

export type TimelineAction =
  | { type: 'events'; events: readonly NumberedEvent[] }
  /** The server could not fill the gap since our last event. */
  | { type: 'gap' }
  /** The newest stretch, read anew; what is older than it is no longer loaded. */
  | { type: 'read'; slice: TimelineSlice }
  /** The page that `cursor` leads to; left out where it no longer joins what is here. */
  | { type: 'older'; cursor: string; slice: TimelineSlice };

/** Events kept for older pages: far more than arrive while one is being read. */
const RECENT_EVENTS = 256;

export function openTimeline(slice: TimelineSlice): TimelineState {
  return {
    session: slice.session,
    runs: recordsOf(slice),
    agent: slice.agent,
    nextCursor: slice.nextCursor,
    loadedFrom: loadedFrom(slice),
    lastEventId: slice.lastEventId,
    stale: false,
    waiting: [],
    recent: [],
    recentFrom: slice.lastEventId,
    deleted: false,
  };
}

export function reduceTimeline(state: TimelineState, action: TimelineAction): TimelineState {
  switch (action.type) {
    case 'events':
      return action.events.reduce<TimelineState>(applyNumbered, state);
    case 'gap':
      return state.stale ? state : { ...state, stale: true };
    case 'read':
      return withNewest(state, action.slice);
    case 'older':
      return action.cursor === state.nextCursor ? withOlder(state, action.slice) : state;
  }
}

/**
 * Two readings as one, the older stretch first. What happened between them is told again by the events after `newer`,
 * which do no harm to whoever holds it already.
 */
export function joinSlices(older: TimelineSlice, newer: TimelineSlice): TimelineSlice {
  const known = new Set(newer.runs.map((run) => run.id));
  const beside = <Item extends { runId: RunId }>(item: Item) => !known.has(item.runId);
  return {
    session: newer.session,
    items: [...older.items, ...newer.items],
    nextCursor: older.nextCursor,
    lastEventId: newer.lastEventId,
    runs: [...older.runs.filter((run) => !known.has(run.id)), ...newer.runs],
    plans: [...older.plans.filter(beside), ...newer.plans],
    permissions: [...older.permissions.filter(beside), ...newer.permissions],
    progress: [...older.progress.filter(beside), ...newer.progress],
    agent: newer.agent,
  };
}

/** A slice that leads to nothing older holds all there is. */
function loadedFrom({ items, nextCursor }: TimelineSlice): number {
  return nextCursor === null ? 0 : (items[0]?.at ?? 0);
}

function applyNumbered(state: TimelineState, numbered: NumberedEvent): TimelineState {
  if (numbered.id <= state.lastEventId) return state;
  if (state.stale) return { ...state, waiting: [...state.waiting, numbered] };
  const applied = applyEvent(state, numbered.event);
  // A gap inside the stream: the event waits for the reading that fills it, which may hold it already.
  if (applied.stale) return { ...applied, waiting: [numbered] };
  return { ...applied, ...recentAfter(state, numbered), lastEventId: numbered.id };
}

function recentAfter({ recent, recentFrom }: TimelineState, numbered: NumberedEvent) {
  const dropped = recent.length >= RECENT_EVENTS ? recent[0] : undefined;
  return dropped
    ? { recent: [...recent.slice(1), numbered], recentFrom: dropped.id }
    : { recent: [...recent, numbered], recentFrom };
}

/** One event on top of a state that holds all before it. */
function applyEvent(state: TimelineState, event: SessionEvent): TimelineState {
  switch (event.event) {
    case 'session.updated':
      return { ...state, session: event.session };
    case 'session.deleted':
      return { ...state, deleted: true };
    case 'agent.updated':
      return { ...state, agent: event.agent };
    case 'run.started':
    case 'workspace.drift.detected':
      return inRun(begun(state, event.runId), event);
    case 'message.created':
    case 'tool.started':
      return inRun(event.at > newestPlace(state) ? begun(state, event.runId) : state, event);
    default:
      return inRun(state, event);
  }
}

type RunEvent = Exclude<SessionEvent, { runId: null }>;

/** Applies an event to its run; a run that is not loaded is left to the page that will hold it. */
function inRun(state: TimelineState, event: RunEvent): TimelineState {
  const index = state.runs.findLastIndex((record) => record.id === event.runId);
  const record = state.runs[index];
  if (!record) return state;
  const next = runAfter(record, event, state.loadedFrom);
  if (next === 'gap') return { ...state, stale: true };
  return next === record ? state : { ...state, runs: state.runs.with(index, next) };
}

/** A run after one event, or `gap` where the event builds on one that was missed. */
function runAfter(record: RunRecord, event: RunEvent, oldest: number): RunRecord | 'gap' {
  switch (event.event) {
    case 'run.started':
      return withItem({ ...record, run: event.run }, { type: 'run', at: event.at, run: event.run }, oldest);
    case 'run.updated':
      return withRun(record, event.run);
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
    case 'run.interrupted':
      return { ...withRun(record, event.run), progress: null };
    case 'message.created':
      return withItem(record, { type: 'message', at: event.at, message: event.message }, oldest);
    case 'message.delta':
      return withDelta(record, event);
    case 'tool.started':
    case 'tool.updated':
    case 'tool.completed': {
      const placed = withItem(record, { type: 'tool_call', at: event.at, toolCall: event.toolCall }, oldest);
      return { ...placed, live: liveOutputAfter(record.live, event) };
    }
    case 'plan.updated':
      return { ...record, plan: event.entries };
    case 'permission.requested':
    case 'permission.resolved':
      return { ...record, permissions: upserted(record.permissions, event.permission) };
    case 'workspace.diff.progress': {
      const { event: _, sessionId: __, runId: ___, ...progress } = event;
      return { ...record, progress };
    }
    case 'workspace.diff.completed':
    case 'workspace.diff.superseded': {
      const { event: _, at, ...change } = event;
      const shown = isChange({ ...change, fileCount: change.changedCount + (change.git?.movedCount ?? 0) });
      const placed = shown
        ? withItem(record, { type: 'change', at, change }, oldest)
        : { ...record, items: record.items.filter((item) => item.type !== 'change') };
      return { ...placed, progress: null };
    }
    case 'workspace.drift.detected':
      return withItem(record, { type: 'drift', at: event.at, drift: event.drift }, oldest);
  }
}

function withRun(record: RunRecord, run: Run): RunRecord {
  return { ...record, run, items: record.items.map((item) => (item.type === 'run' ? { ...item, run } : item)) };
}

/** Puts an item in its place, over an earlier form of it. Items before `oldest` belong to a page that is not loaded. */
function withItem(record: RunRecord, item: TimelineItem, oldest: number): RunRecord {
  const key = keyOf(item);
  const existing = record.items.findLastIndex((other) => keyOf(other) === key);
  if (existing >= 0) return { ...record, items: record.items.with(existing, item).sort(byPlace) };
  if (item.at < oldest) return record;
  const last = record.items.at(-1);
  if (!last || last.at < item.at) return { ...record, items: [...record.items, item] };
  return { ...record, items: [...record.items, item].sort(byPlace) };
}

function withDelta(record: RunRecord, event: Extract<RunEvent, { event: 'message.delta' }>): RunRecord | 'gap' {
  const index = record.items.findLastIndex((item) => item.type === 'message' && item.message.id === event.messageId);
  const item = record.items[index];
  // A message of an older page: its text comes whole with that page.
  if (item?.type !== 'message') return record;
  const { text } = item.message;
  if (event.start > text.length) return 'gap';
  if (event.start + event.delta.length <= text.length) return record;
  const message = { ...item.message, text: text.slice(0, event.start) + event.delta };
  return { ...record, items: record.items.with(index, { ...item, message }) };
}

/** The state with a record for the run, at its end where there was none. */
function begun(state: TimelineState, runId: RunId): TimelineState {
  if (state.runs.some((record) => record.id === runId)) return state;
  const number = (state.runs.at(-1)?.number ?? 0) + 1;
  return { ...state, runs: [...state.runs, emptyRecord(runId, number)] };
}

function withNewest(state: TimelineState, slice: TimelineSlice): TimelineState {
  // A reading that is older than what is here tells nothing new, unless something is missing here.
  if (!state.stale && slice.lastEventId < state.lastEventId) return state;
  const read: TimelineState = {
    ...state,
    session: slice.session,
    runs: recordsOf(slice, state.runs),
    agent: slice.agent,
    nextCursor: slice.nextCursor,
    loadedFrom: loadedFrom(slice),
    lastEventId: slice.lastEventId,
    stale: false,
    waiting: [],
    recent: [],
    recentFrom: slice.lastEventId,
  };
  return state.waiting.reduce<TimelineState>(applyNumbered, read);
}

function withOlder(state: TimelineState, slice: TimelineSlice): TimelineState {
  // Read so long ago that what happened to its items since is no longer known: it has to be read again.
  if (slice.lastEventId < state.recentFrom) return state;
  const runs = joined(recordsOf(slice), state.runs);
  const joinedState = { ...state, runs, nextCursor: slice.nextCursor, loadedFrom: loadedFrom(slice) };
  const missed = state.recent.filter(({ id }) => id > slice.lastEventId);
  return missed.reduce<TimelineState>((now, { event }) => applyEvent(now, event), joinedState);
}

/** Two stretches one after the other; what the later one knows of a run that is in both wins. */
function joined(older: readonly RunRecord[], newer: readonly RunRecord[]): RunRecord[] {
  const known = new Map(newer.map((record) => [record.id, record]));
  const before = older.map((record) => {
    const rest = known.get(record.id);
    if (!rest) return record;
    known.delete(record.id);
    const placed = new Set(rest.items.map(keyOf));
    return { ...rest, items: [...record.items.filter((item) => !placed.has(keyOf(item))), ...rest.items] };
  });
  return [...before, ...newer.filter((record) => known.has(record.id))];
}

/** The runs of a slice; what streamed in here before stays with them. */
function recordsOf(slice: TimelineSlice, before: readonly RunRecord[] = []): RunRecord[] {
  const itemsByRun = new Map<RunId, TimelineItem[]>();
  for (const item of slice.items) {
    const items = itemsByRun.get(runIdOfItem(item));
    if (items) items.push(item);
    else itemsByRun.set(runIdOfItem(item), [item]);
  }
  return slice.runs.map(({ number, ...run }) => ({
    id: run.id,
    number,
    run,
    items: itemsByRun.get(run.id) ?? [],
    plan: slice.plans.find((plan) => plan.runId === run.id)?.entries ?? [],
    permissions: slice.permissions.filter((permission) => permission.runId === run.id),
    progress: progressOf(slice, run.id),
    live: before.find((record) => record.id === run.id)?.live ?? {},
  }));
}

function progressOf(slice: TimelineSlice, id: RunId): ChangeProgress | null {
  const found = slice.progress.find((progress) => progress.runId === id);
  if (!found) return null;
  const { runId: _, ...progress } = found;
  return progress;
}

function emptyRecord(id: RunId, number: number): RunRecord {
  return { id, number, run: null, items: [], plan: [], permissions: [], progress: null, live: {} };
}

function upserted(permissions: readonly PermissionRequest[], permission: PermissionRequest): PermissionRequest[] {
  const index = permissions.findIndex((other) => other.id === permission.id);
  return index < 0 ? [...permissions, permission] : permissions.with(index, permission);
}

/** What tells an item from all others of its run. */
function keyOf(item: TimelineItem): string {
  switch (item.type) {
    case 'message':
      return `message ${item.message.id}`;
    case 'tool_call':
      return `tool_call ${item.toolCall.id}`;
    case 'run':
    case 'change':
    case 'drift':
      return item.type;
  }
}

function byPlace(a: TimelineItem, b: TimelineItem): number {
  return a.at - b.at;
}

function newestPlace(state: TimelineState): number {
  return state.runs.reduce((newest, record) => Math.max(newest, record.items.at(-1)?.at ?? 0), 0);
}
