/**
 * Cuts the lines of a patch into groups of rows small enough to be mounted one by one.
 * A group never ends inside a block of changes that fits into one, so that what was replaced stands with what
 * replaced it; in the split view it never ends between the two halves of one row.
 */
import { ADDED, CONTEXT, type LineRange, type PatchLines, REMOVED } from './patch-lines';

export type ViewType = 'unified' | 'split';

/** Rows after which a group is closed at the next place where it may be. */
const ROWS_WANTED = 100;
/** The same for the first group: about what fits into a window, since a reader waits for it. */
const FIRST_ROWS_WANTED = 50;
/** Rows of a block of changes that is kept in one piece; a longer one is cut. */
const BLOCK_KEPT = 100;

/** What stands between two pieces of a file: lines that are not shown. */
export interface Separator {
  /** The hunk before it, or -1 at the top. */
  before: number;
  /** The hunk after it, or the number of hunks at the bottom. */
  after: number;
  /** Lines hidden here; null where the patch cannot tell (below its last hunk). */
  hidden: number | null;
}

/** Lines of one hunk that stand in one group, in the order in which they are drawn. */
export interface Segment {
  hunk: number;
  /** Ranges of `order`. */
  from: number;
  to: number;
  /** Drawn above it. */
  separator: Separator | null;
}

export interface Group {
  segments: Segment[];
  /** Rows of lines, for the height of its place. */
  rows: number;
  /** Drawn below its last row. */
  closing: Separator | null;
  /** Index of its first and one past its last line, in drawing order. */
  first: number;
  last: number;
}

export interface Grouping {
  view: ViewType;
  /** Line indices in drawing order: the lines' own for the unified view, paired for the split one. */
  order: Int32Array;
  groups: Group[];
  /** All rows of lines. */
  rows: number;
}

/** Unchanged lines that a patch shows below its last change, where the file has them. */
const TRAILING_CONTEXT = 3;

/** Lines between the end of one range and the beginning of the next, or null where the patch cannot tell. */
function hiddenBetween(lines: PatchLines, before: LineRange | undefined, after: LineRange | undefined): number | null {
  if (after === undefined) {
    if (lines.whole) return lines.texts.length - (before?.to ?? 0);
    return before === undefined || endsEarly(lines, before) ? 0 : null;
  }
  if (lines.whole) return after.from - (before?.to ?? 0);
  for (const numbers of [lines.newNumbers, lines.oldNumbers]) {
    const end = before === undefined ? 0 : numberAtEnd(numbers, before);
    const start = numberAtStart(numbers, after);
    if (end !== null && start !== null) return Math.max(0, start - end - 1);
  }
  return null;
}

/** Whether a hunk ends before it has all its context: there the file ends. */
function endsEarly({ types }: PatchLines, { from, to }: LineRange): boolean {
  for (let at = to - 1; at >= to - TRAILING_CONTEXT; at -= 1) if (at < from || types[at] !== CONTEXT) return true;
  return false;
}

function numberAtEnd(numbers: Int32Array, { from, to }: LineRange): number | null {
  for (let at = to - 1; at >= from; at -= 1) if (numbers[at] !== 0) return numbers[at]!;
  return null;
}

function numberAtStart(numbers: Int32Array, { from, to }: LineRange): number | null {
  for (let at = from; at < to; at += 1) if (numbers[at] !== 0) return numbers[at]!;
  return null;
}

/** Packs the hunks of `lines` into groups for one view. `oneSided` files (added, deleted) hide nothing. */
export function groupLines(lines: PatchLines, view: ViewType, oneSided: boolean): Grouping {
  const { hunks } = lines;
  const order = new Int32Array(hunks.reduce((sum, { from, to }) => sum + to - from, 0));
  const groups: Group[] = [];
  let at = 0;
  let rowsOfAll = 0;

  const separatorBefore = (hunk: number): Separator | null => {
    const hidden = oneSided ? 0 : hiddenBetween(lines, hunks[hunk - 1], hunks[hunk]);
    return hidden === 0 ? null : { before: hunk - 1, after: hunk, hidden };
  };
  const add = (hunk: number, startsHunk: boolean, from: number, to: number, rows: number) => {
    let group = groups.at(-1);
    const wanted = groups.length === 1 ? FIRST_ROWS_WANTED : ROWS_WANTED;
    if (!group || group.rows >= wanted || group.rows + rows > wanted * 1.5) {
      group = { segments: [], rows: 0, closing: null, first: from, last: to };
      groups.push(group);
    }
    const previous = group.segments.at(-1);
    if (previous?.hunk === hunk) previous.to = to;
    else group.segments.push({ hunk, from, to, separator: startsHunk ? separatorBefore(hunk) : null });
    group.rows += rows;
    group.last = to;
    rowsOfAll += rows;
  };

  for (const [index, hunk] of hunks.entries()) {
    const startOfHunk = at;
    for (let line = hunk.from; line < hunk.to; ) {
      const [end, removed, added] = blockEnd(lines, line, hunk.to);
      const start = at;
      const paired = view === 'split' && removed > 0 && added > 0;
      at = paired ? inPairs(order, at, line, removed, added) : inOrder(order, at, line, end);
      const rows = paired ? Math.max(removed, added) : end - line;
      if (removed + added > 0 && rows <= BLOCK_KEPT) add(index, start === startOfHunk, start, at, rows);
      else {
        cutEvenly(start, at, rows, paired ? Math.min(removed, added) : 0, (from, to, count) =>
          add(index, from === startOfHunk, from, to, count),
        );
      }
      line = end;
    }
  }
  const last = groups.at(-1);
  if (last && !oneSided) {
    const hidden = hiddenBetween(lines, hunks.at(-1), undefined);
    if (hidden !== 0) last.closing = { before: hunks.length - 1, after: hunks.length, hidden };
  }
  return { view, order, groups, rows: rowsOfAll };
}

/** The end of the run of lines that begins at `line`: of context, or of removed lines and the added ones after them. */
function blockEnd({ types }: PatchLines, line: number, limit: number): [end: number, removed: number, added: number] {
  let at = line;
  if (types[line] === CONTEXT) {
    while (at < limit && types[at] === CONTEXT) at += 1;
    return [at, 0, 0];
  }
  while (at < limit && types[at] === REMOVED) at += 1;
  const removed = at - line;
  while (at < limit && types[at] === ADDED) at += 1;
  return [at, removed, at - line - removed];
}

function inOrder(order: Int32Array, at: number, from: number, to: number): number {
  for (let line = from; line < to; line += 1) order[at++] = line;
  return at;
}

/** Removed and added lines in turn, so that the split view puts them side by side. */
function inPairs(order: Int32Array, start: number, line: number, removed: number, added: number): number {
  let at = start;
  for (let pair = 0; pair < Math.max(removed, added); pair += 1) {
    if (pair < removed) order[at++] = line + pair;
    if (pair < added) order[at++] = line + removed + pair;
  }
  return at;
}

/** Hands out pieces of at most `ROWS_WANTED` rows; the first `paired` rows hold two lines each. */
function cutEvenly(
  from: number,
  to: number,
  rows: number,
  paired: number,
  piece: (from: number, to: number, rows: number) => void,
): void {
  let at = from;
  for (let row = 0; row < rows; row += ROWS_WANTED) {
    const count = Math.min(ROWS_WANTED, rows - row);
    const pairs = Math.max(0, Math.min(count, paired - row));
    const end = row + count === rows ? to : at + count + pairs;
    piece(at, end, count);
    at = end;
  }
}

/** The group that draws a line, by the line's index. */
export function groupOfLine({ order, groups }: Grouping, line: number): number {
  return groups.findIndex(({ first, last }) => {
    for (let at = first; at < last; at += 1) if (order[at] === line) return true;
    return false;
  });
}
