/** Finds out whether two versions of a text differ in their line ends alone, and which ends a text has. */
import type { LineEndings } from './change';
import type { Hunk } from './patch';

/**
 * How many lines changed when nothing but line ends did: null where another line changed too. `hunks` must be all hunks
 * of the comparison, their lines with their carriage returns.
 */
export function changedLineEnds(hunks: readonly Hunk[]): number | null {
  let lines = 0;
  for (const hunk of hunks) {
    let removed: string[] = [];
    let added: string[] = [];
    const settle = (): boolean => {
      if (removed.length !== added.length) return false;
      for (const [index, line] of removed.entries()) {
        const other = added[index] as string;
        if (withoutReturn(line) !== withoutReturn(other) || line === other) return false;
        lines += 1;
      }
      removed = [];
      added = [];
      return true;
    };
    for (const line of hunk.lines) {
      if (line.type === 'removed') {
        if (added.length > 0 && !settle()) return null;
        removed.push(line.text);
      } else if (line.type === 'added') {
        added.push(line.text);
      } else if (!settle()) {
        return null;
      }
    }
    if (!settle()) return null;
  }
  return lines === 0 ? null : lines;
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Counts line ends in pieces of a text as they come. */
export class LineEndCount {
  private crlf = 0;
  private lf = 0;
  private lastWasReturn = false;

  add(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
      if (at === 0 ? this.lastWasReturn : bytes[at - 1] === 0x0d) this.crlf += 1;
      else this.lf += 1;
    }
    if (bytes.length > 0) this.lastWasReturn = bytes.at(-1) === 0x0d;
  }

  get kind(): LineEndings['before'] {
    if (this.crlf > 0 && this.lf > 0) return 'mixed';
    return this.crlf > 0 ? 'crlf' : 'lf';
  }
}
