/** Updates a private index without storing a content: git hashes each file, and only its name, mode and hash are kept. */
import { createHash } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { statFiles } from '../filesystem/stat-files';
import { nulSeparated, onDisk, type RawPath } from '../raw-path';
import type { Git } from './git-command';
import { hashFiles } from './hash-files';
import type { PrivateGitDir } from './private-git-dir';

/** Puts files into the index by their hash alone. Returns those that could not be read. */
export async function updateNamesOnly(git: Git, store: PrivateGitDir, reading: readonly RawPath[]): Promise<RawPath[]> {
  const failed: RawPath[] = [];
  const modes = new Map<RawPath, string>();
  const links: RawPath[] = [];
  await statFiles(store.top, reading, (path, seen) => {
    if (seen.kind === 'file') modes.set(path, seen.stats.mode & 0o100 ? '100755' : '100644');
    else if (seen.kind === 'symlink') links.push(path);
    else failed.push(path);
  });
  const { ids, failed: unread } = await hashFiles(git, store, [...modes.keys()], { keep: false });
  failed.push(...unread);
  for (const path of links) {
    const target = await readlink(onDisk(store.top, path), 'buffer').catch(() => null);
    if (target === null) {
      failed.push(path);
      continue;
    }
    modes.set(path, '120000');
    ids.set(path, createHash(store.objectFormat).update(`blob ${target.length}\0`).update(target).digest('hex'));
  }
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['update-index', '-z', '--replace', '--index-info'],
    input: nulSeparated([...ids].map(([path, id]) => `${modes.get(path)} ${id}\t${path}` as RawPath)),
  });
  return failed;
}
