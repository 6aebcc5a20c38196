/** Updates a private index without storing a content: git hashes each file, and only its name, mode and hash are kept. */
import { createHash } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { writePath } from '@/lib/domain/workspace';
import { statFiles } from '../filesystem/stat-files';
import { nulSeparated, onDisk, type RawPath, rawToBytes } from '../raw-path';
import { lines } from './diff-trees';
import { type Git, isGitFailure } from './git-command';
import type { PrivateGitDir } from './private-git-dir';

/** How many single failures are told apart before the rest of a batch is given up. */
const MAX_FAILURES = 50;

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
  const ids = await hashFiles(git, store, [...modes.keys()], failed);
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

/** The hash that git would give each file, by the rules of its path. */
async function hashFiles(
  git: Git,
  store: PrivateGitDir,
  paths: readonly RawPath[],
  failed: RawPath[],
): Promise<Map<RawPath, string>> {
  let asked = [...paths];
  for (;;) {
    const ids: string[] = [];
    let rest = '';
    try {
      if (asked.length > 0) {
        await git.run({
          gitDir: store.dir,
          workTree: store.top,
          args: ['hash-object', '--stdin-paths'],
          // Names with line breaks are quoted, which this command understands.
          input: lines(asked.map(quoted)),
          onOutput: (chunk) => {
            const parts = (rest + chunk.toString('latin1')).split('\n');
            rest = parts.pop() as string;
            ids.push(...parts);
            return undefined;
          },
        });
      }
      return new Map(asked.map((path, at) => [path, ids[at] as string]));
    } catch (error) {
      if (!isGitFailure(error) || error.code !== 'git_failed' || failed.length >= MAX_FAILURES) throw error;
      // git stops at the first file that it cannot read: as many were hashed as it had answered.
      const named = asked[ids.length] as RawPath;
      failed.push(named);
      asked = asked.filter((path) => path !== named);
    }
  }
}

function quoted(path: RawPath): string {
  const written = writePath(rawToBytes(path));
  // As bytes, one code unit each: what is quoted has no others.
  return written.quoted ? Buffer.from(written.path).toString('latin1') : path;
}
