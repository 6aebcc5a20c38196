/** Builds and keeps two trees that hold only the paths that differ: all that a finished run needs of its two ends. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nulSeparated, type RawPath } from '../raw-path';
import type { TreeDifference, TreeEntry } from './diff-trees';
import type { Git } from './git-command';
import { takeBack } from './lend-objects';
import {
  dropTrees,
  emptyTree,
  holdTrees,
  objectsOf,
  ownFile,
  type PrivateGitDir,
  removeFile,
  writeAtomically,
} from './private-git-dir';

export interface ReducedTrees {
  before: string;
  after: string;
}

/** Writes the two trees. The blobs need not be in this directory yet. */
export async function writeReducedTrees(
  git: Git,
  store: PrivateGitDir,
  differences: readonly TreeDifference[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<ReducedTrees> {
  const [before, after] = await Promise.all([
    writeTree(git, store, differences, (difference) => difference.before, options.signal),
    writeTree(git, store, differences, (difference) => difference.after, options.signal),
  ]);
  return { before, after };
}

async function writeTree(
  git: Git,
  store: PrivateGitDir,
  differences: readonly TreeDifference[],
  side: (difference: TreeDifference) => TreeEntry | null,
  signal: AbortSignal | undefined,
): Promise<string> {
  const present = differences.filter((difference) => side(difference) !== null);
  if (present.length === 0) return ensureEmptyTree(git, store);
  const indexFile = ownFile(store, `${randomBytes(9).toString('base64url')}.reduced`);
  const call = {
    gitDir: store.dir,
    indexFile,
    signal,
    onlyOwn: true,
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
  await git.run({ gitDir: store.dir, args: ['hash-object', '-t', 'tree', '-w', '--stdin'], onlyOwn: true });
  return emptyTree(store);
}

/** What one record keeps: written beside the references, so that a pack goes when no record needs it. */
interface KeptRecord {
  name: string;
  trees: string[];
  packs: string[];
}

const recordFile = (store: PrivateGitDir, name: string) => ownFile(store, `kept/${name}.json`);

/**
 * Keeps trees under a name, in a pack with every object that they need: afterwards they are whole whatever happens to
 * the user's repository, or to other records.
 */
export async function keepTrees(
  git: Git,
  store: PrivateGitDir,
  keepAs: string,
  trees: Record<string, string>,
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const name = keptName(keepAs);
  const wanted = [...new Set(Object.values(trees))];
  const pack = await packTrees(git, store, wanted, options);
  const known = await readRecord(store, name);
  const record: KeptRecord = {
    name,
    trees: [...new Set([...(known?.trees ?? []), ...wanted])],
    packs: [...new Set([...(known?.packs ?? []), pack])],
  };
  await mkdir(ownFile(store, 'kept'), { recursive: true, mode: 0o700 });
  await writeAtomically(recordFile(store, name), JSON.stringify(record));
  await holdTrees(store, name, trees);
}

async function packTrees(
  git: Git,
  store: PrivateGitDir,
  trees: readonly string[],
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const answer = await git.run({
    gitDir: store.dir,
    args: ['pack-objects', '--revs', '-q', '--delta-base-offset', join(objectsOf(store), 'pack', 'pack')],
    input: Buffer.from(`${trees.join('\n')}\n`),
    signal: options.signal,
    ...(options.alternates ? { alternates: options.alternates } : {}),
  });
  return `pack-${answer.stdout.toString().trim()}`;
}

async function readRecord(store: PrivateGitDir, name: string): Promise<KeptRecord | null> {
  const text = await readFile(recordFile(store, name), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as KeptRecord);
}

/** Lets a record go; its space comes back with `collectObjects`. */
export async function letTreesGo(store: PrivateGitDir, name: string): Promise<void> {
  await dropTrees(store, name);
  await removeFile(recordFile(store, name));
}

/** The names of the records that a private directory keeps. */
export async function keptRecords(store: PrivateGitDir): Promise<string[]> {
  const files = await readdir(ownFile(store, 'kept')).catch(() => [] as string[]);
  return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
}

/** A name of any characters as one that a reference may have. */
export function keptName(keepAs: string): string {
  return createHash('sha256').update(keepAs).digest('hex').slice(0, 40);
}

/** Packs beyond which small ones are put together: git looks an object up in one pack after the other. */
const MANY_PACKS = 40;

/**
 * Gives back the space of what no snapshot and no record needs, and puts many small packs together. Nobody else may work
 * in the directory meanwhile.
 */
export async function collectObjects(git: Git, store: PrivateGitDir): Promise<void> {
  const records: KeptRecord[] = [];
  for (const name of await keptRecords(store)) {
    const record = await readRecord(store, name);
    if (record) records.push(record);
  }
  const packFolder = join(objectsOf(store), 'pack');
  const packs = (await readdir(packFolder).catch(() => [] as string[]))
    .filter((file) => file.endsWith('.pack'))
    .map((file) => file.slice(0, -'.pack'.length));
  const sharing = new Map<string, number>();
  for (const record of records) for (const pack of record.packs) sharing.set(pack, (sharing.get(pack) ?? 0) + 1);
  // A pack of many records of which some are gone is written again when little of it is still needed.
  const sizes = await readSizes(store);
  const sparse = packs.filter((pack) => (sharing.get(pack) ?? 0) * 2 < (sizes[pack] ?? 0));
  const joining = packs.length > MANY_PACKS ? packs : sparse;
  const moving = records.filter((record) => record.packs.some((pack) => joining.includes(pack)));
  if (moving.length > 0) {
    const pack = await packTrees(git, store, [...new Set(moving.flatMap((record) => record.trees))]);
    for (const record of moving) {
      record.packs = [pack];
      await writeAtomically(recordFile(store, record.name), JSON.stringify(record));
    }
    sizes[pack] = moving.length;
  }
  const needed = new Set(records.flatMap((record) => record.packs));
  for (const pack of packs) {
    if (needed.has(pack)) continue;
    // The index file goes first: without it git knows nothing of the pack.
    for (const end of ['.idx', '.rev', '.pack']) await removeFile(join(packFolder, pack + end));
  }
  await takeBack(store);
  await writeSizes(store, Object.fromEntries(Object.entries(sizes).filter(([pack]) => needed.has(pack))));
  // Objects that a snapshot in use borrowed may be gone: then nothing can be told of what is reachable, and all stays.
  await git.run({ gitDir: store.dir, args: ['prune', '--expire=now'], timeoutMs: 10 * 60_000 }).catch(() => {});
}

/** How many records each pack of several was written for. */
async function readSizes(store: PrivateGitDir): Promise<Record<string, number>> {
  const text = await readFile(ownFile(store, 'packs.json'), 'utf8').catch(() => null);
  return text === null ? {} : (JSON.parse(text) as Record<string, number>);
}

function writeSizes(store: PrivateGitDir, sizes: Record<string, number>): Promise<void> {
  return writeAtomically(ownFile(store, 'packs.json'), JSON.stringify(sizes));
}
