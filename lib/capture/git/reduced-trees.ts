/** Builds and keeps two trees that hold only the paths that differ: all that a finished run needs of its two ends. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { nulSeparated, type RawPath } from '../raw-path';
import type { TreeDifference, TreeEntry } from './diff-trees';
import type { Git } from './git-command';
import { dropTrees, emptyTree, holdTrees, objectsOf, ownFile, type PrivateGitDir, removeFile } from './private-git-dir';

export interface ReducedTrees {
  before: string;
  after: string;
}

/** Writes the two trees. The blobs need not be in this directory yet, but somewhere it can read. */
export async function writeReducedTrees(
  git: Git,
  store: PrivateGitDir,
  differences: readonly TreeDifference[],
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<ReducedTrees> {
  const [before, after] = await Promise.all([
    writeTree(git, store, differences, (difference) => difference.before, options),
    writeTree(git, store, differences, (difference) => difference.after, options),
  ]);
  return { before, after };
}

async function writeTree(
  git: Git,
  store: PrivateGitDir,
  differences: readonly TreeDifference[],
  side: (difference: TreeDifference) => TreeEntry | null,
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined },
): Promise<string> {
  const present = differences.filter((difference) => side(difference) !== null);
  if (present.length === 0) return ensureEmptyTree(git, store);
  const indexFile = ownFile(store, `${randomBytes(9).toString('base64url')}.reduced`);
  const call = {
    gitDir: store.dir,
    indexFile,
    signal: options.signal,
    ...(options.alternates ? { alternates: options.alternates } : {}),
  };
  try {
    await git.run({
      ...call,
      args: ['update-index', '-z', '--index-info'],
      input: nulSeparated(
        (function* () {
          for (const difference of present) {
            const entry = side(difference) as TreeEntry;
            yield `${entry.mode} ${entry.id}\t${difference.path}` as RawPath;
          }
        })(),
      ),
    });
    const answer = await git.run({ ...call, args: ['write-tree', '--missing-ok'] });
    return answer.stdout.toString().trim();
  } finally {
    await removeFile(indexFile);
  }
}

/** The empty tree is known to git without being stored, but a reference needs it to be there. */
async function ensureEmptyTree(git: Git, store: PrivateGitDir): Promise<string> {
  await git.run({ gitDir: store.dir, args: ['hash-object', '-t', 'tree', '-w', '--stdin'] });
  return emptyTree(store);
}

/**
 * Keeps trees under a name, with every object that they need in this directory: afterwards they are whole whatever
 * happens to the user's repository.
 */
export async function keepTrees(
  git: Git,
  store: PrivateGitDir,
  keepAs: string,
  trees: Record<string, string>,
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const wanted = [...new Set(Object.values(trees))];
  await git.run({
    gitDir: store.dir,
    args: ['pack-objects', '--revs', '-q', '--delta-base-offset', join(objectsOf(store), 'pack', 'pack')],
    input: Buffer.from(`${wanted.join('\n')}\n`),
    signal: options.signal,
    ...(options.alternates ? { alternates: options.alternates } : {}),
  });
  await holdTrees(store, keptName(keepAs), trees);
}

export function letTreesGo(store: PrivateGitDir, keepAs: string): Promise<void> {
  return dropTrees(store, keptName(keepAs));
}

/** A name of any characters as one that a reference may have. */
export function keptName(keepAs: string): string {
  return createHash('sha256').update(keepAs).digest('hex').slice(0, 40);
}
