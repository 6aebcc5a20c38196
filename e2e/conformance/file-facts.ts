/** Reads what really stands on disk at a path of any bytes: the judge of what a record says. */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { readPath } from '@/lib/domain/workspace';
import type { WireFile } from './row-text';

export type FileFacts =
  | { kind: 'absent' }
  | { kind: 'other' }
  | { kind: 'symlink'; target: Buffer }
  | { kind: 'file'; size: number; executable: boolean; read: () => Buffer };

/** What stands at `root`/`path`, links not followed. */
export function factsAt(root: string, path: Uint8Array): FileFacts {
  const full = path[0] === 47 ? Buffer.from(path) : Buffer.concat([Buffer.from(`${root}/`), path]);
  let stats: ReturnType<typeof lstatSync>;
  try {
    stats = lstatSync(full);
  } catch {
    return { kind: 'absent' };
  }
  if (stats?.isSymbolicLink()) return { kind: 'symlink', target: readlinkSync(full, 'buffer') };
  if (!stats?.isFile()) return { kind: 'other' };
  return {
    kind: 'file',
    size: Number(stats.size),
    executable: (Number(stats.mode) & 0o100) !== 0,
    read: () => readFileSync(full),
  };
}

/** Whether two places hold the same file: kind, bytes, and the x bit. */
export function sameFacts(a: FileFacts, b: FileFacts): boolean {
  if (a.kind === 'file' && b.kind === 'file') {
    return a.size === b.size && a.executable === b.executable && a.read().equals(b.read());
  }
  if (a.kind === 'symlink' && b.kind === 'symlink') return a.target.equals(b.target);
  return a.kind === b.kind;
}

/** The bytes of a row's path, and of the one before a rename. */
export function pathBytes(file: WireFile): { path: Uint8Array; oldPath: Uint8Array | null } {
  const read = (path: string) => readPath({ path, quoted: path.startsWith('"') });
  return {
    path: readPath({ path: file.path, quoted: file.path_quoted }),
    oldPath: file.old_path === null ? null : read(file.old_path),
  };
}
