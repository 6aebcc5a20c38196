/** Turns what a work tree holds at one instant into a tree of its private directory, reading only what changed. */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limits } from '@/lib/domain/limits';
import { type Fingerprint, takeFingerprint } from '../filesystem/fingerprint';
import { inParallel, statFiles } from '../filesystem/stat-files';
import type { PartGap } from '../part-gap';
import { nulSeparated, onDisk, type RawPath } from '../raw-path';
import { type Git, isGitFailure } from './git-command';
import {
  indexOf,
  type PrivateGitDir,
  preparePrivateGitDir,
  removeLocks,
  removeUnfinished,
  type SnapshotDetails,
  setHead,
} from './private-git-dir';
import {
  copySharedIndexes,
  entriesAmong,
  findOddities,
  type IndexOddities,
  ignoredEntries,
  removeFromIndex,
  seedIndex,
  settleIndex,
  signatureOf,
  unskipPresent,
} from './private-index';
import { type HeadState, type MeaningSettings, type Repository, readHead, readMeaning } from './repository';
import { readStatus, type WorkTreeStatus } from './work-tree-status';

/** A work tree at one instant. */
export interface TreeSnapshot {
  tree: string;
  /** The commit that holds the tree. */
  commit: string;
  head: HeadState;
  fileCount: number;
  details: SnapshotDetails;
  /** Folders with a repository of their own, each ending in `/`. */
  nested: RawPath[];
  gaps: PartGap[];
}

/** What is remembered of a private directory between snapshots; the directory itself is the rest. */
export interface WorkTree {
  store: PrivateGitDir;
  repository: Repository;
  meaning: { settings: MeaningSettings; signature: string } | null;
  usersIndex: string;
  ignoreRules: string;
  /** Tree and commit of the private index as we left it; null when that is not known. */
  left: { tree: string; commit: string } | null;
  large: Map<RawPath, Fingerprint>;
  ignored: Set<RawPath>;
  watched: Set<RawPath>;
  /** Skipped and absent: looked for again before each snapshot. */
  skipped: RawPath[];
  /** Snapshots that are held. */
  held: Set<string>;
  swept: boolean;
}

export interface SnapshotTools {
  git: Git;
  limits: Limits;
  users: { home: string; xdgConfigHome: string | undefined };
  /** Whether a path's content must never be stored. */
  isPrivate(store: PrivateGitDir, path: RawPath): boolean;
}

/**
 * Takes a snapshot. Callers see to it that one runs at a time in a private directory. Throws `GitFailure` when git does
 * not do it, even from a fresh index.
 */
export async function snapshotTree(
  tools: SnapshotTools,
  workTree: WorkTree,
  signal?: AbortSignal,
): Promise<TreeSnapshot> {
  try {
    return await attempt(tools, workTree, signal);
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_failed') throw error;
    // The user's own clean-up took an object that was borrowed, or the index is damaged: start again from theirs.
    workTree.left = null;
    workTree.usersIndex = '';
    return attempt(tools, workTree, signal, true);
  }
}

async function attempt(
  tools: SnapshotTools,
  workTree: WorkTree,
  signal: AbortSignal | undefined,
  afresh = false,
): Promise<TreeSnapshot> {
  const { git, limits } = tools;
  const { store, repository } = workTree;
  const gaps: PartGap[] = [];
  await configure(tools, workTree);
  await removeLocks(store);
  if (!workTree.swept) {
    await removeUnfinished(store);
    workTree.swept = true;
  }

  const usersIndex = await signatureOf(join(repository.gitDir, 'index'));
  const seeding = afresh || (await stat(indexOf(store)).catch(() => null)) === null;
  const headBefore = readHead(git, repository);
  headBefore.catch(() => {});
  const candidates = new Set<RawPath>();
  if (seeding) {
    const seeded = await seedIndex(store, repository);
    const commit = (await headBefore).commit;
    if (seeded && commit !== null) await setHead(store, commit);
    else await setHead(store, 'ref: refs/heads/none');
    workTree.left = null;
    workTree.skipped = [];
  }

  const listing = { maxBytes: limits.listingBytes, signal };
  let status: WorkTreeStatus;
  if (seeding) {
    // Most indexes have nothing odd: the first look at the disk goes on meanwhile.
    const [oddities, first] = await Promise.all([findOddities(git, store), readStatus(git, store, listing)]);
    if (isOdd(oddities)) {
      const settled = await settleIndex(git, store, oddities);
      workTree.skipped = settled.skippedAbsent;
      for (const path of settled.toRead) candidates.add(path);
      status = await readStatus(git, store, listing);
    } else {
      status = first;
    }
  } else {
    if (workTree.skipped.length > 0) workTree.skipped = await unskipPresent(git, store, workTree.skipped);
    status = await readStatus(git, store, listing);
  }
  if (status.overflowed) gaps.push({ reason: 'list_limit', detail: 'more files changed than one listing holds' });
  if (status.unreadable.length > 0) gaps.push({ reason: 'file_unreadable', paths: status.unreadable });

  for (const path of status.changed) candidates.add(path);
  if (seeding || usersIndex !== workTree.usersIndex || touchesIgnoreRules(status)) {
    for (const path of await reconcile(tools, workTree)) candidates.add(path);
    workTree.usersIndex = usersIndex;
  }

  const unread = await readCandidates(tools, workTree, candidates, status.untracked, signal);
  if (unread.paths.length > 0) gaps.push({ reason: 'file_unreadable', paths: unread.paths });

  if (workTree.left === null || unread.indexChanged) {
    workTree.left = null;
    const tree = await git.ask(store.dir, ['write-tree'], signal ? { signal } : {});
    const commit = await git.ask(store.dir, ['commit-tree', tree, '-m', 'snapshot'], signal ? { signal } : {});
    await setHead(store, commit);
    workTree.left = { tree, commit };
  }
  const ignored = [...workTree.ignored];
  return {
    ...workTree.left,
    head: await readHead(git, repository),
    fileCount: (await countEntries(indexOf(store))) + workTree.large.size,
    details: {
      large: Object.fromEntries(workTree.large) as Record<RawPath, Fingerprint>,
      ignored,
      watched: [...workTree.watched],
      unread: unread.paths,
    },
    nested: status.nested,
    gaps,
  };
}

function isOdd(oddities: IndexOddities): boolean {
  return Object.values(oddities).some((paths) => paths.length > 0);
}

/** Writes the private configuration again when one of the files that decide meaning changed. */
async function configure(tools: SnapshotTools, workTree: WorkTree): Promise<void> {
  const { repository, store } = workTree;
  const info = ['exclude', 'attributes'].map((name) => join(repository.commonDir, 'info', name));
  const sources = workTree.meaning ? [...workTree.meaning.settings.sources, ...info] : null;
  const signature = sources && (await Promise.all(sources.map(signatureOf))).join();
  if (workTree.meaning && workTree.meaning.signature === signature) return;
  const settings = await readMeaning(tools.git, repository, tools.users);
  const now = (await Promise.all([...settings.sources, ...info].map(signatureOf))).join();
  await preparePrivateGitDir(store, { repository, meaning: settings });
  // Rules may have changed with it.
  workTree.usersIndex = '';
  workTree.meaning = { settings, signature: now };
}

function touchesIgnoreRules(status: WorkTreeStatus): boolean {
  const isRules = (path: RawPath) => path.endsWith('.gitignore');
  return status.changed.some(isRules) || status.untracked.some(isRules);
}

/**
 * Brings the private index in line with the user's: every path of theirs is eligible whatever ignores it, and ignored
 * entries that are not theirs are known as such. Returns the paths that are to be read because of it.
 */
async function reconcile(tools: SnapshotTools, workTree: WorkTree): Promise<RawPath[]> {
  const { git } = tools;
  const { store, repository } = workTree;
  await copySharedIndexes(store, repository);
  const users = join(repository.gitDir, 'index');
  const [theirs, ours] = await Promise.all([ignoredEntries(git, store, users), ignoredEntries(git, store)]);
  const trackedByUser = new Set(theirs);
  const inIndex = new Set(ours);
  workTree.ignored = new Set(ours.filter((path) => !trackedByUser.has(path)));
  const leaving = workTree.held.size === 0 ? [...workTree.ignored].filter((path) => !workTree.watched.has(path)) : [];
  if (leaving.length > 0) {
    await removeFromIndex(git, store, leaving);
    workTree.left = null;
    for (const path of leaving) workTree.ignored.delete(path);
  }
  return theirs.filter((path) => !inIndex.has(path));
}

/** Reads what changed into the index. Returns what could not be read. */
async function readCandidates(
  tools: SnapshotTools,
  workTree: WorkTree,
  changed: ReadonlySet<RawPath>,
  untracked: readonly RawPath[],
  signal: AbortSignal | undefined,
): Promise<{ paths: RawPath[]; indexChanged: boolean }> {
  const { git, limits } = tools;
  const { store, repository, large } = workTree;
  const paths = [...changed, ...untracked];
  const gone: RawPath[] = [];
  const reading: RawPath[] = [];
  const replaced: RawPath[] = [];
  const unread: RawPath[] = [];
  const tooLarge: RawPath[] = [];
  const maybeTracked: { path: RawPath; size: number }[] = [];
  const fresh: { path: RawPath; size: number; index: number }[] = [];

  await statFiles(store.top, paths, (path, seen, index) => {
    const known = index < changed.size;
    switch (seen.kind) {
      case 'absent':
        if (known) gone.push(path);
        return;
      case 'unreadable':
        unread.push(path);
        return;
      case 'symlink':
        reading.push(path);
        return;
      case 'directory':
      case 'other':
        if (known) replaced.push(path);
        return;
      case 'file':
        if (!seen.readable) unread.push(path);
        else if (tools.isPrivate(store, path)) tooLarge.push(path);
        else if (known && seen.stats.size > limits.fileBytes) maybeTracked.push({ path, size: seen.stats.size });
        else if (known) reading.push(path);
        else if (seen.stats.size > limits.fileBytes) tooLarge.push(path);
        else fresh.push({ path, size: seen.stats.size, index });
    }
  });

  if (maybeTracked.length > 0) {
    const users = join(repository.gitDir, 'index');
    const tracked = await entriesAmong(
      git,
      store,
      maybeTracked.map(({ path }) => path),
      users,
    );
    for (const { path, size } of maybeTracked) {
      (tracked.has(path) && size <= limits.trackedFileBytes ? reading : tooLarge).push(path);
    }
  }
  let budget = limits.untrackedBytes;
  let count = 0;
  for (const { path, size } of fresh.sort((a, b) => a.index - b.index)) {
    const remembered = large.get(path);
    count += 1;
    budget -= size;
    if (budget < 0 || count > limits.untrackedFiles || (remembered && remembered.size === size)) tooLarge.push(path);
    else reading.push(path);
  }

  // What was remembered by fingerprint and is no longer found so is forgotten, and whatever is too large leaves the index.
  const stillLarge = new Set(tooLarge);
  const takes: { path: RawPath; fingerprint: Fingerprint | null }[] = [];
  await inParallel(tooLarge.length, (index, done) => {
    const path = tooLarge[index] as RawPath;
    takeFingerprint(onDisk(store.top, path), large.get(path))
      .then((fingerprint) => takes.push({ path, fingerprint }))
      .finally(done)
      .catch(() => {});
  });
  for (const path of large.keys()) if (!stillLarge.has(path)) large.delete(path);
  for (const { path, fingerprint } of takes) {
    if (fingerprint) large.set(path, fingerprint);
    else unread.push(path);
  }
  const leaving = [...replaced, ...tooLarge.filter((path) => changed.has(path))];
  await removeFromIndex(git, store, leaving);
  const failed = await addToIndex(git, store, gone, reading, signal);
  return { paths: [...unread, ...failed], indexChanged: leaving.length + gone.length + reading.length > 0 };
}

/** How many single failures are told apart before the rest of a batch is given up. */
const MAX_FAILURES = 50;

/** Adds and removes paths. One that git cannot read costs no other: it is left out and returned, the rest is tried again. */
async function addToIndex(
  git: Git,
  store: PrivateGitDir,
  gone: readonly RawPath[],
  reading: readonly RawPath[],
  signal: AbortSignal | undefined,
): Promise<RawPath[]> {
  const failed: RawPath[] = [];
  if (gone.length + reading.length === 0) return failed;
  // Removals first: a file may have become a folder, or the other way round.
  let paths = [...gone, ...reading];
  for (;;) {
    try {
      await git.run({
        gitDir: store.dir,
        workTree: store.top,
        args: ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'],
        input: nulSeparated(paths),
        signal,
      });
      return failed;
    } catch (error) {
      if (!isGitFailure(error) || error.code !== 'git_failed') throw error;
      const named = unprocessedPath(error.stderr);
      if (named === null || !paths.includes(named) || failed.length >= MAX_FAILURES) throw error;
      failed.push(named);
      paths = paths.filter((path) => path !== named);
      if (paths.length === 0) return failed;
    }
  }
}

function unprocessedPath(stderr: Buffer): RawPath | null {
  const match = /^fatal: Unable to process path ([\s\S]*)\n$/m.exec(stderr.toString('latin1'));
  return match ? (match[1] as RawPath) : null;
}

/** The number of entries that an index file says it has. */
async function countEntries(index: string): Promise<number> {
  const handle = await open(index).catch(() => null);
  if (handle === null) return 0;
  try {
    const header = Buffer.alloc(12);
    const { bytesRead } = await handle.read(header, 0, 12, 0);
    return bytesRead === 12 && header.toString('latin1', 0, 4) === 'DIRC' ? header.readUInt32BE(8) : 0;
  } finally {
    await handle.close();
  }
}
