/**
 * What one tool call did to the files it named, as the JSON that is stored with the call (seed 004): one entry per
 * changed site with three lines around, so that its card is drawn again without any I/O.
 */
import type { ChangeType } from './change';
import type { Json } from './conversation';
import { diffLines, linesOf } from './line-diff';
import type { Hunk, HunkLine } from './patch';
import type { DiffKind } from './tool-meta';
import { parseUnifiedPatch } from './unified-patch';

/** Unchanged lines around each changed site. They are not counted as changes. */
const CONTEXT_LINES = 3;
/** Bytes of all sites of one call that are stored; past it the rest is counted in `diff_stat.omitted`. */
export const MAX_DIFFS_BYTES = 512 * 1024;

/** One side of a file around a call. */
export type FileSide =
  | { state: 'absent' }
  | { state: 'text'; text: string }
  /** There, but no text: bytes that are not UTF-8, or a NUL. */
  | { state: 'binary'; size: number }
  /** There, but larger than what is compared. */
  | { state: 'oversized'; size: number }
  | { state: 'symlink'; target: string }
  /** Nobody could read it. */
  | { state: 'unknown' };

/** A file that a call touched: both of its sides, or where only a comparison was made, its row. */
export type TouchedFile = {
  /** As the card shows it. */
  path: string;
} & ({ before: FileSide; after: FileSide } | { row: ComparedRow });

/** What a comparison of two looks says of one file. */
export interface ComparedRow {
  changeType: ChangeType;
  binary: boolean;
  oversized: boolean;
  /** Unified, with three lines around each site. */
  patch: string | null;
  /** Lines of the whole comparison; a patch may be cut. */
  additions: number;
  deletions: number;
  sizeBefore: number | null;
  sizeAfter: number | null;
}

export interface AppliedHunksOptions {
  /** Milliseconds one comparison may take; past it one whole-file hunk, `coarse`. */
  lineDiffMs: number;
  maxBytes?: number;
}

type TwoSided = Extract<TouchedFile, { before: FileSide }>;

/** What has no lines that could be counted: the counts are those of the other files. */
const WITHOUT_LINES: ReadonlySet<DiffKind> = new Set(['binary', 'symlink']);
/** What has lines that nobody counted: then there are no counts at all, since a part of them would look like the whole. */
const NOT_COUNTED: ReadonlySet<DiffKind> = new Set(['oversized', 'unknown']);

interface Site {
  path: string;
  kind: DiffKind;
  oldText: string | null;
  newText: string | null;
  hunks: Hunk[];
  coarse: boolean;
  sizeBefore: number | null;
  sizeAfter: number | null;
}

/**
 * The fields that go into the call's `meta`: `diffs` as CONTRACT names it, and `diff_stat`, which lists keep when they
 * leave the hunks out; it is missing where the lines are not known, since zero is a claim. Null where the call touched
 * nothing that a card could show. For calls that succeeded; a failed one shows its error.
 */
export function appliedHunks(
  files: readonly TouchedFile[],
  { lineDiffMs, maxBytes = MAX_DIFFS_BYTES }: AppliedHunksOptions,
): { [key: string]: Json } | null {
  const sites: Site[] = [];
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    const own = 'row' in file ? sitesOfRow(file.path, file.row) : sitesOf(file, lineDiffMs);
    const counts = 'row' in file ? file.row : countsOf(own);
    additions += counts.additions;
    deletions += counts.deletions;
    sites.push(...own);
  }
  if (sites.length === 0) return null;
  const diffs: Json[] = [];
  let bytes = 0;
  let omitted = 0;
  for (const site of sites) {
    // Half of it is enough to know that the rest does not fit; a giant is not written out to be measured.
    const size = sizeOf(site);
    if (bytes + size > maxBytes) {
      omitted += 1;
      continue;
    }
    bytes += size;
    diffs.push(toJson(site));
  }
  const isCounted =
    !sites.some(({ kind }) => NOT_COUNTED.has(kind)) && sites.some(({ kind }) => !WITHOUT_LINES.has(kind));
  if (!isCounted) return { diffs };
  return { diffs, diff_stat: { files: new Set(sites.map(({ path }) => path)).size, additions, deletions, omitted } };
}

function countsOf(sites: Site[]): { additions: number; deletions: number } {
  const lines = sites.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  return {
    additions: lines.filter(({ type }) => type === 'added').length,
    deletions: lines.filter(({ type }) => type === 'removed').length,
  };
}

function sitesOf({ path, before, after }: TwoSided, timeoutMs: number): Site[] {
  if (before.state === 'absent' && after.state === 'absent') return [];
  const site = (kind: DiffKind, fields: Partial<Site> = {}): Site => ({
    path,
    kind,
    oldText: null,
    newText: null,
    hunks: [],
    coarse: false,
    sizeBefore: sizeOfSide(before),
    sizeAfter: sizeOfSide(after),
    ...fields,
  });
  const states = [before.state, after.state];
  if (states.includes('unknown')) return [site('unknown')];
  if (before.state === 'symlink' || after.state === 'symlink') {
    const same = before.state === after.state && targetOf(before) === targetOf(after);
    return same ? [] : [site('symlink', { oldText: targetOf(before), newText: targetOf(after) })];
  }
  if (states.includes('oversized')) return [site('oversized')];
  if (states.includes('binary')) return [site('binary')];
  const [oldText, newText] = [textOf(before), textOf(after)];
  if (oldText === null) return [site('created', whole('added', newText ?? ''))];
  if (newText === null) return [site('deleted', whole('removed', oldText))];
  // An overwrite with the same content is told whole, as what it is: the same on both sides.
  if (oldText === newText) return [site('unchanged', { oldText, newText })];
  const { hunks, coarse, noNewlineBefore, noNewlineAfter } = diffLines(oldText, newText, {
    context: CONTEXT_LINES,
    timeoutMs,
  });
  return hunks.map((hunk, at) => {
    const isLast = at === hunks.length - 1;
    return site('modified', {
      oldText: sideText(hunk, 'added', isLast && noNewlineBefore),
      newText: sideText(hunk, 'removed', isLast && noNewlineAfter),
      hunks: [hunk],
      coarse,
    });
  });
}

/** The same told by a patch that somebody else made. */
function sitesOfRow(path: string, row: ComparedRow): Site[] {
  const { sizeBefore, sizeAfter } = row;
  const site = (kind: DiffKind, fields: Partial<Site> = {}): Site => ({
    ...{ path, kind, oldText: null, newText: null, hunks: [], coarse: false, sizeBefore, sizeAfter },
    ...fields,
  });
  if (row.binary) return [site('binary')];
  if (row.oversized) return [site('oversized')];
  if (row.patch === null) return [];
  const { hunks, noNewlineBefore, noNewlineAfter } = parseUnifiedPatch(row.patch);
  return hunks.map((hunk, at) => {
    const isLast = at === hunks.length - 1;
    const [oldText, newText] = [
      sideText(hunk, 'added', isLast && noNewlineBefore),
      sideText(hunk, 'removed', isLast && noNewlineAfter),
    ];
    if (row.changeType === 'added') return site('created', { newText, hunks: [hunk] });
    if (row.changeType === 'deleted') return site('deleted', { oldText, hunks: [hunk] });
    return site('modified', { oldText, newText, hunks: [hunk] });
  });
}

/** A file that appeared or went: one hunk that is all of it. */
function whole(type: 'added' | 'removed', text: string): Partial<Site> {
  const lines = linesOf(text).map((line): HunkLine => ({ type, text: line }));
  const span = { start: lines.length === 0 ? 0 : 1, lines: lines.length };
  const none = { start: 0, lines: 0 };
  const [old, fresh] = type === 'added' ? [none, span] : [span, none];
  return {
    oldText: type === 'added' ? null : text,
    newText: type === 'added' ? text : null,
    hunks:
      lines.length === 0
        ? []
        : [{ oldStart: old.start, oldLines: old.lines, newStart: fresh.start, newLines: fresh.lines, lines }],
  };
}

/** The hunk as one side has it: without the lines of the other; the last line of a file may have no end. */
function sideText(hunk: Hunk, other: 'added' | 'removed', isOpenEnded: boolean): string {
  const lines = hunk.lines.flatMap(({ type, text }) => (type === other ? [] : [text]));
  return lines.join('\n') + (lines.length === 0 || isOpenEnded ? '' : '\n');
}

function toJson({ path, kind, oldText, newText, hunks, coarse, sizeBefore, sizeAfter }: Site): Json {
  return {
    path,
    kind,
    old_text: oldText,
    new_text: newText,
    hunks: hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      old_start: oldStart,
      old_lines: oldLines,
      new_start: newStart,
      new_lines: newLines,
      lines: lines.map(({ type, text }) => ({ type, text })),
    })),
    coarse,
    size_before: sizeBefore,
    size_after: sizeAfter,
  };
}

/** About how many bytes of JSON a site becomes: both texts, and every line once more. */
function sizeOf({ path, oldText, newText, hunks }: Site): number {
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.reduce((all, { text }) => all + text.length + 36, 0), 0);
  return 200 + path.length + (oldText?.length ?? 0) + (newText?.length ?? 0) + lines;
}

function sizeOfSide(side: FileSide): number | null {
  switch (side.state) {
    case 'binary':
    case 'oversized':
      return side.size;
    default:
      return null;
  }
}

function textOf(side: FileSide): string | null {
  return side.state === 'text' ? side.text : null;
}

function targetOf(side: FileSide): string | null {
  return side.state === 'symlink' ? side.target : null;
}
