/** Which characters of a removed line and of the added line beside it differ: marks inside lines, word by word. */
import { diffArrays } from 'diff';

/** A stretch of one line, in UTF-16 units. */
export interface EditRange {
  from: number;
  to: number;
}

/** Lines of one block of changes past which nothing is marked: a rewrite, in which marks say nothing. */
const BLOCK_LINES = 200;
/** Characters of a line past which nothing is marked in it. */
const LINE_LENGTH = 1024;
/** Milliseconds one block may take; past it nothing is marked. */
const BLOCK_MS = 60;
/** Share of a line that must have stayed for its marks to be worth drawing. */
const KEPT_SHARE = 0.25;

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Ranges per line of a block that replaced `removed` by `added`; empty where a line differs as a whole. */
export function markWords(
  removed: readonly string[],
  added: readonly string[],
): { removed: EditRange[][]; added: EditRange[][] } {
  const nothing = { removed: removed.map(() => []), added: added.map(() => []) };
  if (removed.length === 0 || added.length === 0 || removed.length + added.length > BLOCK_LINES) return nothing;
  if ([...removed, ...added].some((line) => line.length > LINE_LENGTH)) return nothing;
  const parts = diffArrays(words(removed), words(added), { timeout: BLOCK_MS });
  if (parts === undefined) return nothing;
  const marks = { removed: new LineMarks(removed), added: new LineMarks(added) };
  for (const { value, removed: isRemoved, added: isAdded } of parts) {
    const text = value.join('');
    if (!isAdded) marks.removed.walk(text, isRemoved);
    if (!isRemoved) marks.added.walk(text, isAdded);
  }
  return { removed: marks.removed.ranges(), added: marks.added.ranges() };
}

function words(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => [...(index > 0 ? ['\n'] : []), ...(line.match(WORDS) ?? [])]);
}

/** Walks along the lines of one side and notes what differs. */
class LineMarks {
  private readonly found: EditRange[][];
  private line = 0;
  private at = 0;

  constructor(private readonly lines: readonly string[]) {
    this.found = lines.map(() => []);
  }

  walk(text: string, differs: boolean): void {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) {
        this.line += 1;
        this.at = 0;
      }
      if (differs && piece !== '') this.note(this.at, this.at + piece.length);
      this.at += piece.length;
    }
  }

  private note(from: number, to: number): void {
    const ranges = this.found[this.line];
    const last = ranges?.at(-1);
    // Marks that only a blank keeps apart read as one.
    if (last && /^\s?$/.test(this.lines[this.line]!.slice(last.to, from))) last.to = to;
    else ranges?.push({ from, to });
  }

  ranges(): EditRange[][] {
    return this.found.map((ranges, index) => {
      const text = this.lines[index]!;
      const marked = ranges.reduce((sum, { from, to }) => sum + text.slice(from, to).trim().length, 0);
      const all = text.trim().length;
      return all > 0 && (all - marked) / all >= KEPT_SHARE ? ranges : onlyBlanks(ranges, text);
    });
  }
}

/** A line that differs as a whole is not marked, but for a change of nothing except blanks. */
function onlyBlanks(ranges: EditRange[], text: string): EditRange[] {
  return text !== '' && ranges.every(({ from, to }) => text.slice(from, to).trim() === '') ? ranges : [];
}
