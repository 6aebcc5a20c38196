/** Compares the entries of the user's index with those of the private one, without making a string of each. */
import { createHash } from 'node:crypto';
import { type RawPath, rawFromBytes } from '../raw-path';
import type { Git } from './git-command';
import { type PrivateGitDir, zeroId } from './private-git-dir';

/** Bytes of one listing: ten million names. */
const LISTING_BYTES = 1024 * 1024 * 1024;
/** Bytes that are compared at once while both listings are alike. */
const STRIDE = 64 * 1024;
/** Names that are compared before the event loop gets its turn. */
const TURN = 20_000;

export interface IndexComparison {
  /** In the user's index alone. */
  onlyTheirs: RawPath[];
  /** In the private index alone. */
  onlyOurs: RawPath[];
  /** Entries of the private index whose object the user's index does not name at that path, by path. */
  ownObjects: Map<RawPath, string>;
  /** The user said that these need not be there (sparse checkout), and here they are looked for. */
  skipped: Set<RawPath>;
}

export interface ComparedIndexes {
  /** Names what the user's index lists: equal listings have equal names. */
  theirs: string;
  /** Null where theirs lists what `known` names, and ours was not looked at. */
  comparison: IndexComparison | null;
}

/** Compares, unless the user's index still lists what `known` names. */
export async function compareIndexes(
  git: Git,
  store: PrivateGitDir,
  usersIndex: string,
  known: string | null,
): Promise<ComparedIndexes> {
  const args = ['ls-files', '-z', '-t', '-s'];
  const listOurs = () => git.run({ gitDir: store.dir, workTree: store.top, args, maxOutputBytes: LISTING_BYTES });
  const ours = known === null ? listOurs() : null;
  ours?.catch(() => {});
  const hash = createHash('sha1');
  const chunks: Buffer[] = [];
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args,
    indexFile: usersIndex,
    onlyOwn: true,
    onOutput: (chunk) => {
      hash.update(chunk);
      chunks.push(chunk);
      return undefined;
    },
  });
  const theirs = hash.digest('hex');
  if (theirs === known) return { theirs, comparison: null };
  const { stdout } = await (ours ?? listOurs());
  const comparison = await compareListings(Buffer.concat(chunks), stdout, zeroId(store).length);
  return { theirs, comparison };
}

/** Where the id begins in `<tag> <mode> <id> <stage>TAB<path>NUL`. */
const ID_AT = 'H 100644 '.length;

/**
 * Compares two sorted listings of `<tag> <mode> <id> <stage>TAB<path>NUL`, ids being `idLength` long. A path that stands
 * in a listing several times counts once.
 */
async function compareListings(theirs: Buffer, ours: Buffer, idLength: number): Promise<IndexComparison> {
  const result: IndexComparison = { onlyTheirs: [], onlyOurs: [], ownObjects: new Map(), skipped: new Set() };
  const pathAt = ID_AT + idLength + ' 0 '.length;
  let their = 0;
  let our = 0;
  let steps = 0;
  while (their < theirs.length || our < ours.length) {
    const alike = their < theirs.length && our < ours.length ? commonStretch(theirs, their, ours, our) : 0;
    if (alike > 0) {
      their += alike;
      our += alike;
    } else {
      const theirEnd = theirs.indexOf(0, their);
      const ourEnd = ours.indexOf(0, our);
      const order =
        their >= theirs.length
          ? 1
          : our >= ours.length
            ? -1
            : theirs.compare(ours, our + pathAt, ourEnd, their + pathAt, theirEnd);
      const skips = theirs[their] === LETTER_S;
      if (order <= 0) {
        const path = rawFromBytes(theirs.subarray(their + pathAt, theirEnd));
        if (order < 0 && !skips) result.onlyTheirs.push(path);
        if (order === 0 && skips && ours[our] !== LETTER_S) result.skipped.add(path);
        if (order === 0 && ours.compare(theirs, their + ID_AT, their + pathAt, our + ID_AT, our + pathAt) !== 0) {
          result.ownObjects.set(path, ours.toString('latin1', our + ID_AT, our + ID_AT + idLength));
        }
        their = afterPath(theirs, their, theirEnd, pathAt);
      }
      if (order >= 0) {
        const path = rawFromBytes(ours.subarray(our + pathAt, ourEnd));
        if (order > 0) {
          result.onlyOurs.push(path);
          result.ownObjects.set(path, ours.toString('latin1', our + ID_AT, our + ID_AT + idLength));
        }
        our = afterPath(ours, our, ourEnd, pathAt);
      }
    }
    steps += 1;
    if (steps % TURN === 0) await new Promise(setImmediate);
  }
  return result;
}

const LETTER_S = 0x53;

/** The length, in whole records, of the stretch in which both are the same from here; 0 when it is not worth a look. */
function commonStretch(a: Buffer, atA: number, b: Buffer, atB: number): number {
  const length = Math.min(STRIDE, a.length - atA, b.length - atB);
  if (a.compare(b, atB, atB + length, atA, atA + length) !== 0) return 0;
  return a.lastIndexOf(0, atA + length - 1) + 1 - atA;
}

/** Where the next other path begins: an unmerged one stands there once a stage. */
function afterPath(listing: Buffer, at: number, end: number, pathAt: number): number {
  const length = end - at;
  let next = end + 1;
  while (
    next + length < listing.length &&
    listing[next + length] === 0 &&
    listing.compare(listing, at + pathAt, end, next + pathAt, next + length) === 0
  ) {
    next += length + 1;
  }
  return next;
}
