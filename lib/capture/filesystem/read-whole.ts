/** Reads a file, or the target of a link, without following anything or waiting for anybody. */
import { constants } from 'node:fs';
import { open, readlink } from 'node:fs/promises';

/** The bytes of a regular file or of a link's target; null where it is something else by now, larger, gone or unreadable. */
export async function readWhole(path: Buffer, kind: 'file' | 'symlink', maxBytes: number): Promise<Buffer | null> {
  if (kind === 'symlink') return readlink(path, 'buffer').catch(() => null);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > maxBytes) return null;
    const bytes = await handle.readFile();
    return bytes.length > maxBytes ? null : bytes;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
