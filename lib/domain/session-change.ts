/** What a session changed from its first state to its last: the rows of its runs joined, path by path. */
import type { ChangedFile, ContentRef, EntryKind, Origin } from './change';
import { comparePaths } from './workspace';

/** A row of a run with where both of its sides are kept. */
export type KeptRow = ChangedFile & { contentBefore: ContentRef | null; contentAfter: ContentRef | null };

/** What stood at a path at one instant. */
interface Side {
  kind: EntryKind | null;
  mode: string | null;
  size: number | null;
  content: ContentRef | null;
  /** There is content, and nobody read it. */
  unread: boolean;
  binary: boolean;
}

interface Track {
  path: string;
  first: Side;
  last: Side;
  /** Rows that told of it, in order. */
  rows: KeptRow[];
}

/** One path of the joined change: where nothing but one run touched it, that run's own row says all of it. */
export interface SessionRow {
  row: KeptRow;
  /** Its counts are a run's own; else the two sides must be compared. */
  isCounted: boolean;
}

const ABSENT: Side = { kind: null, mode: null, size: null, content: null, unread: false, binary: false };

/**
 * Joins the rows of a session's runs, oldest run first. Paths that ended as they began are left out, whatever happened
 * in between. A file that is elsewhere at the end with the same content was renamed. What came with git alone stays out.
 */
export function joinRuns(runs: readonly (readonly KeptRow[])[]): SessionRow[] {
  const tracks = new Map<string, Track>();
  for (const rows of runs) {
    for (const row of rows) {
      if (row.oldPath !== null) follow(tracks, row.oldPath, row, before(row), ABSENT);
      const began = row.oldPath === null ? before(row) : ABSENT;
      follow(tracks, row.path, row, began, after(row));
    }
  }
  const changed = [...tracks.values()].filter(
    ({ first, last, rows }) => !isSame(first, last) && rows.some(({ origin }) => origin !== 'git'),
  );
  return paired(changed).sort((a, b) => comparePaths(a.row.path, b.row.path));
}

function follow(tracks: Map<string, Track>, path: string, row: KeptRow, first: Side, last: Side): void {
  const track = tracks.get(path);
  if (!track) {
    tracks.set(path, { path, first, last, rows: [row] });
    return;
  }
  track.last = last;
  track.rows.push(row);
}

function before(row: KeptRow): Side {
  const { kindBefore: kind, modeBefore: mode, sizeBefore: size, contentBefore: content } = row;
  return { kind, mode, size, content, unread: kind !== null && content === null, binary: row.binary };
}

function after(row: KeptRow): Side {
  const { kindAfter: kind, modeAfter: mode, sizeAfter: size, contentAfter: content } = row;
  return { kind, mode, size, content, unread: kind !== null && content === null, binary: row.binary };
}

/** Unknown is not unchanged: a side that nobody read is never the same as another. */
function isSame(a: Side, b: Side): boolean {
  if (a.kind === null && b.kind === null) return true;
  return a.kind === b.kind && a.mode === b.mode && a.content !== null && a.content === b.content;
}

/** Rows of tracks; a path that went and one that came with the same content are one row. */
function paired(tracks: Track[]): SessionRow[] {
  const gone = tracks.filter(({ first, last }) => first.content !== null && last.kind === null);
  const came = tracks.filter(({ first, last }) => first.kind === null && last.content !== null);
  const taken = new Set<Track>();
  const rows: SessionRow[] = [];
  // A rename with edits that nothing else touched: the run saw that it is one file.
  for (const target of came) {
    const [only, ...others] = target.rows;
    const source = gone.find(({ rows: [row, ...rest] }) => row === only && rest.length === 0);
    if (!only || !source || others.length > 0) continue;
    taken.add(source).add(target);
    rows.push({ row: only, isCounted: true });
  }
  for (const target of came) {
    if (taken.has(target)) continue;
    const source = gone.find(
      (track) =>
        !taken.has(track) && track.first.content === target.last.content && track.first.kind === target.last.kind,
    );
    if (!source) continue;
    taken.add(source).add(target);
    rows.push({ row: joinedRow(target, source), isCounted: true });
  }
  for (const track of tracks) {
    if (taken.has(track)) continue;
    const [only, ...others] = track.rows;
    const isOwn = only && others.length === 0 && only.path === track.path && only.oldPath === null;
    rows.push(isOwn ? { row: only, isCounted: true } : { row: joinedRow(track, null), isCounted: false });
  }
  return rows;
}

function joinedRow(track: Track, source: Track | null): KeptRow {
  const newest = track.rows.at(-1) as KeptRow;
  const rows = source ? [...source.rows, ...track.rows] : track.rows;
  const first = source ? source.first : track.first;
  const { last } = track;
  const facts = {
    id: newest.id,
    path: track.path,
    pathQuoted: newest.path === track.path ? newest.pathQuoted : track.path.startsWith('"'),
    displayPath: newest.path === track.path ? newest.displayPath : track.path,
    additions: 0,
    deletions: 0,
    binary: (first.kind !== null && first.binary) || (last.kind !== null && last.binary),
    truncated: false,
    oversized: first.unread || last.unread,
    sizeBefore: first.size,
    sizeAfter: last.size,
    modeBefore: first.mode,
    modeAfter: last.mode,
    kindBefore: first.kind,
    kindAfter: last.kind,
    lineEndings: null,
    ignored: rows.every(({ ignored }) => ignored),
    evidence: [...new Set(rows.flatMap(({ evidence }) => evidence))],
    origin: strongest(rows),
    toolCallIds: [],
    contentBefore: first.content,
    contentAfter: last.content,
  };
  if (source) return { ...facts, changeType: 'renamed', oldPath: source.path };
  const changeType = first.kind === null ? 'added' : last.kind === null ? 'deleted' : 'modified';
  return { ...facts, changeType, oldPath: null };
}

const STRENGTH: Origin[] = ['tool', 'command', 'other', 'git'];

function strongest(rows: KeptRow[]): Origin {
  return STRENGTH.find((origin) => rows.some((row) => row.origin === origin)) ?? 'other';
}
