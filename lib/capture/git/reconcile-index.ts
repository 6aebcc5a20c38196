/** Brings the private index in line with the user's, and finds the ignored files that are watched. */
import { join } from 'node:path';
import { NO_PATH, type RawPath } from '../raw-path';
import { compareIndexes, type IndexComparison } from './compare-indexes';
import { sizesOf } from './diff-trees';
import type { Git } from './git-command';
import { changedFolders, findIgnored, learnFolders, type WatchedFolders } from './ignored-files';
import { lendTrees } from './lend-objects';
import { copySharedIndexes, ignoredAmong, removeFromIndex } from './private-index';
import { usersTree } from './seed-index';
import type { SnapshotTools, WorkTree } from './work-tree';

/** Milliseconds after a snapshot at which folders are learned, in the background. */
const LEARN_AFTER_MS = 250;

/**
 * Compares the user's index with the private one; null when both list what they listed when they were last brought in
 * line: a refresh of the user's index, which many programs do all the time, is not more than that.
 */
export async function compareWithUsers(git: Git, workTree: WorkTree): Promise<IndexComparison | null> {
  const { store, repository, inLine } = workTree;
  await copySharedIndexes(store, repository);
  if (workTree.meaning?.settings.sparseIndex) await lendTrees(git, store, await usersTree(git, workTree));
  const isOurs = inLine !== null && inLine.ours === workTree.left?.tree && workTree.skipped.paths.length === 0;
  const usersIndex = join(repository.gitDir, 'index');
  const { theirs, comparison } = await compareIndexes(git, store, usersIndex, isOurs ? inLine.theirs : null);
  if (comparison !== null) workTree.inLine = { theirs, ours: null };
  return comparison;
}

/**
 * Brings the private index in line with the user's: every path of theirs is eligible whatever ignores it, and ignored
 * entries that are not theirs are known as such. An object that was borrowed through an entry of theirs, and that they
 * name no more, may go at any time: its file is read again. Returns the paths to read, and those that they skip.
 */
export async function reconcile(
  tools: SnapshotTools,
  workTree: WorkTree,
  { onlyTheirs, onlyOurs, ownObjects, skipped }: IndexComparison,
): Promise<{ reading: RawPath[]; skipped: Set<RawPath> }> {
  const { git } = tools;
  const { store } = workTree;
  const extras = [...onlyOurs, ...workTree.large.keys()];
  const ignored = await ignoredAmong(git, store, extras);
  const theirOwn = new Set(onlyTheirs);
  for (const path of workTree.ignored.keys()) if (!ignored.has(path)) workTree.ignored.delete(path);
  for (const path of ignored) {
    if (!workTree.ignored.has(path) && !theirOwn.has(path)) workTree.ignored.set(path, workTree.count);
  }
  for (const path of workTree.watched) if (!workTree.ignored.has(path)) workTree.watched.delete(path);
  // Without contents there is nothing to lose.
  const doubtful = tools.namesOnly ? [] : [...ownObjects];
  const ids = doubtful.map(([, id]) => id);
  const stored = await sizesOf(git, store, ids, { onlyOwn: true });
  const borrowed = doubtful.flatMap(([path, id]) => (stored.has(id) ? [] : [path]));
  await removeFromIndex(git, store, borrowed);
  if (borrowed.length > 0) workTree.left = null;
  return { reading: [...onlyTheirs, ...borrowed], skipped };
}

/** Takes out what is ignored and not watched, unless a snapshot that is held still knows it as eligible. Returns what left. */
export async function letIgnoredLeave(git: Git, workTree: WorkTree): Promise<RawPath[]> {
  const oldest = Math.min(...workTree.held.values(), Number.POSITIVE_INFINITY);
  const leaving = [...workTree.ignored].filter(([path, since]) => !workTree.watched.has(path) && oldest >= since);
  if (leaving.length === 0) return [];
  const paths = leaving.map(([path]) => path);
  await removeFromIndex(git, workTree.store, paths);
  workTree.left = null;
  for (const path of paths) {
    workTree.ignored.delete(path);
    workTree.large.delete(path);
  }
  return paths;
}

/**
 * Looks for ignored files, unless no folder changed since the last time. What is learned of the folders in the
 * background makes that cheap to tell; where git says that none changed since they were learned, there is nothing to do.
 */
export async function discoverIgnored(
  git: Git,
  workTree: WorkTree,
  always: boolean,
): Promise<{ files: RawPath[]; folders: Set<RawPath> } | null> {
  const { store } = workTree;
  if (!always && workTree.folders.settled) return null;
  const changed = await changedFolders(store, workTree.folders);
  if (!always && changed !== null && changed.length === 0) {
    workTree.folders.settled = true;
    return null;
  }
  const from = Date.now();
  const found = await findIgnored(git, store);
  const folders = workTree.folders;
  const known = always ? null : folders.changedAt;
  // Until they are learned again nothing is known of these folders.
  const next: WatchedFolders = { changedAt: null, settled: false, ignored: found.folders };
  workTree.folders = next;
  workTree.learning = workTree.learning.then(async () => {
    // The run that waits for its baseline comes first.
    await new Promise((resolve) => setTimeout(resolve, LEARN_AFTER_MS).unref());
    if (workTree.folders !== next) return;
    const kept = new Map(known ?? []);
    for (const path of changed ?? []) kept.delete(path);
    const start = known === null ? [NO_PATH] : (changed ?? []);
    const learned = await learnFolders(store, start, found.folders, kept, from);
    for (const [path, time] of learned) kept.set(path, time);
    if (workTree.folders !== next) return;
    next.changedAt = kept;
    next.settled = ![...kept.values()].some(Number.isNaN);
  });
  return found;
}
