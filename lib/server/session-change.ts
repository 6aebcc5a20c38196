/** What a session changed from the start of its first run to the end of its last: read from its records, never stored. */
import 'server-only';
import { boundPatch } from '@/lib/domain/bounded-patch';
import { type ChangedFileBody, type ShownChange, totalsOf } from '@/lib/domain/change';
import type { Session } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import type { ChangeId, FileId, RunId } from '@/lib/domain/ids';
import { hunkTexts } from '@/lib/domain/line-diff';
import { type Comparison, countLines } from '@/lib/domain/patch';
import { joinRuns, type KeptRow, type SessionRow } from '@/lib/domain/session-change';
import { allFiles, findChange, findFile, keptBodies, sessionChangeIds } from '@/lib/store/change-store';
import { requireBodies } from './lookups';
import { processState } from './process-state';
import { house } from './runtime';

/** A joined row, with the change whose bodies it is read from. */
export type JoinedRow = SessionRow & { changeId: ChangeId };

export interface SessionChange {
  change: ShownChange;
  rows: JoinedRow[];
}

/** Rows that several runs touched whose lines are counted; the rest says that its diff is cut. */
const MOST_COUNTED = 300;
const COUNTED_AT_ONCE = 4;
/** Sessions kept joined: a page and its patches ask again and again. */
const KEPT_SESSIONS = 4;

/** The joined change of a session; null where none of its runs has a record. */
export async function sessionChange(session: Session): Promise<SessionChange | null> {
  const { store } = house();
  const ids = sessionChangeIds(store, session.id);
  const newest = ids.at(-1);
  if (newest === undefined) return null;
  const signature = ids.map((id) => `${id} ${keptBodies(store, id)?.generation}`).join('\n');
  const cache = processState('session-changes', () => new Map<string, { signature: string; joined: SessionChange }>());
  const known = cache.get(session.id);
  if (known?.signature === signature) return known.joined;
  const joined = await joinSession(session, ids, newest);
  cache.delete(session.id);
  cache.set(session.id, { signature, joined });
  for (const id of [...cache.keys()].slice(0, -KEPT_SESSIONS)) cache.delete(id);
  return joined;
}

async function joinSession(session: Session, ids: ChangeId[], newest: ChangeId): Promise<SessionChange> {
  const { store, settings } = house();
  const changeOf = new Map<FileId, ChangeId>();
  const runs = ids.map((id) => {
    const rows: KeptRow[] = allFiles(store, id);
    for (const row of rows) changeOf.set(row.id, id);
    return rows;
  });
  const joined = joinRuns(runs).map(
    (entry): JoinedRow => ({ ...entry, changeId: changeOf.get(entry.row.id) ?? newest }),
  );
  const rows = await counted(joined);
  const files = rows.map(({ row: { contentBefore: _, contentAfter: __, ...file } }) => file);
  const [first, last] = [findChange(store, ids[0] as ChangeId, 0), findChange(store, newest, 0)];
  const listed = files.slice(0, settings.limits.summaryRows);
  return {
    rows,
    change: {
      changeId: `session:${session.id}` as ChangeId,
      sessionId: session.id,
      runId: (last?.runId ?? '') as RunId,
      source: 'session',
      toolCallId: null,
      generation: ids.length,
      workspace: session.workspace,
      workspaceKind: session.workspaceKind,
      startedAt: first?.startedAt ?? null,
      finishedAt: last?.finishedAt ?? null,
      truncated: listed.length < files.length || files.some(({ truncated }) => truncated),
      totalPatchBytes: 0,
      createdAt: last?.createdAt ?? session.createdAt,
      gaps: [],
      overlaps: [],
      sharedWith: [],
      git: null,
      files: listed,
      ...totalsOf(files),
    },
  };
}

/** Counts the lines of rows that several runs touched: a sum over the runs would count what was taken back. */
async function counted(rows: JoinedRow[]): Promise<JoinedRow[]> {
  const open = rows.filter(({ isCounted, row }) => !isCounted && !row.oversized);
  const found = new Map<JoinedRow, JoinedRow>();
  for (let at = 0; at < open.length; at += COUNTED_AT_ONCE) {
    const some = open.slice(at, at + COUNTED_AT_ONCE);
    const answers = await Promise.all(some.map((entry) => (at < MOST_COUNTED ? compared(entry) : null)));
    for (const [index, entry] of some.entries()) found.set(entry, withCounts(entry, answers[index] ?? null));
  }
  return rows.map((entry) => found.get(entry) ?? entry);
}

/** The sides of a row compared, or null where a body is gone or lies elsewhere. */
async function compared({ row, changeId }: JoinedRow): Promise<Comparison | null> {
  try {
    return await house().capture.readComparison(requireBodies(changeId), row, { context: 3 });
  } catch {
    return null;
  }
}

function withCounts(entry: JoinedRow, comparison: Comparison | null): JoinedRow {
  const { row } = entry;
  if (comparison === null) return { ...entry, row: { ...row, truncated: true } };
  if (comparison.kind !== 'text') return { ...entry, row: { ...row, binary: comparison.kind === 'binary' } };
  return { ...entry, row: { ...row, ...countLines(comparison.hunks) } };
}

/** One row of the joined change. Throws `not_found`. */
export async function requireSessionRow(session: Session, fileId: string): Promise<JoinedRow> {
  const joined = await sessionChange(session);
  const found = joined?.rows.find(({ row }) => row.id === fileId);
  if (!found) throw new AppError('not_found', 'There is no such file in this session.');
  return found;
}

/** One row with its patch: the run's own where one run made it, else of both sides compared. */
export async function sessionFile({ row, changeId, isCounted }: JoinedRow): Promise<ChangedFileBody> {
  const { contentBefore: _, contentAfter: __, ...file } = row;
  const own = isCounted ? findFile(house().store, changeId, row.id)?.body : undefined;
  if (own && own.path === row.path && own.oldPath === row.oldPath) {
    return { ...file, patch: own.patch, patchBytes: own.patchBytes, expired: own.expired };
  }
  if (row.oversized || row.binary) return { ...file, patch: null, patchBytes: 0, expired: false };
  const comparison = await house().capture.readComparison(requireBodies(changeId), row, { context: 3 });
  if (comparison.kind !== 'text' || comparison.hunks.length === 0) {
    return { ...file, patch: null, patchBytes: 0, expired: false };
  }
  const patch = boundPatch(`${hunkTexts(comparison).join('\n')}\n`, house().settings.limits.patchBytes);
  return {
    ...file,
    truncated: patch?.truncated ?? true,
    patch: patch?.patch ?? null,
    patchBytes: patch?.bytes ?? 0,
    expired: false,
  };
}
