/** The lines of one file's patch, flat, and the hunks as ranges of them: what every view of it is made from. */
import type { Comparison, Hunk } from '@/lib/domain/patch';

export const CONTEXT = 0;
export const ADDED = 1;
export const REMOVED = 2;

/** A range of lines that stand together, with where it begins on each side. */
export interface LineRange {
  /** First line, as an index into `texts`. */
  from: number;
  /** One past the last. */
  to: number;
  /** What git wrote behind the second `@@`: the function it stands in. */
  section: string;
}

export interface PatchLines {
  texts: readonly string[];
  /** `CONTEXT`, `ADDED` or `REMOVED` of each line. */
  types: Uint8Array;
  /** Line number on the old side, 0 where it has none. */
  oldNumbers: Int32Array;
  /** Line number on the new side, 0 where it has none. */
  newNumbers: Int32Array;
  hunks: readonly LineRange[];
  noNewlineBefore: boolean;
  noNewlineAfter: boolean;
  /** All lines end in CR LF; the CR is then left out of `texts`. Where only some do, it stays and is shown. */
  crlf: boolean;
  /** Holds every line of both sides, so that hunks may grow into it. */
  whole: boolean;
}

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?$/;

/** Lines that come one after another into flat arrays which grow as needed. */
class LineList {
  texts: string[] = [];
  private types = new Uint8Array(1024);
  private olds = new Int32Array(1024);
  private news = new Int32Array(1024);
  private carriageReturns = 0;

  push(text: string, type: number, old: number, young: number): void {
    const at = this.texts.length;
    if (at === this.types.length) {
      this.types = grown(this.types, new Uint8Array(at * 4));
      this.olds = grown(this.olds, new Int32Array(at * 4));
      this.news = grown(this.news, new Int32Array(at * 4));
    }
    this.texts.push(text);
    if (text.charCodeAt(text.length - 1) === 13) this.carriageReturns += 1;
    this.types[at] = type;
    this.olds[at] = old;
    this.news[at] = young;
  }

  finish(rest: Pick<PatchLines, 'hunks' | 'noNewlineBefore' | 'noNewlineAfter' | 'whole'>): PatchLines {
    const length = this.texts.length;
    // The last line of a side may have no line end at all.
    const without = Number(rest.noNewlineBefore) + Number(rest.noNewlineAfter);
    const crlf = this.carriageReturns > 0 && this.carriageReturns + without >= length;
    return {
      texts: crlf ? this.texts.map((text) => (text.endsWith('\r') ? text.slice(0, -1) : text)) : this.texts,
      types: this.types.subarray(0, length),
      oldNumbers: this.olds.subarray(0, length),
      newNumbers: this.news.subarray(0, length),
      crlf,
      ...rest,
    };
  }
}

function grown<Numbers extends Uint8Array | Int32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

/**
 * Reads the hunks of one file's unified diff and nothing else: names, kinds and modes come from the row, never from
 * here. How many lines a hunk has is what its header says, so that no line of content is taken for a header; what is
 * malformed ends its hunk, and nothing throws. A patch that lost the space of its blank lines, or whose line ends
 * were all made CRLF, reads the same.
 */
export function parsePatch(patch: string): PatchLines {
  const lines = new LineList();
  const hunks: LineRange[] = [];
  let hunk: LineRange | null = null;
  let [old, young, oldLeft, newLeft] = [0, 0, 0, 0];
  let [noNewlineBefore, noNewlineAfter] = [false, false];
  let lastType = -1;
  let carriageReturns = false;

  const push = (text: string, type: number) => {
    lines.push(text, type, type === ADDED ? 0 : old, type === REMOVED ? 0 : young);
    if (type !== ADDED) {
      old += 1;
      oldLeft -= 1;
    }
    if (type !== REMOVED) {
      young += 1;
      newLeft -= 1;
    }
    lastType = type;
  };
  const close = () => {
    if (hunk !== null && lines.texts.length > hunk.from) {
      hunk.to = lines.texts.length;
      hunks.push(hunk);
    }
    hunk = null;
  };

  for (let at = 0; at < patch.length; ) {
    let end = patch.indexOf('\n', at);
    if (end === -1) end = patch.length;
    const stop = carriageReturns && patch.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end;
    const mark = at === stop ? 32 : patch.charCodeAt(at);
    const inside = hunk !== null && (oldLeft > 0 || newLeft > 0);
    if (inside && mark === 32 && oldLeft > 0 && newLeft > 0) push(patch.slice(at + 1, stop), CONTEXT);
    else if (inside && mark === 43 && newLeft > 0) push(patch.slice(at + 1, stop), ADDED);
    else if (inside && mark === 45 && oldLeft > 0) push(patch.slice(at + 1, stop), REMOVED);
    else if (mark === 92) {
      if (lastType === REMOVED || lastType === CONTEXT) noNewlineBefore = true;
      if (lastType === ADDED || lastType === CONTEXT) noNewlineAfter = true;
    } else {
      close();
      lastType = -1;
      const header = mark === 64 ? HUNK_HEADER.exec(patch.slice(at, end).replace(/\r$/, '')) : null;
      if (header) {
        carriageReturns = patch.charCodeAt(end - 1) === 13;
        old = Number(header[1]);
        young = Number(header[3]);
        oldLeft = header[2] === undefined ? 1 : Number(header[2]);
        newLeft = header[4] === undefined ? 1 : Number(header[4]);
        // A side without lines is counted from the line before it.
        if (oldLeft === 0) old += 1;
        if (newLeft === 0) young += 1;
        hunk = { from: lines.texts.length, to: 0, section: header[5] ?? '' };
      }
    }
    at = end + 1;
  }
  close();
  return lines.finish({ hunks, noNewlineBefore, noNewlineAfter, whole: false });
}

/** A comparison from the server as flat lines. `whole` tells that it was asked for with all context. */
export function linesOfComparison(comparison: Extract<Comparison, { kind: 'text' }>, whole: boolean): PatchLines {
  const lines = new LineList();
  const hunks: LineRange[] = [];
  for (const hunk of comparison.hunks) {
    const from = lines.texts.length;
    pushHunk(lines, hunk);
    if (lines.texts.length > from) hunks.push({ from, to: lines.texts.length, section: '' });
  }
  const { noNewlineBefore, noNewlineAfter } = comparison;
  return lines.finish({ hunks, noNewlineBefore, noNewlineAfter, whole });
}

function pushHunk(lines: LineList, hunk: Hunk): void {
  let old = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
  let young = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
  for (const { type, text } of hunk.lines) {
    if (type === 'context') lines.push(text, CONTEXT, old++, young++);
    else if (type === 'added') lines.push(text, ADDED, 0, young++);
    else lines.push(text, REMOVED, old++, 0);
  }
}

/** Changed lines of the patch, by side. */
export function countChanged({ types, hunks }: PatchLines): { additions: number; deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const { from, to } of hunks) {
    for (let at = from; at < to; at += 1) {
      if (types[at] === ADDED) additions += 1;
      else if (types[at] === REMOVED) deletions += 1;
    }
  }
  return { additions, deletions };
}

/** The ranges within `context` lines of a change, joined where they touch: what `-U<context>` would show. */
export function rangesAroundChanges({ types }: PatchLines, context: number): LineRange[] {
  const ranges: LineRange[] = [];
  for (let at = 0; at < types.length; at += 1) {
    if (types[at] === CONTEXT) continue;
    const from = Math.max(0, at - context);
    const to = Math.min(types.length, at + 1 + context);
    const last = ranges.at(-1);
    if (last && from <= last.to) last.to = to;
    else ranges.push({ from, to, section: '' });
  }
  return ranges;
}

/** Ranges with `added` among them, in order, joined where they touch. */
export function withRange(ranges: readonly LineRange[], added: { from: number; to: number }): LineRange[] {
  const all = [...ranges.map((range) => ({ ...range })), { ...added, section: '' }].sort((a, b) => a.from - b.from);
  const joined: LineRange[] = [];
  for (const range of all) {
    const last = joined.at(-1);
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else joined.push(range);
  }
  return joined;
}
