/** Starts a private index from the user's, so that no clean file is read, and sets right what in it is not as the disk is. */
import type { RawPath } from '../raw-path';
import { filteredPaths, readAttributes } from './filtered-paths';
import type { Git } from './git-command';
import { lendSeed, lendTrees } from './lend-objects';
import { type PrivateGitDir, setHead } from './private-git-dir';
import { listIndex, lookThroughIndex, removeFromIndex, seedIndex, settleIndex } from './private-index';
import { readHead } from './repository';
import type { SnapshotTools, WorkTree } from './work-tree';
import { readStatus, type WorkTreeStatus } from './work-tree-status';

/** Starts the private index from the user's. */
export async function startIndex(tools: SnapshotTools, workTree: WorkTree): Promise<void> {
  const { git } = tools;
  const { store, repository } = workTree;
  workTree.left = null;
  workTree.inLine = null;
  workTree.skipped = { paths: [], probes: [] };
  workTree.filtered = new Set();
  workTree.folders = { changedAt: null, settled: false, ignored: new Set() };
  const seeded = await seedIndex(store, repository);
  const { commit } = await readHead(git, repository);
  await setHead(store, seeded && commit !== null ? commit : 'ref: refs/heads/none');
  if (seeded && workTree.meaning?.settings.sparseIndex) {
    await lendTrees(git, store, await treeOf(git, store, 'HEAD'));
    await git.run({
      gitDir: store.dir,
      workTree: store.top,
      args: ['update-index', '--force-write-index'],
      onlyOwn: true,
    });
  }
}

/** Sets right what in a seeded index does not say what the disk holds, and looks at the disk. */
export async function settleSeed(
  tools: SnapshotTools,
  workTree: WorkTree,
  candidates: Set<RawPath>,
): Promise<{ status: WorkTreeStatus; headTree: string | null }> {
  const { git, limits } = tools;
  const { store } = workTree;
  // What an earlier index covered although a rule ignores it stays covered.
  for (const path of workTree.ignored.keys()) candidates.add(path);
  const listing = { maxBytes: limits.listingBytes };
  // Most indexes have nothing odd: the first look at the disk goes on meanwhile.
  const [index, first, headTree] = await Promise.all([
    lookThroughIndex(git, store),
    readStatus(git, store, listing).catch((error: unknown) => error),
    treeOf(git, store, 'HEAD'),
  ]);
  workTree.toLend = { tree: headTree, contents: tools.namesOnly ? [] : index.attributeFiles.map(({ id }) => id) };
  const core = workTree.meaning?.settings.core ?? {};
  const attributes = await readAttributes(
    store,
    index.attributeFiles.map(({ path }) => path),
    core.attributesfile,
  );
  const mayFilter = attributes.includes('filter');
  workTree.autoLineEnds = attributes.includes('auto') || !/^(?:false|no|off|0|)$/i.test(core.autocrlf ?? '');
  const paths = mayFilter || tools.hasPrivatePaths ? await listIndex(git, store) : [];
  const filtered = mayFilter ? await filteredPaths(git, store, paths) : [];
  const secret = paths.filter((path) => tools.isPrivate(store, path));
  const odd = Object.values(index.oddities).some((paths: RawPath[]) => paths.length > 0);
  if (!odd && filtered.length + secret.length === 0 && !(first instanceof Error)) {
    return { status: first as WorkTreeStatus, headTree };
  }
  // A HEAD that cannot be read is no reason not to look at the files.
  if (first instanceof Error) await setHead(store, 'ref: refs/heads/none');
  const settled = await settleIndex(git, store, index.oddities);
  workTree.skipped = settled.skipped;
  // What git stores of filtered paths is not what they hold: they are read from disk.
  await removeFromIndex(git, store, [...filtered, ...secret]);
  for (const path of [...settled.toRead, ...filtered, ...secret]) candidates.add(path);
  workTree.filtered = new Set(filtered);
  return { status: await readStatus(git, store, listing), headTree: null };
}

/** Lends what a seeded index needs before it is written, unless that was done. */
export async function lendPending(git: Git, workTree: WorkTree): Promise<void> {
  const { store, toLend } = workTree;
  if (toLend === null) return;
  workTree.toLend = null;
  await lendSeed(git, store, toLend.tree, toLend.contents);
}

/** The tree of the commit that the user's HEAD stands at, or null where there is none. */
export async function usersTree(git: Git, { store, repository }: WorkTree): Promise<string | null> {
  const { commit } = await readHead(git, repository);
  return commit === null ? null : treeOf(git, store, commit);
}

async function treeOf(git: Git, store: PrivateGitDir, commit: string): Promise<string | null> {
  const answer = await git.run({
    gitDir: store.dir,
    args: ['rev-parse', '-q', '--verify', `${commit}^{tree}`],
    exits: [0, 1, 128],
  });
  return answer.exitCode === 0 ? answer.stdout.toString().trim() : null;
}
