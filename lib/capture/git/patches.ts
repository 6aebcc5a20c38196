/** Reads git's patches of two trees as they stream by, one file at a time, and never more of them than is kept. */
import type { RawPath } from '../raw-path';
import { type CountedDifference, RENAME_OPTIONS } from './diff-trees';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';

/** The patch of one row as git wrote it, or its beginning. */
export interface RowPatch {
  row: CountedDifference;
  bytes: Buffer;
  complete: boolean;
}

const FILE_START = Buffer.from('diff --git ');
const LINE_FILE_START = Buffer.from('\ndiff --git ');

/** Arguments of every patch we make: the engine of the rows, whatever a configuration says. */
export const PATCH_OPTIONS = [
  'diff-tree',
  '-r',
  '-p',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  ...RENAME_OPTIONS,
];

/**
 * Streams the patches of `rows`, which are all rows of the two trees in git's order. `take` may return false when it has
 * seen enough. Of one file at most `maxBytes` are held. Rows in `leftOut` are passed over by git itself where that is possible.
 */
export async function readPatches(
  git: Git,
  store: PrivateGitDir,
  trees: { before: string; after: string },
  rows: readonly CountedDifference[],
  maxBytes: number,
  take: (patch: RowPatch) => boolean | undefined,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let next = 0;
  let row: CountedDifference | null = null;
  let pieces: Buffer[] = [];
  let held = 0;
  let seen = 0;
  /** A file that changed its kind has two parts, its deletion and its creation. */
  let partsLeft = 0;

  const emit = (): boolean | undefined => {
    if (row === null) return undefined;
    const bytes = Buffer.concat(pieces);
    const patch = { row, bytes, complete: seen === bytes.length };
    row = null;
    pieces = [];
    held = 0;
    seen = 0;
    return take(patch);
  };
  const hold = (piece: Buffer) => {
    seen += piece.length;
    const room = maxBytes - held;
    if (room <= 0 || piece.length === 0) return;
    const part = piece.length > room ? piece.subarray(0, room) : piece;
    // A copy: the chunk that it is a part of is not kept alive.
    pieces.push(Buffer.from(part));
    held += part.length;
  };
  const startFile = (): boolean | undefined => {
    if (partsLeft > 0) {
      partsLeft -= 1;
      return undefined;
    }
    const goOn = emit();
    row = rows[next] ?? null;
    next += 1;
    if (row === null) throw new Error('git made more patches than it listed files');
    partsLeft = changesKind(row) ? 1 : 0;
    return goOn;
  };

  let rest: Buffer = Buffer.alloc(0);
  let begun = false;
  const feed = (chunk: Buffer): boolean | undefined => {
    let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    rest = Buffer.alloc(0);
    if (!begun) {
      if (data.length < FILE_START.length) {
        rest = data;
        return undefined;
      }
      begun = true;
      startFile();
    }
    for (;;) {
      const at = data.indexOf(LINE_FILE_START);
      if (at < 0) break;
      hold(data.subarray(0, at + 1));
      if (startFile() === false) return false;
      hold(data.subarray(at + 1, at + LINE_FILE_START.length));
      data = data.subarray(at + LINE_FILE_START.length);
    }
    // The start of the next file may be cut in two.
    const tail = Math.min(LINE_FILE_START.length - 1, data.length);
    hold(data.subarray(0, data.length - tail));
    rest = Buffer.from(data.subarray(data.length - tail));
    return undefined;
  };
  await git.run({
    gitDir: store.dir,
    args: [...PATCH_OPTIONS, trees.before, trees.after],
    onOutput: feed,
    signal: options.signal,
  });
  hold(rest);
  emit();
}

function changesKind(row: CountedDifference): boolean {
  return row.before !== null && row.after !== null && kindBits(row.before.mode) !== kindBits(row.after.mode);
}

const kindBits = (mode: string) => mode.slice(0, 3);

/** The path of a row on its old side. */
export const pathBefore = (row: Pick<CountedDifference, 'path' | 'oldPath'>): RawPath => row.oldPath ?? row.path;
