/** The stat-based identity of a file too large to be read whole, and the rule by which two of them are the same content. */
import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path';
import { inParallel } from './stat-files';

/** Bytes read at each end of a large file. */
const END_BYTES = 64 * 1024;

export interface Fingerprint {
  size: number;
  /** As git writes it: `100644` or `100755`. */
  mode: string;
  mtimeNs: string;
  ctimeNs: string;
  inode: string;
  /** SHA-256 of the first and last 64 KiB. */
  ends: string;
  /** Names one content: equal versions were judged the same when the later one was taken. */
  version: string;
}

/**
 * Takes the fingerprint of a regular file. `earlier` is the one taken last: where that is judged the same content, its
 * version is kept. Returns null where the file is gone, is no regular file or cannot be read.
 */
export async function takeFingerprint(
  file: Buffer | string,
  earlier: Fingerprint | undefined,
): Promise<Fingerprint | null> {
  const before = await lstat(file, { bigint: true }).catch(() => null);
  if (!before?.isFile()) return null;
  if (earlier && isFingerprintOf(before, earlier)) return earlier;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) return null;
    const fingerprint: Fingerprint = {
      size: Number(stats.size),
      mode: stats.mode & 0o100n ? '100755' : '100644',
      mtimeNs: String(stats.mtimeNs),
      ctimeNs: String(stats.ctimeNs),
      inode: String(stats.ino),
      ends: await hashEnds(handle, Number(stats.size)),
      version: randomBytes(9).toString('base64url'),
    };
    // `touch` sets both times to one instant; a write leaves the access time alone.
    const touched = before.atimeNs === before.mtimeNs;
    const same = earlier && sameContent(earlier, fingerprint, touched);
    return same ? { ...fingerprint, version: earlier.version } : fingerprint;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/**
 * Whether two fingerprints are of one content. Times that differ tell of a write unless something else explains them:
 * a mere `touch` (`touched`) moves the modification time, a change of mode only the other one. A modification time that
 * stands while the other moved is what an edit with a restored time looks like.
 */
export function sameContent(a: Fingerprint, b: Fingerprint, touched = false): boolean {
  if (a.version === b.version) return true;
  if (a.size !== b.size || a.ends !== b.ends) return false;
  // What fits into the two ends was read whole.
  if (a.size <= 2 * END_BYTES) return true;
  if (a.inode !== b.inode) return false;
  if (a.mtimeNs === b.mtimeNs) return a.ctimeNs === b.ctimeNs || a.mode !== b.mode;
  return touched;
}

/** Whether a file at another path is the same one, moved there: a move leaves inode, size and modification time alone. */
export function isMoved(a: Fingerprint, b: Fingerprint): boolean {
  return a.inode === b.inode && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ends === b.ends;
}

/** Whether a file is by its stat what a fingerprint was taken of. */
export function isFingerprintOf(stats: BigIntStats, known: Fingerprint): boolean {
  return (
    Number(stats.size) === known.size &&
    String(stats.mtimeNs) === known.mtimeNs &&
    String(stats.ctimeNs) === known.ctimeNs &&
    String(stats.ino) === known.inode
  );
}

async function hashEnds(handle: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(END_BYTES, Math.max(size, 1)));
  const head = await handle.read(buffer, 0, buffer.length, 0);
  hash.update(buffer.subarray(0, head.bytesRead));
  if (size > END_BYTES) {
    const tail = await handle.read(buffer, 0, buffer.length, Math.max(END_BYTES, size - END_BYTES));
    hash.update(buffer.subarray(0, tail.bytesRead));
  }
  return hash.digest('hex');
}

/** Takes the fingerprints of files below `root`; those that are gone or cannot be read are missing from the result. */
export async function takeFingerprints(
  root: string,
  paths: readonly RawPath[],
  earlier: ReadonlyMap<RawPath, Fingerprint>,
): Promise<Map<RawPath, Fingerprint>> {
  const taken = new Map<RawPath, Fingerprint>();
  await inParallel(paths.length, (index, done) => {
    const path = paths[index] as RawPath;
    takeFingerprint(onDisk(root, path), earlier.get(path))
      .then((fingerprint) => {
        if (fingerprint) taken.set(path, fingerprint);
      })
      .finally(done)
      .catch(() => {});
  });
  return taken;
}
