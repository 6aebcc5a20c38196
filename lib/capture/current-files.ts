/** Says whether a file on disk still is what a row says of its end. */
import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptFile, WorkspaceLocation } from './capture';
import type { CaptureContext } from './context';
import { readWhole } from './filesystem/read-whole';
import { onDisk } from './raw-path';
import { workspaceWithin } from './take-snapshot';
import { writtenPlace } from './written-place';

export async function isCurrent(
  context: CaptureContext,
  location: WorkspaceLocation,
  file: KeptFile,
): Promise<boolean> {
  const top = location.repository ?? location.root;
  const place = writtenPlace(workspaceWithin(location), context.settings.home);
  const { path, outside } = place.locate(file);
  const onPath = outside ? onDisk('/', path) : onDisk(top, path);
  const stats = await lstat(onPath).catch(() => null);
  if (file.kindAfter === null) return stats === null;
  if (stats === null) return false;
  const [kind, key, id] = file.contentAfter?.split(':') ?? [];
  const sameMode = stats.isSymbolicLink() || (file.modeAfter === '100755') === ((stats.mode & 0o100) !== 0);
  if (kind === 'copy') {
    const bytes = await readWhole(
      onPath,
      stats.isSymbolicLink() ? 'symlink' : 'file',
      context.settings.limits.fileBytes,
    );
    return bytes !== null && sameMode && createHash('sha256').update(bytes).digest('hex') === key;
  }
  if (file.kindAfter === 'symlink') {
    if (!stats.isSymbolicLink() || kind !== 'git') return false;
    const target = await readlink(onPath, 'buffer');
    return (await hash(context, key as string, top, ['--stdin'], target)) === id;
  }
  if (!stats.isFile() || !sameMode) return false;
  // What nobody read in whole is known by its size.
  if (kind !== 'git') return file.contentAfter === null && stats.size === file.sizeAfter;
  // Most files are what they were, byte for byte: a process for each of hundreds would stop the server.
  const bytes = await readWhole(onPath, 'file', context.settings.limits.fileBytes);
  if (bytes !== null && blobId(bytes, id) === id) return true;
  const text = onPath.toString();
  if (!Buffer.from(text).equals(onPath)) return false;
  const args = outside ? ['--no-filters', '--', text] : ['--', text];
  return (await hash(context, key as string, top, args, undefined).catch(() => null)) === id;
}

/** The id that git gives these bytes as they are, in the object format of `like`. */
function blobId(bytes: Uint8Array, like: string | undefined): string {
  return createHash(like?.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

async function hash(
  context: CaptureContext,
  key: string,
  top: string,
  args: string[],
  input: Buffer | undefined,
): Promise<string> {
  const answer = await context.git.run({
    gitDir: join(context.folder, 'git', key),
    workTree: top,
    args: ['hash-object', ...args],
    ...(input === undefined ? {} : { input }),
  });
  return answer.stdout.toString().trim();
}
