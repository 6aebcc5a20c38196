/** Finds out whether two versions of a text differ in their line ends alone. */
import type { LineEndings } from './change';
import type { Hunk } from './patch';

/**
 * What changed when nothing but line ends did: null where another line changed too. `hunks` must be all hunks of the
 * comparison, and `lines` keep their carriage return. `endings` says what the unchanged lines around use when it is known.
 */
export function lineEndingChange(hunks: readonly Hunk[]): LineEndings | null {
  let lines = 0;
  const before = { crlf: 0, lf: 0 };
  const after = { crlf: 0, lf: 0 };
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
      const ends = line.text.endsWith('\r') ? 'crlf' : 'lf';
      if (line.type !== 'added') before[ends] += 1;
      if (line.type !== 'removed') after[ends] += 1;
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
  return lines === 0 ? null : { before: kindOf(before), after: kindOf(after), lines };
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

function kindOf({ crlf, lf }: { crlf: number; lf: number }): 'lf' | 'crlf' | 'mixed' {
  if (crlf > 0 && lf > 0) return 'mixed';
  return crlf > 0 ? 'crlf' : 'lf';
}
