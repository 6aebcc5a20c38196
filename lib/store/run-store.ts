/** Runs and what is said in them: rows in, words out. */
import { and, asc, count, desc, eq, gt, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { agentProcesses, messages, permissions, runs } from '@/drizzle/schema';
import type { Message, PermissionOption, PermissionRequest, PlanEntry } from '@/lib/domain/conversation';
import type { MessageId, PermissionId, RunId, SessionId, ToolCallId } from '@/lib/domain/ids';
import type { BaselineState, Run } from '@/lib/domain/run';
import type { Store } from './database';
import { nextItem } from './items';

export function toRun(row: typeof runs.$inferSelect): Run {
  return {
    id: row.id as RunId,
    sessionId: row.sessionId as SessionId,
    status: row.status,
    external: row.external,
    prompt: row.prompt,
    workspace: row.workspace,
    baseline: row.baseline,
    baselineMs: row.baselineMs,
    baselineFiles: row.baselineFiles,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    stopReason: row.stopReason,
    error: row.error,
  };
}

/** Stores a run at the end of its session's timeline and returns its place. */
export function insertRun(store: Store, run: Run, request: string | null): number {
  const item = nextItem(store, run.sessionId, run.startedAt);
  store
    .insert(runs)
    .values({ ...run, item, request })
    .run();
  return item;
}

export function findRun(store: Store, id: RunId): Run | null {
  const row = store.select().from(runs).where(eq(runs.id, id)).get();
  return row ? toRun(row) : null;
}

/** A run's place in its timeline. */
export function runItem(store: Store, id: RunId): number | null {
  return store.select({ item: runs.item }).from(runs).where(eq(runs.id, id)).get()?.item ?? null;
}

/** The bodies that started and completed a run, as they came. */
export function runBodies(store: Store, id: RunId): { request: string | null; completion: string | null } {
  return (
    store.select({ request: runs.request, completion: runs.completion }).from(runs).where(eq(runs.id, id)).get() ?? {
      request: null,
      completion: null,
    }
  );
}

export function saveBaseline(
  store: Store,
  id: RunId,
  baseline: { state: BaselineState; ms: number | null; files: number | null },
): void {
  store
    .update(runs)
    .set({ baseline: baseline.state, baselineMs: baseline.ms, baselineFiles: baseline.files })
    .where(eq(runs.id, id))
    .run();
}

/** Stores the end of a run. `completion` is the body that ended it, for safe repeats. */
export function saveRunEnd(store: Store, run: Run, completion: string | null): void {
  store
    .update(runs)
    .set({
      status: run.status,
      baseline: run.baseline,
      finishedAt: run.finishedAt,
      stopReason: run.stopReason,
      error: run.error,
      completion,
    })
    .where(eq(runs.id, run.id))
    .run();
}

export function savePlan(store: Store, id: RunId, plan: PlanEntry[]): void {
  store.update(runs).set({ plan }).where(eq(runs.id, id)).run();
}

export function readPlan(store: Store, id: RunId): PlanEntry[] {
  const row = store.select({ plan: runs.plan }).from(runs).where(eq(runs.id, id)).get();
  return (row?.plan as PlanEntry[] | null | undefined) ?? [];
}

export function runningRuns(store: Store): Run[] {
  return store.select().from(runs).where(eq(runs.status, 'running')).all().map(toRun);
}

/** Some runs, in the order of their timelines. */
export function runsById(store: Store, ids: RunId[]): Run[] {
  return store.select().from(runs).where(inArray(runs.id, ids)).orderBy(asc(runs.item)).all().map(toRun);
}

/** Runs, newest first: those of a session, or those that work in a folder or above it. */
export function recentRuns(
  store: Store,
  page: {
    sessionId?: SessionId | undefined;
    /** Real path. */
    folder?: string | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): { runs: Run[]; nextCursor: string | null } {
  const conditions: (SQL | undefined)[] = [];
  if (page.sessionId !== undefined) conditions.push(eq(runs.sessionId, page.sessionId));
  if (page.folder !== undefined) {
    conditions.push(
      sql`(${runs.workspace} = ${page.folder} or substr(${page.folder}, 1, length(${runs.workspace}) + 1) = ${runs.workspace} || '/')`,
    );
  }
  if (page.cursor !== undefined) {
    const [at, id = ''] = page.cursor.split('~');
    conditions.push(or(lt(runs.startedAt, Number(at)), and(eq(runs.startedAt, Number(at)), lt(runs.id, id))));
  }
  const rows = store
    .select()
    .from(runs)
    .where(and(...conditions))
    .orderBy(desc(runs.startedAt), desc(runs.id))
    .limit(page.limit + 1)
    .all();
  const last = rows[page.limit - 1];
  return {
    runs: rows.slice(0, page.limit).map(toRun),
    nextCursor: rows.length > page.limit && last ? `${last.startedAt}~${last.id}` : null,
  };
}

/** The runs of a session, oldest first. */
export function sessionRuns(store: Store, sessionId: SessionId): Run[] {
  return store.select().from(runs).where(eq(runs.sessionId, sessionId)).orderBy(asc(runs.item)).all().map(toRun);
}

/** The runs before and after one in its session. */
export function neighbours(store: Store, run: Run): { previous: Run | null; next: Run | null; number: number } {
  const item = runItem(store, run.id) ?? 0;
  const before = and(eq(runs.sessionId, run.sessionId), lt(runs.item, item));
  const previous = store.select().from(runs).where(before).orderBy(desc(runs.item)).limit(1).get();
  const next = store
    .select()
    .from(runs)
    .where(and(eq(runs.sessionId, run.sessionId), gt(runs.item, item)))
    .orderBy(asc(runs.item))
    .limit(1)
    .get();
  return {
    previous: previous ? toRun(previous) : null,
    next: next ? toRun(next) : null,
    number: runNumber(store, run),
  };
}

/** A run's number in its session, from 1. */
export function runNumber(store: Store, run: Run): number {
  const item = runItem(store, run.id) ?? 0;
  const before = and(eq(runs.sessionId, run.sessionId), lt(runs.item, item));
  return (store.select({ count: count() }).from(runs).where(before).get()?.count ?? 0) + 1;
}

function toMessage(row: typeof messages.$inferSelect): Message {
  return {
    id: row.id as MessageId,
    runId: row.runId as RunId,
    role: row.role,
    text: row.text,
    createdAt: row.createdAt,
  };
}

/** Stores a message at the end of its session's timeline and returns its place. */
export function insertMessage(store: Store, sessionId: SessionId, message: Message): number {
  const item = nextItem(store, sessionId, message.createdAt);
  store
    .insert(messages)
    .values({ ...message, sessionId, item })
    .run();
  return item;
}

export function saveMessageText(store: Store, id: MessageId, text: string): void {
  store.update(messages).set({ text }).where(eq(messages.id, id)).run();
}

/** The messages of a run, oldest first. */
export function runMessages(store: Store, runId: RunId): Message[] {
  return store
    .select()
    .from(messages)
    .where(eq(messages.runId, runId))
    .orderBy(asc(messages.item))
    .all()
    .map(toMessage);
}

/** Messages by place, for a page of the timeline. */
export function messagesAt(store: Store, ids: string[]): Message[] {
  return store.select().from(messages).where(inArray(messages.id, ids)).all().map(toMessage);
}

function toPermission(row: typeof permissions.$inferSelect): PermissionRequest {
  return {
    id: row.id as PermissionId,
    runId: row.runId as RunId,
    toolCallId: row.toolCallId as ToolCallId | null,
    title: row.title,
    options: row.options as PermissionOption[],
    createdAt: row.createdAt,
    answer: row.answeredAt === null ? null : { optionId: row.optionId, at: row.answeredAt },
  };
}

export function insertPermission(store: Store, sessionId: SessionId, permission: PermissionRequest): void {
  const { answer, ...rest } = permission;
  store
    .insert(permissions)
    .values({ ...rest, sessionId, optionId: answer?.optionId ?? null, answeredAt: answer?.at ?? null })
    .run();
}

export function savePermissionAnswer(
  store: Store,
  id: PermissionId,
  answer: { optionId: string | null; at: number },
): void {
  store
    .update(permissions)
    .set({ optionId: answer.optionId, answeredAt: answer.at })
    .where(eq(permissions.id, id))
    .run();
}

export function findPermission(store: Store, sessionId: SessionId, id: PermissionId): PermissionRequest | null {
  const row = store
    .select()
    .from(permissions)
    .where(and(eq(permissions.id, id), eq(permissions.sessionId, sessionId)))
    .get();
  return row ? toPermission(row) : null;
}

export function runPermissions(store: Store, runIds: RunId[]): PermissionRequest[] {
  return store
    .select()
    .from(permissions)
    .where(inArray(permissions.runId, runIds))
    .orderBy(asc(permissions.createdAt))
    .all()
    .map(toPermission);
}

/** Ends, in one transaction, every run that was going on when Tidemark stopped. Returns them as they are now. */
export function interruptRunning(store: Store, now: number, error: string): Run[] {
  return store.transaction((tx) => {
    const going = tx.select().from(runs).where(eq(runs.status, 'running')).all();
    tx.update(runs)
      .set({ status: 'interrupted', finishedAt: now, error, stopReason: 'restart' })
      .where(eq(runs.status, 'running'))
      .run();
    return going.map((row) => ({
      ...toRun(row),
      status: 'interrupted' as const,
      finishedAt: now,
      error,
      stopReason: 'restart',
    }));
  });
}

export interface AgentProcess {
  pid: number;
  startTime: string;
  sessionId: SessionId;
}

export function saveAgentProcess(store: Store, entry: AgentProcess): void {
  store.insert(agentProcesses).values(entry).onConflictDoUpdate({ target: agentProcesses.pid, set: entry }).run();
}

export function removeAgentProcess(store: Store, pid: number): void {
  store.delete(agentProcesses).where(eq(agentProcesses.pid, pid)).run();
}

export function agentProcessList(store: Store): AgentProcess[] {
  return store
    .select()
    .from(agentProcesses)
    .where(ne(agentProcesses.pid, 0))
    .all()
    .map((row) => ({ ...row, sessionId: row.sessionId as SessionId }));
}
