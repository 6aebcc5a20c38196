/**
 * The wire: what a session tells its listeners, and the one mapping between our camelCase words and the
 * `snake_case` that seed 000 published and CONTRACT keeps.
 */
import type { ChangedFile, ChangeSummary, ChangeTotals } from './change';
import type {
  AgentState,
  Message,
  MessageRole,
  PermissionRequest,
  PlanEntry,
  Session,
  TimelineItem,
  ToolCall,
} from './conversation';
import type { ChangeId, MessageId, RunId, SessionId, ToolCallId } from './ids';
import type { Run, TerminalStatus } from './run';

/** Counts and files so far, while a run goes on. */
export type ChangeProgress = ChangeTotals & {
  changeId: ChangeId;
  /** The call that just ended, where one did. */
  toolCallId: ToolCallId | null;
  truncated: boolean;
  files: ChangedFile[];
};

export type SessionEvent = { sessionId: SessionId } & (
  | { event: 'run.started'; runId: RunId; run: Run; at: number }
  | { event: 'message.created'; runId: RunId; message: Message; at: number }
  | {
      event: 'message.delta';
      runId: RunId;
      messageId: MessageId;
      role: MessageRole;
      delta: string;
      /** Where in the message's text it begins, so that a repeat does no harm and a gap is seen. */
      start: number;
    }
  | {
      event: 'tool.started' | 'tool.updated' | 'tool.completed';
      runId: RunId;
      toolCall: ToolCall;
      at: number;
      /** Output that came since the last event, and where it begins; `toolCall.output` is cut to its end. */
      outputDelta?: { start: number; text: string };
    }
  | { event: 'plan.updated'; runId: RunId; entries: PlanEntry[] }
  | { event: 'permission.requested' | 'permission.resolved'; runId: RunId; permission: PermissionRequest }
  | ({ event: 'workspace.diff.progress'; runId: RunId } & ChangeProgress)
  | ({ event: 'workspace.diff.completed' | 'workspace.diff.superseded'; at: number } & ChangeSummary)
  | { event: 'workspace.drift.detected'; runId: RunId; drift: ChangeSummary; at: number }
  | { event: 'run.updated'; runId: RunId; run: Run }
  | { event: `run.${TerminalStatus}`; runId: RunId; run: Run }
  | { event: 'agent.updated'; runId: null; agent: AgentState }
  | { event: 'session.updated'; runId: null; session: Session }
  | { event: 'session.deleted'; runId: null }
);

export type EventName = SessionEvent['event'];

/**
 * A stretch of a session's history with all that stands beside its items: what a page shows first, reads when it scrolls
 * up, and reads anew after a gap. Together with every event after `lastEventId` it gives what a later reading gives.
 */
export interface TimelineSlice {
  session: Session;
  /** Oldest first. */
  items: TimelineItem[];
  /** Leads to older items; null when there are none. */
  nextCursor: string | null;
  /** The newest event whose effect is in here. */
  lastEventId: number;
  /** Every run that the items belong to, whether its own item is among them or not; oldest first, numbered from 1. */
  runs: (Run & { number: number })[];
  /** Plans of those runs. */
  plans: { runId: RunId; entries: PlanEntry[] }[];
  /** Permission requests of those runs, answered or not. */
  permissions: PermissionRequest[];
  /** Counts so far of those runs that are going on. */
  progress: ({ runId: RunId } & ChangeProgress)[];
  /** What the session's agent offers now; null where an outside host runs it. */
  agent: AgentState | null;
}

/** Every event name, for listeners that must name what they listen to. */
export const EVENT_NAMES = [
  'run.started',
  'run.updated',
  'message.created',
  'message.delta',
  'tool.started',
  'tool.updated',
  'tool.completed',
  'plan.updated',
  'permission.requested',
  'permission.resolved',
  'workspace.diff.progress',
  'workspace.diff.completed',
  'workspace.diff.superseded',
  'workspace.drift.detected',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.interrupted',
  'agent.updated',
  'session.updated',
  'session.deleted',
] as const satisfies readonly EventName[];

/** Whether the event is the last of its run. */
export function isTerminalEvent(name: string): name is `run.${TerminalStatus}` {
  return /^run\.(completed|failed|cancelled|interrupted)$/.test(name);
}

type SnakeKey<Key> = Key extends `${infer Head}${infer Tail}`
  ? Head extends Uppercase<Head>
    ? Head extends Lowercase<Head>
      ? `${Head}${SnakeKey<Tail>}`
      : `_${Lowercase<Head>}${SnakeKey<Tail>}`
    : `${Head}${SnakeKey<Tail>}`
  : Key;

/** Fields whose value belongs to somebody else and is passed on verbatim. */
const VERBATIM = new Set(['meta', 'input']);
type Verbatim = 'meta' | 'input';

/** `T` as it stands on the wire. */
export type Wire<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Key in keyof T as SnakeKey<Key>]: Key extends Verbatim ? T[Key] : Wire<T[Key]> }
      : T;

/** Our words as they stand on the wire. `undefined` fields are left out. */
export function toWire<T>(value: T): Wire<T> {
  return rename(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as Wire<T>;
}

/** Wire words as ours: the inverse of `toWire`. */
export function fromWire<T>(value: Wire<T>): T {
  return rename(value, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as T;
}

function rename(value: unknown, nameOf: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) renamed[nameOf(key)] = VERBATIM.has(key) ? item : rename(item, nameOf);
  }
  return renamed;
}

/** A timeline item as `GET …/timeline` answers it. */
export function timelineItemToWire(item: TimelineItem) {
  switch (item.type) {
    case 'message':
      return { ...toWire(item), id: item.message.id, run_id: item.message.runId, created_at: item.message.createdAt };
    case 'run':
      return { ...toWire(item), id: item.run.id, run_id: item.run.id, created_at: item.run.startedAt };
    case 'tool_call':
      return {
        ...toWire(item),
        id: item.toolCall.id,
        run_id: item.toolCall.runId,
        created_at: item.toolCall.startedAt,
      };
    case 'change':
      return {
        ...toWire(item),
        id: item.change.changeId,
        run_id: item.change.runId,
        created_at: item.change.createdAt,
      };
    case 'drift':
      return { ...toWire(item), id: item.drift.changeId, run_id: item.drift.runId, created_at: item.drift.createdAt };
  }
}
