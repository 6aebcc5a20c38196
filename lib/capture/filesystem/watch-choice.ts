/** Which ignored files are worth watching, and which of them matter most. */
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { RawPath } from '../raw-path';

/** Names of ignored files that are remembered though they are not watched: what of them turns up later is not new. */
export const MAX_UNWATCHED = 2_000;

/** `.env` files first, then other dot files, then the rest. */
export function watchRank(path: RawPath): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith('.env')) return 0;
  return name.startsWith('.') ? 1 : 2;
}

/** Orders files by how much a change to them matters. */
export function byWatchRank(a: RawPath, b: RawPath): number {
  return watchRank(a) - watchRank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether a file is worth watching: a link, or a small file without a NUL at its beginning. */
export async function isSmallText(file: Buffer, maxBytes: number): Promise<boolean> {
  const stats = await lstat(file).catch(() => null);
  if (stats?.isSymbolicLink()) return true;
  if (!stats?.isFile() || stats.size > maxBytes) return false;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return false;
  try {
    const head = Buffer.alloc(Math.min(stats.size, 8_000));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return !head.subarray(0, bytesRead).includes(0);
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
