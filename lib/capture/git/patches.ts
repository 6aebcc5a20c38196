/** Cuts git's patches of two trees apart as they stream by, and never holds more of them than is kept. */
import type { CountedDifference } from './diff-trees';

/** The patch of one row as git wrote it, or its beginning. */
export interface RowPatch {
  row: CountedDifference;
  bytes: Buffer;
  complete: boolean;
}

const FILE_START = Buffer.from('diff --git ');
const LINE_FILE_START = Buffer.from('\ndiff --git ');

/**
 * Cuts the patches of `rows`, which are all rows of two trees in git's order, out of a stream of bytes. Of one file at
 * most `maxBytes` are held; `take` gets each in turn.
 */
export function patchCutter(
  rows: readonly CountedDifference[],
  maxBytes: number,
  take: (patch: RowPatch) => void,
): { feed(chunk: Buffer): void; end(): void } {
  let next = 0;
  let row: CountedDifference | null = null;
  let pieces: Buffer[] = [];
  let held = 0;
  let seen = 0;
  /** A file that changed its kind has two parts, its deletion and its creation. */
  let partsLeft = 0;
  let rest: Buffer = Buffer.alloc(0);
  let begun = false;

  const emit = () => {
    if (row === null) return;
    const bytes = Buffer.concat(pieces);
    const patch = { row, bytes, complete: seen === bytes.length };
    row = null;
    pieces = [];
    held = 0;
    seen = 0;
    take(patch);
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
  const startFile = () => {
    if (partsLeft > 0) {
      partsLeft -= 1;
      return;
    }
    emit();
    row = rows[next] ?? null;
    next += 1;
    if (row === null) throw new Error('git made more patches than it listed files');
    partsLeft = changesKind(row) ? 1 : 0;
  };
  return {
    feed(chunk) {
      let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      rest = Buffer.alloc(0);
      if (!begun) {
        if (data.length < FILE_START.length) {
          rest = data;
          return;
        }
        begun = true;
        startFile();
      }
      for (;;) {
        const at = data.indexOf(LINE_FILE_START);
        if (at < 0) break;
        hold(data.subarray(0, at + 1));
        startFile();
        hold(data.subarray(at + 1, at + LINE_FILE_START.length));
        data = data.subarray(at + LINE_FILE_START.length);
      }
      // The start of the next file may be cut in two.
      const tail = Math.min(LINE_FILE_START.length - 1, data.length);
      hold(data.subarray(0, data.length - tail));
      rest = Buffer.from(data.subarray(data.length - tail));
    },
    end() {
      hold(rest);
      emit();
    },
  };
}

function changesKind(row: CountedDifference): boolean {
  return row.before !== null && row.after !== null && kindBits(row.before.mode) !== kindBits(row.after.mode);
}

const kindBits = (mode: string) => mode.slice(0, 3);
