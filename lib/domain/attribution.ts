/** Says who did it: gives each row of a delta its origin and the calls that touched it (DESIGN §3 rule 8). */
import type { Origin } from './change';
import type { ToolCallId } from './ids';

/** When a call was going on, ms; `end` is null while it still is. */
export interface CallSpan {
  id: ToolCallId;
  start: number;
  end: number | null;
}

/** Paths that changed between two looks at the workspace, with when each changed last where the disk tells. */
export interface ChangedBetween {
  /** The instants between which they changed: begin of the earlier look, end of the later one. */
  from: number;
  to: number;
  /** Row path → ms of its last change, or null where unknown (deleted, git moved it). */
  paths: Map<string, number | null>;
}

export interface RunEvidence {
  calls: CallSpan[];
  intervals: ChangedBetween[];
  /** Row path → calls of this run's file tools that named it. */
  named: Map<string, ToolCallId[]>;
  /** Row paths that file tools of other runs named while this one was going on. */
  namedByOthers: ReadonlySet<string>;
}

/** Milliseconds by which a file's change time may lie before the true one: the kernel's clock ticks coarsely. */
const CLOCK_SLACK_MS = 20;

/** The calls that were going on when a path changed in one interval. */
export function callsAt(
  calls: CallSpan[],
  interval: Omit<ChangedBetween, 'paths'>,
  changedAt: number | null,
): ToolCallId[] {
  const within = changedAt !== null && changedAt >= interval.from - CLOCK_SLACK_MS && changedAt <= interval.to;
  const from = within ? changedAt : interval.from;
  const to = within ? changedAt + CLOCK_SLACK_MS : interval.to;
  return calls
    .filter((call) => call.start <= to && (call.end ?? Number.POSITIVE_INFINITY) >= from)
    .map((call) => call.id);
}

interface Row {
  path: string;
  oldPath: string | null;
  movedByGit: boolean;
}

/** Who changed a row, and by which calls. */
export function attribute(row: Row, evidence: RunEvidence): { origin: Origin; toolCallIds: ToolCallId[] } {
  const paths = row.oldPath === null ? [row.path] : [row.path, row.oldPath];
  const named = paths.flatMap((path) => evidence.named.get(path) ?? []);
  const active = paths.flatMap((path) =>
    evidence.intervals.flatMap((interval) =>
      interval.paths.has(path) ? callsAt(evidence.calls, interval, interval.paths.get(path) ?? null) : [],
    ),
  );
  const toolCallIds = inOrder(evidence.calls, new Set([...named, ...active]));
  if (named.length > 0) return { origin: 'tool', toolCallIds };
  if (row.movedByGit) return { origin: 'git', toolCallIds };
  if (paths.some((path) => evidence.namedByOthers.has(path))) return { origin: 'other', toolCallIds: [] };
  if (evidence.calls.length === 0 || active.length > 0) return { origin: 'command', toolCallIds };
  return { origin: 'other', toolCallIds: [] };
}

function inOrder(calls: CallSpan[], ids: ReadonlySet<ToolCallId>): ToolCallId[] {
  return calls.filter((call) => ids.has(call.id)).map((call) => call.id);
}
