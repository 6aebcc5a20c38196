/** Turns what a work tree holds at one instant into a tree of its private directory, reading only what changed. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fingerprint } from '../filesystem/fingerprint';
import { statFiles } from '../filesystem/stat-files';
import { MAX_UNWATCHED } from '../filesystem/watch-choice';
import type { PartGap } from '../part-gap';
import type { RawPath } from '../raw-path';
import { type Git, isGitFailure } from './git-command';
import { chooseWatched } from './ignored-files';
import { countEntries, leaveTree } from './index-update';
import { heldSnapshots, indexOf, removeFile, removeLocks, removeUnfinished } from './private-git-dir';
import { entriesAmong, ignoredAmong, listIndex, removeFromIndex, signatureOf, unskipReturned } from './private-index';
import { readCandidates } from './read-candidates';
import { compareWithUsers, discoverIgnored, letIgnoredLeave, reconcile } from './reconcile-index';
import { readHead } from './repository';
import { lendPending, settleSeed, startIndex } from './seed-index';
import { configure, type SnapshotTools, type TreeSnapshot, type WorkTree } from './work-tree';
import { readStatus, type WorkTreeStatus } from './work-tree-status';

/** Files that went away and are looked for again; what went after them is not. */
const MAX_GONE = 5_000;

/**
 * Takes a snapshot. Callers see to it that one runs at a time in a private directory. Throws `GitFailure` when git does
 * not do it, even from a fresh index.
 */
export async function snapshotTree(tools: SnapshotTools, workTree: WorkTree): Promise<TreeSnapshot> {
  try {
    return await attempt(tools, workTree);
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_failed') throw error;
    // The user's own clean-up took an object that was borrowed, or the index is damaged: start again from theirs.
    await removeFile(indexOf(workTree.store));
    return attempt(tools, workTree);
  }
}

async function attempt(tools: SnapshotTools, workTree: WorkTree): Promise<TreeSnapshot> {
  const { git, limits } = tools;
  const { store, repository } = workTree;
  const gaps: PartGap[] = [];
  workTree.count += 1;
  const candidates = new Set<RawPath>();
  const rulesChanged = await configure(tools, workTree);
  await removeLocks(store);
  if (!workTree.opened) await openAgain(tools, workTree, candidates);

  const usersIndex = await signatureOf(join(repository.gitDir, 'index'));
  const seeding = (await stat(indexOf(store)).catch(() => null)) === null;
  if (seeding) await startIndex(tools, workTree);
  const discovery = seeding ? discoverIgnored(git, workTree, true) : null;
  discovery?.catch(() => {});
  // What the user did to their index shows while git looks at the disk.
  const comparison = !seeding && usersIndex !== workTree.usersIndex ? compareWithUsers(git, workTree) : null;
  comparison?.catch(() => {});
  const settled = seeding
    ? await settleSeed(tools, workTree, candidates)
    : { status: await statusAgain(tools, workTree), headTree: null };
  const { status } = settled;
  if (status.overflowed) gaps.push({ reason: 'list_limit', detail: 'more files changed than one listing holds' });
  if (status.unreadable.length > 0) gaps.push({ reason: 'file_unreadable', paths: status.unreadable });
  for (const path of status.changed.keys()) candidates.add(path);
  if ((rulesChanged && !seeding) || touches(status, '.gitattributes')) workTree.autoLineEnds = true;

  const newRules = seeding || rulesChanged || touches(status, '.gitignore');
  const absentOnPurpose = new Set<RawPath>();
  let compared = await comparison;
  if (newRules && !seeding && compared === null) {
    workTree.inLine = null;
    compared = await compareWithUsers(git, workTree);
  }
  let isInLine = false;
  if (compared !== null) {
    const reconciled = await reconcile(tools, workTree, compared);
    for (const path of reconciled.reading) candidates.add(path);
    for (const path of reconciled.skipped) absentOnPurpose.add(path);
    isInLine = reconciled.reading.length + reconciled.skipped.size === 0;
  }
  workTree.usersIndex = usersIndex;
  const found = await (discovery ?? discoverIgnored(git, workTree, newRules));
  const watchable = [...(found?.files ?? []), ...workTree.ignored.keys()].filter((path) => !workTree.watched.has(path));
  if (newRules || found !== null) {
    const chosen = await chooseWatched(git, store, watchable, limits, workTree.watched.size);
    for (const path of chosen) {
      candidates.add(path);
      workTree.watched.add(path);
      if (!workTree.ignored.has(path)) workTree.ignored.set(path, workTree.count);
    }
    if (found !== null) {
      const watched = new Set(workTree.watched);
      workTree.unwatched = found.files.filter((path) => !watched.has(path)).slice(0, MAX_UNWATCHED);
    }
  }
  for (const path of await hiddenAgain(git, workTree, status)) candidates.add(path);
  // git's answer may be from before they left.
  for (const path of await letIgnoredLeave(git, workTree)) candidates.delete(path);
  const looksAtFiles = candidates.size + status.untracked.length + workTree.large.size > 0;
  if (looksAtFiles || status.staged || settled.headTree === null) await lendPending(git, workTree);
  const read = await readCandidates(tools, workTree, candidates, status, absentOnPurpose);
  if (read.unread.length > 0) gaps.push({ reason: 'file_unreadable', paths: read.unread });
  for (const path of read.gone) if (workTree.gone.size < MAX_GONE) workTree.gone.set(path, workTree.count);
  for (const path of workTree.watched) {
    if (read.gone.has(path)) {
      workTree.watched.delete(path);
      workTree.ignored.delete(path);
    }
  }
  if (workTree.left === null || read.indexChanged) {
    workTree.left = null;
    const same = settled.headTree !== null && !read.indexChanged && !status.staged;
    workTree.left = await leaveTree(git, store, same ? settled.headTree : null);
  }
  const left = workTree.left as { tree: string; commit: string };
  if (isInLine && workTree.inLine !== null) workTree.inLine.ours = left.tree;
  return {
    ...left,
    head: await readHead(git, repository),
    fileCount: (await countEntries(indexOf(store))) + workTree.large.size,
    rules: workTree.meaning?.rules ?? '',
    details: {
      large: Object.fromEntries(workTree.large) as Record<RawPath, Fingerprint>,
      ignored: [...workTree.ignored.keys()],
      watched: [...workTree.watched],
      unwatched: workTree.unwatched,
      unread: read.unread,
      uncovered: [],
    },
    nested: status.nested,
    gaps,
  };
}

/** What a process does once with a private directory that an earlier one may have left behind. */
async function openAgain(tools: SnapshotTools, workTree: WorkTree, candidates: Set<RawPath>): Promise<void> {
  const { store } = workTree;
  await removeUnfinished(store);
  // Snapshots that an earlier process took are older than anything this one finds out.
  for (const id of await heldSnapshots(store)) if (!workTree.held.has(id)) workTree.held.set(id, -1);
  // What is private may have been said since.
  if (tools.hasPrivatePaths && (await stat(indexOf(store)).catch(() => null)) !== null) {
    const entries = await listIndex(tools.git, store);
    const secret = entries.filter((path) => tools.isPrivate(store, path));
    await removeFromIndex(tools.git, store, secret);
    for (const path of secret) candidates.add(path);
  }
  workTree.opened = true;
}

/**
 * Files that went away while a snapshot is held that knows them, and came back where a rule hides them: what one end
 * covers is covered at the other.
 */
async function hiddenAgain(git: Git, workTree: WorkTree, status: WorkTreeStatus): Promise<Set<RawPath>> {
  const { store, gone, held } = workTree;
  const oldest = Math.min(...held.values(), Number.POSITIVE_INFINITY);
  for (const [path, since] of gone) if (oldest >= since) gone.delete(path);
  if (gone.size === 0) return new Set();
  const back = new Set<RawPath>();
  await statFiles(store.top, [...gone.keys()], (path, seen) => {
    if (seen.kind === 'file' || seen.kind === 'symlink') back.add(path);
  });
  for (const path of back) gone.delete(path);
  for (const path of status.untracked) back.delete(path);
  if (back.size === 0) return back;
  const hidden = await ignoredAmong(git, store, [...back]);
  const tracked = await entriesAmong(git, store, hidden, join(workTree.repository.gitDir, 'index'));
  for (const path of hidden) if (!tracked.has(path)) workTree.ignored.set(path, workTree.count);
  return hidden;
}

async function statusAgain(tools: SnapshotTools, workTree: WorkTree): Promise<WorkTreeStatus> {
  const { git, limits } = tools;
  const { store, folders } = workTree;
  if (workTree.skipped.probes.length > 0) workTree.skipped = await unskipReturned(git, store, workTree.skipped);
  // git tells of a folder once, and its answer may get lost.
  const { settled } = folders;
  folders.settled = false;
  const status = await readStatus(git, store, { maxBytes: limits.listingBytes });
  folders.settled = settled && status.sameFolders;
  return status;
}

/** Whether a file of this name, in whichever folder, is among what differs. */
function touches(status: WorkTreeStatus, name: string): boolean {
  const isOne = (path: RawPath) => path === name || path.endsWith(`/${name}`);
  return [...status.changed.keys()].some(isOne) || status.untracked.some(isOne);
}
