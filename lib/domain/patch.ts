/** The body of one changed file: hunks of lines, and what stands there when there are none. */

export interface HunkLine {
  type: 'context' | 'added' | 'removed';
  text: string;
}

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: HunkLine[];
}

/** The answer to "show me the whole comparison of this file" (CONTRACT, `…/comparison`). */
export type Comparison =
  | {
      kind: 'text';
      beforePresent: boolean;
      afterPresent: boolean;
      hunks: Hunk[];
      /** A whole-file replacement because the line comparison ran out of time. */
      coarse: boolean;
      noNewlineBefore: boolean;
      noNewlineAfter: boolean;
    }
  | {
      kind: 'binary' | 'oversized';
      sizeBefore: number | null;
      sizeAfter: number | null;
      idBefore: string | null;
      idAfter: string | null;
    }
  | { kind: 'symlink'; targetBefore: string | null; targetAfter: string | null }
  | { kind: 'submodule'; idBefore: string | null; idAfter: string | null };

/** Lines added and removed, counted from hunks and never by a line's prefix: `--- sql` is a removed line. */
export function countLines(hunks: Iterable<Hunk>): { additions: number; deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const hunk of hunks) {
    for (const line of hunk.lines) {
      if (line.type === 'added') additions += 1;
      else if (line.type === 'removed') deletions += 1;
    }
  }
  return { additions, deletions };
}
