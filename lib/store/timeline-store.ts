/** A page of a session's timeline: runs, messages, tool calls and changes in their places. */
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import { messages, runs, toolCalls, workspaceRunChanges } from '@/drizzle/schema';
import type { TimelineItem } from '@/lib/domain/conversation';
import type { ChangeId, SessionId } from '@/lib/domain/ids';
import { findChange } from './change-store';
import type { Store } from './database';
import { messagesAt, toRun } from './run-store';
import { briefToolCall, toToolCall } from './tool-store';

export interface TimelinePage {
  /** Oldest first. */
  items: TimelineItem[];
  /** Leads to older items; null when there are none. */
  nextCursor: string | null;
}

/** The newest page without a cursor. Tool calls are brief, changes carry no bodies. */
export function timelinePage(
  store: Store,
  sessionId: SessionId,
  page: { cursor?: string | undefined; limit: number; summaryRows: number },
): TimelinePage {
  const before = page.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(page.cursor);
  const places = unionAll(
    store
      .select({ type: sql<TimelineItem['type']>`'run'`, item: runs.item, id: runs.id })
      .from(runs)
      .where(and(eq(runs.sessionId, sessionId), lt(runs.item, before))),
    store
      .select({ type: sql<TimelineItem['type']>`'message'`, item: messages.item, id: messages.id })
      .from(messages)
      .where(and(eq(messages.sessionId, sessionId), lt(messages.item, before))),
    store
      .select({
        type: sql<TimelineItem['type']>`'tool_call'`,
        item: toolCalls.item,
        id: sql<string>`cast(${toolCalls.item} as text)`,
      })
      .from(toolCalls)
      .where(and(eq(toolCalls.sessionId, sessionId), lt(toolCalls.item, before))),
    store
      .select({
        type: sql<TimelineItem['type']>`case ${workspaceRunChanges.source} when 'drift' then 'drift' else 'change' end`,
        item: workspaceRunChanges.item,
        id: workspaceRunChanges.changeId,
      })
      .from(workspaceRunChanges)
      .where(
        and(
          eq(workspaceRunChanges.sessionId, sessionId),
          lt(workspaceRunChanges.item, before),
          inArray(workspaceRunChanges.source, ['run', 'drift']),
        ),
      ),
  )
    .orderBy(desc(sql`item`))
    .limit(page.limit + 1)
    .all();
  const shown = places.slice(0, page.limit).reverse();
  return {
    items: loadItems(store, sessionId, shown, page.summaryRows),
    nextCursor: places.length > page.limit ? String(shown[0]?.item) : null,
  };
}

interface Place {
  type: TimelineItem['type'];
  item: number;
  id: string;
}

function loadItems(store: Store, sessionId: SessionId, places: Place[], summaryRows: number): TimelineItem[] {
  const idsOf = (type: TimelineItem['type']) => places.filter((place) => place.type === type).map((place) => place.id);
  const runById = new Map(
    store
      .select()
      .from(runs)
      .where(inArray(runs.id, idsOf('run')))
      .all()
      .map((row) => [row.id, toRun(row)]),
  );
  const messageById = new Map(messagesAt(store, idsOf('message')).map((message) => [message.id as string, message]));
  const callByItem = new Map(
    store
      .select()
      .from(toolCalls)
      .where(and(eq(toolCalls.sessionId, sessionId), inArray(toolCalls.item, idsOf('tool_call').map(Number))))
      .all()
      .map((row) => [row.item, briefToolCall(toToolCall(row))]),
  );
  const items: TimelineItem[] = [];
  for (const { type, item: at, id } of places) {
    const run = runById.get(id);
    const message = messageById.get(id);
    const toolCall = callByItem.get(at);
    if (type === 'run' && run) items.push({ type, at, run });
    if (type === 'message' && message) items.push({ type, at, message });
    if (type === 'tool_call' && toolCall) items.push({ type, at, toolCall });
    if (type === 'change' || type === 'drift') {
      const change = findChange(store, id as ChangeId, summaryRows);
      if (change) items.push(type === 'change' ? { type, at, change } : { type, at, drift: change });
    }
  }
  return items;
}
