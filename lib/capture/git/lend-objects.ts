/** Copies what commands that write objects must read out of the user's repository: they see none of the user's objects. */
import { constants } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk, type RawPath } from '../raw-path';
import { lines } from './diff-trees';
import { type Git, isGitFailure, lentTo } from './git-command';
import { heldSnapshots, ownFile, type PrivateGitDir, removeFile, writeAtomically } from './private-git-dir';

/** Bytes of a listing of trees: some millions of them. */
const LISTING_BYTES = 512 * 1024 * 1024;

const packsOf = (store: PrivateGitDir) => join(lentTo(store.dir), 'pack');
const seedFile = (store: PrivateGitDir) => ownFile(store, 'seed');

/**
 * Lends what an index seeded at a commit of the user's goes on to name: see `lendTrees`. It stays lent until the index is
 * seeded anew.
 */
export async function lendSeed(
  git: Git,
  store: PrivateGitDir,
  tree: string | null,
  contents: readonly string[],
): Promise<void> {
  const pack = await lendTrees(git, store, tree, contents);
  if (pack !== null) await writeAtomically(seedFile(store), pack);
}

/**
 * Lends a tree with every tree below, and some contents: an index names trees by their ids, and each that is not at hand
 * would be computed and written again. Where the user has not all of them (a clone without trees), nothing is lent.
 */
export async function lendTrees(
  git: Git,
  store: PrivateGitDir,
  tree: string | null,
  contents: readonly string[] = [],
): Promise<string | null> {
  if (tree === null && contents.length === 0) return null;
  try {
    const trees =
      tree === null
        ? Buffer.alloc(0)
        : (
            await git.run({
              gitDir: store.dir,
              args: ['rev-list', '--objects', '--filter=blob:none', tree],
              maxOutputBytes: LISTING_BYTES,
            })
          ).stdout;
    return await lend(git, store, [trees, ...lines(contents)]);
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_failed') throw error;
    return null;
  }
}

/**
 * Lends the contents that the index has of changed files, where git asks for them: with automatic line ends a file whose
 * content in the index has CRLF is left alone. (git's `convert.c`, `has_crlf_in_index`.)
 */
export async function lendForLineEnds(
  git: Git,
  store: PrivateGitDir,
  changed: ReadonlyMap<RawPath, string>,
): Promise<void> {
  const ids = new Set<string>();
  for (const [path, id] of changed) if (!ids.has(id) && (await hasCarriageReturn(store, path))) ids.add(id);
  if (ids.size > 0) await lend(git, store, lines([...ids]));
}

async function lend(git: Git, store: PrivateGitDir, input: Iterable<Uint8Array>): Promise<string> {
  const answer = await git.run({
    gitDir: store.dir,
    args: ['pack-objects', '-q', '--window=0', join(packsOf(store), 'pack')],
    input,
  });
  return `pack-${answer.stdout.toString().trim()}`;
}

async function hasCarriageReturn(store: PrivateGitDir, path: RawPath): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(onDisk(store.top, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return false;
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false })) if (chunk.includes(0x0d)) return true;
    return false;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

/** Takes back what only snapshots that are gone needed. Nobody else may work in the directory meanwhile. */
export async function takeBack(store: PrivateGitDir): Promise<void> {
  if ((await heldSnapshots(store)).length > 0) return;
  const seed = await readFile(seedFile(store), 'utf8').catch(() => '');
  const names = await readdir(packsOf(store)).catch(() => [] as string[]);
  for (const name of names.sort()) if (!name.startsWith(`${seed}.`)) await removeFile(join(packsOf(store), name));
}
