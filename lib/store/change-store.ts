/** Changes and their files: saved in one transaction, listed without touching bodies. */
import { and, asc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { workspaceRunChanges as changes, workspaceRunChangeFiles as files, runs } from '@/drizzle/schema';
import type {
  ChangedFile,
  ChangedFileBody,
  ChangeSource,
  ChangeSummary,
  ChangeType,
  ContentRef,
  Evidence,
  Gap,
  GitSummary,
  LineEndings,
  Origin,
} from '@/lib/domain/change';
import type { ChangeId, FileId, RunId, SessionId, ToolCallId } from '@/lib/domain/ids';
import type { Store } from './database';
import { nextItem } from './items';

/** A row as it is saved: the file, its body, and where both sides are kept. */
export type FileToSave = ChangedFile & {
  patch: string | null;
  patchBytes: number;
  contentBefore: ContentRef | null;
  contentAfter: ContentRef | null;
};

export type ChangeToSave = Omit<ChangeSummary, 'files'> & { kept: unknown; files: FileToSave[] };

/** A row with where its sides are kept. */
export type StoredFile = ChangedFile & { contentBefore: ContentRef | null; contentAfter: ContentRef | null };

/** Every column of a file but its body: what lists may read. */
const listedColumns = {
  id: files.id,
  position: files.position,
  path: files.path,
  pathQuoted: files.pathQuoted,
  displayPath: files.displayPath,
  oldPath: files.oldPath,
  changeType: files.changeType,
  additions: files.additions,
  deletions: files.deletions,
  sizeBefore: files.sizeBefore,
  sizeAfter: files.sizeAfter,
  modeBefore: files.modeBefore,
  modeAfter: files.modeAfter,
  kindBefore: files.kindBefore,
  kindAfter: files.kindAfter,
  truncated: files.truncated,
  binary: files.binary,
  oversized: files.oversized,
  lineEndings: files.lineEndings,
  ignored: files.ignored,
  origin: files.origin,
  evidence: files.evidence,
  toolCallIds: files.toolCallIds,
  contentBefore: files.contentBefore,
  contentAfter: files.contentAfter,
};

type ListedRow = Pick<typeof files.$inferSelect, keyof typeof listedColumns>;

function toStoredFile(row: ListedRow): StoredFile {
  const { position: _, changeType, oldPath, ...rest } = row;
  return {
    ...rest,
    ...(changeType === 'renamed' ? { changeType, oldPath: oldPath ?? row.path } : { changeType, oldPath: null }),
    id: row.id as FileId,
    lineEndings: row.lineEndings as LineEndings | null,
    evidence: row.evidence as Evidence[],
    toolCallIds: row.toolCallIds as ToolCallId[],
  };
}

/** A row as callers outside may see it: where its sides are kept is ours. */
function toChangedFile(row: ListedRow): ChangedFile {
  const { contentBefore: _before, contentAfter: _after, ...file } = toStoredFile(row);
  return file;
}

type ChangeRow = typeof changes.$inferSelect;

function toSummary(row: ChangeRow, listed: ChangedFile[]): ChangeSummary {
  const { kept: _, item: _item, ...rest } = row;
  const git = row.git as GitSummary | null;
  return {
    ...rest,
    changeId: row.changeId as ChangeId,
    sessionId: row.sessionId as SessionId,
    runId: row.runId as RunId,
    toolCallId: row.toolCallId as ToolCallId | null,
    gaps: row.gaps as Gap[],
    overlaps: row.overlaps as RunId[],
    sharedWith: row.sharedWith as ToolCallId[],
    git,
    // The list is cut too where it holds less than there is: the count of rows is the totals and what came with git.
    truncated: row.truncated || row.changedCount + (git?.movedCount ?? 0) > listed.length,
    files: listed,
  };
}

/** Rows written by one statement; SQLite binds at most 32,766 values. */
const ROWS_AT_ONCE = 500;

/**
 * Saves a change in one transaction, superseding an earlier generation of it (whose place it keeps).
 * Returns its place in the timeline. `also` runs inside the same transaction.
 */
export function saveChange(store: Store, change: ChangeToSave, also?: (tx: Store) => void): number {
  return store.transaction((tx) => {
    // A transaction is a store in all that is used of it; drizzle types it apart.
    const db = tx as unknown as Store;
    const earlier = tx.select({ item: changes.item }).from(changes).where(eq(changes.changeId, change.changeId)).get();
    tx.delete(changes).where(eq(changes.changeId, change.changeId)).run();
    const item = earlier?.item ?? nextItem(db, change.sessionId, change.createdAt);
    const { files: rows, ...summary } = change;
    tx.insert(changes)
      .values({ ...summary, item })
      .run();
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      tx.insert(files)
        .values(
          rows.slice(start, start + ROWS_AT_ONCE).map((row, offset) => ({
            ...row,
            changeId: change.changeId,
            sessionId: change.sessionId,
            position: start + offset,
            createdAt: change.createdAt,
          })),
        )
        .run();
    }
    also?.(db);
    return item;
  });
}

/** Removes a change with its files. */
export function deleteChange(store: Store, changeId: ChangeId): void {
  store.delete(changes).where(eq(changes.changeId, changeId)).run();
}

function firstFiles(store: Store, changeId: string, limit: number): ChangedFile[] {
  return store
    .select(listedColumns)
    .from(files)
    .where(eq(files.changeId, changeId))
    .orderBy(asc(files.position))
    .limit(limit)
    .all()
    .map(toChangedFile);
}

/** A change with its first `summaryRows` files, scoped by session where one is given. */
export function findChange(
  store: Store,
  changeId: ChangeId,
  summaryRows: number,
  sessionId?: SessionId,
): ChangeSummary | null {
  const row = changeRow(store, changeId, sessionId);
  return row ? toSummary(row, firstFiles(store, changeId, summaryRows)) : null;
}

function changeRow(store: Store, changeId: ChangeId, sessionId?: SessionId): ChangeRow | undefined {
  return store
    .select()
    .from(changes)
    .where(and(eq(changes.changeId, changeId), sessionId === undefined ? undefined : eq(changes.sessionId, sessionId)))
    .get();
}

/** Where the bodies of a change are kept; null when they expired. */
export function keptBodies(
  store: Store,
  changeId: ChangeId,
): { kept: unknown; workspace: string; generation: number } | null {
  const row = changeRow(store, changeId);
  return row ? { kept: row.kept, workspace: row.workspace, generation: row.generation } : null;
}

/** A change's place in the timeline. */
export function changeItem(store: Store, changeId: ChangeId): number | null {
  return changeRow(store, changeId)?.item ?? null;
}

export interface ChangesQuery {
  runId?: RunId | undefined;
  source: ChangeSource | 'all';
  cursor?: string | undefined;
  limit: number;
}

/** The changes of a session, oldest first. */
export function listChanges(
  store: Store,
  sessionId: SessionId,
  query: ChangesQuery,
  summaryRows: number,
): { changes: ChangeSummary[]; nextCursor: string | null } {
  const rows = store
    .select()
    .from(changes)
    .where(
      and(
        eq(changes.sessionId, sessionId),
        query.runId === undefined ? undefined : eq(changes.runId, query.runId),
        query.source === 'all' ? undefined : eq(changes.source, query.source),
        query.cursor === undefined ? undefined : gt(changes.item, Number(query.cursor)),
      ),
    )
    .orderBy(asc(changes.item))
    .limit(query.limit + 1)
    .all();
  const page = rows.slice(0, query.limit);
  return {
    changes: page.map((row) => toSummary(row, firstFiles(store, row.changeId, summaryRows))),
    nextCursor: rows.length > query.limit ? String(page.at(-1)?.item) : null,
  };
}

export interface FilesQuery {
  cursor?: string | undefined;
  limit: number;
  q?: string | undefined;
  origin?: Origin | undefined;
  kind?: ChangeType | undefined;
}

/** One page of a change's rows, in the order of the list. */
export function listFiles(
  store: Store,
  changeId: ChangeId,
  query: FilesQuery,
): { files: ChangedFile[]; nextCursor: string | null } {
  const conditions: (SQL | undefined)[] = [eq(files.changeId, changeId)];
  if (query.cursor !== undefined) conditions.push(gt(files.position, Number(query.cursor)));
  if (query.origin) conditions.push(eq(files.origin, query.origin));
  if (query.kind) conditions.push(eq(files.changeType, query.kind));
  if (query.q) {
    const needle = query.q.toLowerCase();
    conditions.push(
      or(sql`instr(lower(${files.path}), ${needle}) > 0`, sql`instr(lower(${files.oldPath}), ${needle}) > 0`),
    );
  }
  const rows = store
    .select(listedColumns)
    .from(files)
    .where(and(...conditions))
    .orderBy(asc(files.position))
    .limit(query.limit + 1)
    .all();
  return {
    files: rows.slice(0, query.limit).map(toChangedFile),
    nextCursor: rows.length > query.limit ? String(rows[query.limit - 1]?.position) : null,
  };
}

/** Every row of a change with where its sides are kept, for patches, exports and the disk. */
export function allFiles(store: Store, changeId: ChangeId): StoredFile[] {
  return store
    .select(listedColumns)
    .from(files)
    .where(eq(files.changeId, changeId))
    .orderBy(asc(files.position))
    .all()
    .map(toStoredFile);
}

/** The stored patches of a change, which its limit keeps small together. */
export function storedPatches(
  store: Store,
  changeId: ChangeId,
): { id: FileId; path: string; ignored: boolean; patch: string }[] {
  return store
    .select({ id: files.id, path: files.path, ignored: files.ignored, patch: files.patch })
    .from(files)
    .where(and(eq(files.changeId, changeId), sql`${files.patch} is not null`))
    .orderBy(asc(files.position))
    .all()
    .map((row) => ({ ...row, id: row.id as FileId, patch: row.patch ?? '' }));
}

/** One row as callers may see it, and as it is stored. */
export interface FileWithBody {
  body: ChangedFileBody;
  stored: StoredFile;
}

/** One row with its body, scoped by change. */
export function findFile(store: Store, changeId: ChangeId, fileId: FileId): FileWithBody | null {
  const row = store
    .select({ file: files, kept: changes.kept })
    .from(files)
    .innerJoin(changes, eq(changes.changeId, files.changeId))
    .where(and(eq(files.id, fileId), eq(files.changeId, changeId)))
    .get();
  if (!row) return null;
  const stored = toStoredFile(row.file);
  const { contentBefore: _before, contentAfter: _after, ...file } = stored;
  return {
    stored,
    body: { ...file, patch: row.file.patch, patchBytes: row.file.patchBytes, expired: row.kept === null },
  };
}

/**
 * The changes that lead from the state before a session's first run to the state after its last, in their order: what its
 * runs did, and what happened outside them in between.
 */
export function sessionChangeIds(store: Store, sessionId: SessionId): ChangeId[] {
  const first = store
    .select({ id: runs.id })
    .from(runs)
    .where(eq(runs.sessionId, sessionId))
    .orderBy(asc(runs.item))
    .limit(1)
    .get();
  return store
    .select({ id: changes.changeId, source: changes.source, runId: changes.runId })
    .from(changes)
    .where(and(eq(changes.sessionId, sessionId), inArray(changes.source, ['run', 'drift'])))
    .orderBy(asc(changes.item))
    .all()
    .filter(({ source, runId }) => source === 'run' || runId !== first?.id)
    .map((row) => row.id as ChangeId);
}

/** Under what names bodies are kept now, with where: what a sweep of the private directories must spare. */
export function keptNames(store: Store): string[] {
  return store
    .select({ id: changes.changeId, generation: changes.generation })
    .from(changes)
    .where(sql`${changes.kept} is not null`)
    .all()
    .map((row) => keptName(row.id as ChangeId, row.generation));
}

/** The name under which capture keeps the bodies of one generation of a change. */
export function keptName(changeId: ChangeId, generation: number): string {
  return `${changeId}@${generation}`;
}

/** The oldest changes that still have bodies. */
export function oldestWithBodies(
  store: Store,
  limit: number,
): { changeId: ChangeId; generation: number; kept: unknown; source: ChangeSource; createdAt: number }[] {
  return store
    .select({
      changeId: changes.changeId,
      generation: changes.generation,
      kept: changes.kept,
      source: changes.source,
      createdAt: changes.createdAt,
    })
    .from(changes)
    .where(sql`${changes.kept} is not null`)
    .orderBy(sql`${changes.source} = 'tool' desc`, asc(changes.createdAt))
    .limit(limit)
    .all()
    .map((row) => ({ ...row, changeId: row.changeId as ChangeId }));
}

/** Takes the bodies of a change away; its rows stay and say `expired`. */
export function expireBodies(store: Store, changeId: ChangeId): void {
  store.transaction((tx) => {
    tx.update(files)
      .set({ patch: null, contentBefore: null, contentAfter: null })
      .where(eq(files.changeId, changeId))
      .run();
    tx.update(changes).set({ kept: null }).where(eq(changes.changeId, changeId)).run();
  });
}

/** Changes of a run, a session, or older than an instant: what deleting them must let go of. */
export function changesToForget(
  store: Store,
  of: { sessionId: SessionId } | { runIds: RunId[] },
): { changeId: ChangeId; generation: number; kept: unknown }[] {
  return store
    .select({ changeId: changes.changeId, generation: changes.generation, kept: changes.kept })
    .from(changes)
    .where('sessionId' in of ? eq(changes.sessionId, of.sessionId) : inArray(changes.runId, of.runIds))
    .all()
    .map((row) => ({ ...row, changeId: row.changeId as ChangeId }));
}

/** When the newest change was saved, ms; 0 where there is none. */
export function newestChangeAt(store: Store): number {
  return (
    store
      .select({ at: sql<number | null>`max(${changes.createdAt})` })
      .from(changes)
      .get()?.at ?? 0
  );
}

/** Bytes of bodies that the database holds. */
export function patchBytes(store: Store): number {
  return (
    store
      .select({ bytes: sql<number>`coalesce(sum(${changes.totalPatchBytes}), 0)` })
      .from(changes)
      .where(sql`${changes.kept} is not null`)
      .get()?.bytes ?? 0
  );
}
