/** Tool calls: rows in, words out. */
import { and, asc, eq, inArray } from 'drizzle-orm';
import { toolCalls } from '@/drizzle/schema';
import type { Json, ToolCall, ToolLocation } from '@/lib/domain/conversation';
import type { RunId, SessionId, ToolCallId } from '@/lib/domain/ids';
import type { Store } from './database';
import { nextItem } from './items';

/** Characters of output that a list shows; the call itself has the rest. */
export const BRIEF_OUTPUT_CHARS = 4096;

export function toToolCall(row: typeof toolCalls.$inferSelect): ToolCall {
  return {
    id: row.id as ToolCallId,
    runId: row.runId as RunId,
    title: row.title,
    tool: row.tool,
    kind: row.kind,
    status: row.status,
    locations: row.locations as ToolLocation[],
    input: row.input as Json,
    output: row.output,
    outputBytes: row.outputBytes,
    outputTruncated: row.outputBytes > Buffer.byteLength(row.output ?? ''),
    meta: row.meta as Json,
    brief: false,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  };
}

/** A call as lists and events carry it: the end of its output, no hunks. */
export function briefToolCall(call: ToolCall): ToolCall {
  const { output, meta } = call;
  const long = output !== null && output.length > BRIEF_OUTPUT_CHARS;
  const heavy =
    typeof meta === 'object' && meta !== null && !Array.isArray(meta) && ('diffs' in meta || 'snippets' in meta);
  const input = call.input === null || JSON.stringify(call.input).length <= BRIEF_OUTPUT_CHARS ? call.input : null;
  if (!long && !heavy && input === call.input) return call;
  return {
    ...call,
    input,
    output: long ? output.slice(-BRIEF_OUTPUT_CHARS) : output,
    outputTruncated: call.outputTruncated || long,
    meta: heavy
      ? Object.fromEntries(Object.entries(meta).filter(([key]) => key !== 'diffs' && key !== 'snippets'))
      : meta,
    brief: true,
  };
}

/** Stores a call at the end of its session's timeline and returns its place. */
export function insertToolCall(store: Store, sessionId: SessionId, call: ToolCall, request: string | null): number {
  const item = nextItem(store, sessionId, call.startedAt);
  store
    .insert(toolCalls)
    .values({ ...columnsOf(call), id: call.id, runId: call.runId, sessionId, item, request })
    .run();
  return item;
}

/** Stores what a call has become. `completion` is the body that ended it, for safe repeats. */
export function saveToolCall(store: Store, call: ToolCall, completion?: string): void {
  store
    .update(toolCalls)
    .set({ ...columnsOf(call), ...(completion === undefined ? {} : { completion }) })
    .where(and(eq(toolCalls.runId, call.runId), eq(toolCalls.id, call.id)))
    .run();
}

function columnsOf(call: ToolCall) {
  const { title, tool, kind, status, locations, input, output, outputBytes, meta, startedAt, finishedAt } = call;
  return { title, tool, kind, status, locations, input, output, outputBytes, meta, startedAt, finishedAt };
}

export function findToolCall(store: Store, runId: RunId, id: ToolCallId): ToolCall | null {
  const row = toolRow(store, runId, id);
  return row ? toToolCall(row) : null;
}

/** The bodies that started and completed a call, as they came. */
export function toolBodies(
  store: Store,
  runId: RunId,
  id: ToolCallId,
): { request: string | null; completion: string | null } {
  const row = toolRow(store, runId, id);
  return { request: row?.request ?? null, completion: row?.completion ?? null };
}

function toolRow(store: Store, runId: RunId, id: ToolCallId) {
  return store
    .select()
    .from(toolCalls)
    .where(and(eq(toolCalls.runId, runId), eq(toolCalls.id, id)))
    .get();
}

/** The calls of a run, in order of their start. */
export function runToolCalls(store: Store, runId: RunId): ToolCall[] {
  return store
    .select()
    .from(toolCalls)
    .where(eq(toolCalls.runId, runId))
    .orderBy(asc(toolCalls.item))
    .all()
    .map(toToolCall);
}

/** Closes, without a result, the calls that runs left open. */
export function closeOpenToolCalls(store: Store, runIds: RunId[], now: number): void {
  if (runIds.length === 0) return;
  store
    .update(toolCalls)
    .set({ status: 'cancelled', finishedAt: now })
    .where(and(inArray(toolCalls.runId, runIds), inArray(toolCalls.status, ['pending', 'in_progress'])))
    .run();
}
