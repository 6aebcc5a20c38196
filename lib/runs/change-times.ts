/** Asks the disk when files last changed, to tell a save between two tool calls from the work of a call. */
import { lstat } from 'node:fs/promises';
import { readPath } from '@/lib/domain/workspace';

/** Files asked about at most; past it a change counts for every call of its interval. */
const MOST_FILES = 2000;
/** Questions under way at once: the thread pool has four threads, and others need them too. */
const AT_ONCE = 16;

/**
 * When each row's file last changed by the disk's own clock (ctime, which no program can set back), ms.
 * Null where the file is gone or there are too many to ask about.
 */
export async function changeTimes(
  root: string,
  rows: { path: string; pathQuoted: boolean }[],
): Promise<Map<string, number | null>> {
  const times = new Map<string, number | null>(rows.map((row) => [row.path, null]));
  const asked = rows.slice(0, MOST_FILES);
  for (let start = 0; start < asked.length; start += AT_ONCE) {
    await Promise.all(
      asked.slice(start, start + AT_ONCE).map(async (row) => {
        const stat = await lstat(absolutePathOf(root, row)).catch(() => null);
        times.set(row.path, stat?.ctimeMs ?? null);
      }),
    );
  }
  return times;
}

/** The absolute path of a row, as bytes where its name is not text. */
export function absolutePathOf(root: string, row: { path: string; pathQuoted: boolean }): string | Buffer {
  const bytes = Buffer.from(readPath({ path: row.path, quoted: row.pathQuoted }));
  if (bytes[0] === 0x2f) return row.pathQuoted ? bytes : row.path;
  return row.pathQuoted ? Buffer.concat([Buffer.from(`${root}/`), bytes]) : `${root}/${row.path}`;
}
