/** Turns what a work tree holds at one instant into a tree of its private directory, reading only what changed. */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limits } from '@/lib/domain/limits';
import { type Fingerprint, takeFingerprint } from '../filesystem/fingerprint';
import { inParallel, statFiles } from '../filesystem/stat-files';
import type { PartGap } from '../part-gap';
import { NO_PATH, nulSeparated, onDisk, parentOf, type RawPath } from '../raw-path';
import { filteredPaths } from './filtered-paths';
import { type Git, isGitFailure } from './git-command';
import {
  changedFolders,
  chooseWatched,
  findIgnored,
  learnFolders,
  MAX_UNWATCHED,
  type WatchedFolders,
} from './ignored-files';
import {
  heldSnapshots,
  indexOf,
  type PrivateGitDir,
  preparePrivateGitDir,
  removeFile,
  removeLocks,
  removeUnfinished,
  type SnapshotDetails,
  setHead,
} from './private-git-dir';
import {
  compareListings,
  copySharedIndexes,
  entriesAmong,
  ignoredAmong,
  listIndex,
  lookThroughIndex,
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
  /** Null in a folder without a repository. */
  head: HeadState | null;
  fileCount: number;
  /** Signature of the ignore rules that are no file of the tree. */
  rules: string;
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
  /** Signature of the user's index at the last reconciling. */
  usersIndex: string;
  /** Tree and commit of the private index as we left it; null when that is not known. */
  left: { tree: string; commit: string } | null;
  large: Map<RawPath, Fingerprint>;
  /** Covered, though a rule ignores it and the user's index has it not: with the number of the snapshot that found it so. */
  ignored: Map<RawPath, number>;
  /** Of those, the small ones that are watched. */
  watched: Set<RawPath>;
  /** Ignored files that stand on their own and are not watched. */
  unwatched: RawPath[];
  folders: WatchedFolders;
  learning: Promise<void>;
  /** Skipped and absent: looked for again before each snapshot. */
  skipped: RawPath[];
  /** Paths with a filter, of which only small files are read. */
  filtered: Set<RawPath>;
  /** Snapshots that are held, with their number. */
  held: Map<string, number>;
  /** Number of the last snapshot. */
  count: number;
  opened: boolean;
}

export function newWorkTree(store: PrivateGitDir, repository: Repository): WorkTree {
  return {
    store,
    repository,
    meaning: null,
    usersIndex: '',
    left: null,
    large: new Map(),
    ignored: new Map(),
    watched: new Set(),
    unwatched: [],
    folders: { changedAt: null, ignored: new Set() },
    learning: Promise.resolve(),
    skipped: [],
    filtered: new Set(),
    held: new Map(),
    count: 0,
    opened: false,
  };
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
  const rulesChanged = await configure(tools, workTree);
  await removeLocks(store);
  if (!workTree.opened) await openAgain(workTree);

  const usersIndex = await signatureOf(join(repository.gitDir, 'index'));
  const seeding = (await stat(indexOf(store)).catch(() => null)) === null;
  const candidates = new Set<RawPath>();
  if (seeding) await startIndex(tools, workTree);
  const discovery = discoverIgnored(git, workTree, seeding);
  discovery.catch(() => {});
  const status = seeding ? await settle(tools, workTree, candidates) : await statusAgain(tools, workTree);
  if (status.overflowed) gaps.push({ reason: 'list_limit', detail: 'more files changed than one listing holds' });
  if (status.unreadable.length > 0) gaps.push({ reason: 'file_unreadable', paths: status.unreadable });
  for (const path of status.changed) candidates.add(path);

  const newRules = seeding || rulesChanged || touchesIgnoreRules(status);
  const absentOnPurpose = new Set<RawPath>();
  if (newRules || usersIndex !== workTree.usersIndex) {
    const reconciled = await reconcile(tools, workTree, seeding);
    for (const path of reconciled.missing) candidates.add(path);
    for (const path of reconciled.skipped) absentOnPurpose.add(path);
    workTree.usersIndex = usersIndex;
  }
  const found = seeding || !newRules ? await discovery : await discoverIgnored(git, workTree, true);
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
    await letIgnoredLeave(git, workTree);
  }
  const read = await readCandidates(tools, workTree, candidates, status.untracked, absentOnPurpose);
  if (read.unread.length > 0) gaps.push({ reason: 'file_unreadable', paths: read.unread });
  for (const path of workTree.watched) {
    if (read.gone.has(path)) {
      workTree.watched.delete(path);
      workTree.ignored.delete(path);
    }
  }
  if (workTree.left === null || read.indexChanged) {
    workTree.left = null;
    const tree = await git.ask(store.dir, ['write-tree']);
    const commit = await git.ask(store.dir, ['commit-tree', tree, '-m', 'snapshot']);
    await setHead(store, commit);
    workTree.left = { tree, commit };
  }
  const left = workTree.left as { tree: string; commit: string };
  return {
    ...left,
    head: await readHead(git, repository),
    fileCount: (await countEntries(indexOf(store))) + workTree.large.size,
    rules: await rulesSignature(workTree),
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
async function openAgain(workTree: WorkTree): Promise<void> {
  await removeUnfinished(workTree.store);
  // Snapshots that an earlier process took are older than anything this one finds out.
  for (const id of await heldSnapshots(workTree.store)) if (!workTree.held.has(id)) workTree.held.set(id, -1);
  workTree.opened = true;
}

async function statusAgain(tools: SnapshotTools, workTree: WorkTree): Promise<WorkTreeStatus> {
  const { git, limits } = tools;
  const { store } = workTree;
  if (workTree.skipped.length > 0) workTree.skipped = await unskipPresent(git, store, workTree.skipped);
  return readStatus(git, store, { maxBytes: limits.listingBytes });
}

/** Starts the private index from the user's. */
async function startIndex(tools: SnapshotTools, workTree: WorkTree): Promise<void> {
  const { store, repository } = workTree;
  workTree.left = null;
  workTree.skipped = [];
  workTree.filtered = new Set();
  workTree.folders = { changedAt: null, ignored: new Set() };
  const seeded = await seedIndex(store, repository);
  const { commit } = await readHead(tools.git, repository);
  await setHead(store, seeded && commit !== null ? commit : 'ref: refs/heads/none');
}

/** Sets right what in a seeded index does not say what the disk holds, and looks at the disk. */
async function settle(tools: SnapshotTools, workTree: WorkTree, candidates: Set<RawPath>): Promise<WorkTreeStatus> {
  const { git, limits } = tools;
  const { store } = workTree;
  // What an earlier index covered although a rule ignores it stays covered.
  for (const path of workTree.ignored.keys()) candidates.add(path);
  const listing = { maxBytes: limits.listingBytes };
  // Most indexes have nothing odd: the first look at the disk goes on meanwhile.
  const [index, first] = await Promise.all([
    lookThroughIndex(git, store),
    readStatus(git, store, listing).catch((error: unknown) => error),
  ]);
  const filtered = await filteredPaths(
    git,
    store,
    index.paths,
    index.paths.filter((path) => path === '.gitattributes' || path.endsWith('/.gitattributes')),
    workTree.meaning?.settings.core.attributesfile,
  );
  const secret = index.paths.filter((path) => tools.isPrivate(store, path));
  const odd = Object.values(index.oddities).some((paths: RawPath[]) => paths.length > 0);
  if (!odd && filtered.length + secret.length === 0 && !(first instanceof Error)) return first as WorkTreeStatus;
  // A HEAD that cannot be read is no reason not to look at the files.
  if (first instanceof Error) await setHead(store, 'ref: refs/heads/none');
  const settled = await settleIndex(git, store, index.oddities);
  workTree.skipped = settled.skippedAbsent;
  // What git stores of filtered paths is not what they hold: they are read from disk.
  await removeFromIndex(git, store, [...filtered, ...secret]);
  for (const path of [...settled.toRead, ...filtered, ...secret]) candidates.add(path);
  workTree.filtered = new Set(filtered);
  return readStatus(git, store, listing);
}

/** Writes the private configuration again when one of the files that decide meaning changed. Returns whether one did. */
async function configure(tools: SnapshotTools, workTree: WorkTree): Promise<boolean> {
  const { repository, store } = workTree;
  const info = ['exclude', 'attributes'].map((name) => join(repository.commonDir, 'info', name));
  const sign = async (settings: MeaningSettings) => {
    const files = [...settings.sources, ...info, settings.core.excludesfile ?? '', settings.core.attributesfile ?? ''];
    return (await Promise.all(files.map(signatureOf))).join();
  };
  if (workTree.meaning && workTree.meaning.signature === (await sign(workTree.meaning.settings))) return false;
  const settings = await readMeaning(tools.git, repository, tools.users);
  const signature = await sign(settings);
  await preparePrivateGitDir(store, { repository, meaning: settings });
  workTree.meaning = { settings, signature };
  return true;
}

async function rulesSignature(workTree: WorkTree): Promise<string> {
  const excludes = workTree.meaning?.settings.core.excludesfile;
  const files = [join(workTree.repository.commonDir, 'info', 'exclude'), ...(excludes === undefined ? [] : [excludes])];
  return (await Promise.all(files.map(signatureOf))).join();
}

function touchesIgnoreRules(status: WorkTreeStatus): boolean {
  const isRules = (path: RawPath) => path === '.gitignore' || path.endsWith('/.gitignore');
  return status.changed.some(isRules) || status.untracked.some(isRules);
}

/**
 * Brings the private index in line with the user's: every path of theirs is eligible whatever ignores it, and ignored
 * entries that are not theirs are known as such. Returns the paths of theirs that are missing here, and those that they
 * skip.
 */
async function reconcile(
  tools: SnapshotTools,
  workTree: WorkTree,
  seeding: boolean,
): Promise<{ missing: RawPath[]; skipped: Set<RawPath> }> {
  const { git } = tools;
  const { store, repository } = workTree;
  if (seeding) return { missing: [], skipped: new Set() };
  await copySharedIndexes(store, repository);
  const users = join(repository.gitDir, 'index');
  const [theirs, ours] = await Promise.all([listIndex(git, store, users), listIndex(git, store)]);
  const { onlyTheirs, onlyOurs, skipped } = await compareListings(theirs, ours);
  const extras = [...onlyOurs, ...workTree.large.keys()];
  const ignored = await ignoredAmong(git, store, extras);
  const theirOwn = new Set(onlyTheirs);
  for (const path of workTree.ignored.keys()) if (!ignored.has(path)) workTree.ignored.delete(path);
  for (const path of ignored) {
    if (!workTree.ignored.has(path) && !theirOwn.has(path)) workTree.ignored.set(path, workTree.count);
  }
  for (const path of workTree.watched) if (!workTree.ignored.has(path)) workTree.watched.delete(path);
  return { missing: onlyTheirs, skipped };
}

/** Takes out what is ignored and not watched, unless a snapshot that is held still knows it as eligible. */
async function letIgnoredLeave(git: Git, workTree: WorkTree): Promise<void> {
  const oldest = Math.min(...workTree.held.values(), Number.POSITIVE_INFINITY);
  const leaving = [...workTree.ignored].filter(([path, since]) => !workTree.watched.has(path) && oldest >= since);
  if (leaving.length === 0) return;
  const paths = leaving.map(([path]) => path);
  await removeFromIndex(git, workTree.store, paths);
  workTree.left = null;
  for (const path of paths) {
    workTree.ignored.delete(path);
    workTree.large.delete(path);
  }
}

/**
 * Looks for ignored files, unless no folder changed since the last time. What is learned of the folders in the
 * background makes that cheap to tell.
 */
async function discoverIgnored(
  git: Git,
  workTree: WorkTree,
  always: boolean,
): Promise<{ files: RawPath[]; folders: Set<RawPath> } | null> {
  const { store } = workTree;
  const changed = await changedFolders(store, workTree.folders);
  if (!always && changed !== null && changed.length === 0) return null;
  const from = Date.now();
  const found = await findIgnored(git, store);
  const folders = workTree.folders;
  const known = always ? null : folders.changedAt;
  // Until they are learned again nothing is known of these folders.
  const next: WatchedFolders = { changedAt: null, ignored: found.folders };
  workTree.folders = next;
  workTree.learning = workTree.learning.then(async () => {
    if (workTree.folders !== next) return;
    const kept = new Map(known ?? []);
    for (const path of changed ?? []) kept.delete(path);
    const start = known === null ? [NO_PATH] : (changed ?? []);
    const learned = await learnFolders(store, start, found.folders, kept, from);
    for (const [path, time] of learned) kept.set(path, time);
    if (workTree.folders === next) next.changedAt = kept;
  });
  return found;
}

/** Reads what changed into the index. Returns what could not be read. */
async function readCandidates(
  tools: SnapshotTools,
  workTree: WorkTree,
  changed: ReadonlySet<RawPath>,
  untracked: readonly RawPath[],
  absentOnPurpose: ReadonlySet<RawPath>,
): Promise<{ unread: RawPath[]; gone: Set<RawPath>; indexChanged: boolean }> {
  const { git, limits } = tools;
  const { store, repository, large } = workTree;
  // Files known by fingerprint are in no index: they are looked at again whether or not git lists them.
  const others = new Set([...untracked, ...large.keys()].filter((path) => !changed.has(path)));
  const paths = [...changed, ...others];
  const beyondLinks = await pathsBeyondLinks(store, changed);
  const gone: RawPath[] = [];
  const reading: RawPath[] = [];
  const replaced: RawPath[] = [];
  const unread: RawPath[] = [];
  const tooLarge: RawPath[] = [];
  const maybeTracked: { path: RawPath; size: number }[] = [];
  const fresh: { path: RawPath; size: number; index: number }[] = [];

  await statFiles(store.top, paths, (path, seen, index) => {
    const known = index < changed.size;
    if (beyondLinks.has(path)) {
      gone.push(path);
      return;
    }
    switch (seen.kind) {
      case 'absent':
        if (known && !absentOnPurpose.has(path)) gone.push(path);
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
        else if (workTree.filtered.has(path) && seen.stats.size > limits.fileBytes) tooLarge.push(path);
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
  const remembered: { path: RawPath; size: number }[] = [];
  for (const file of fresh.sort((a, b) => a.index - b.index)) {
    count += 1;
    budget -= file.size;
    if (large.has(file.path)) remembered.push(file);
    else if (budget < 0 || count > limits.untrackedFiles) tooLarge.push(file.path);
    else reading.push(file.path);
  }
  const now = await takeFingerprints(store, [...tooLarge, ...remembered.map(({ path }) => path)], large);
  // What the budget left out is read once it changes, if it is small.
  for (const { path } of remembered) {
    if (now.get(path)?.version === large.get(path)?.version) continue;
    now.delete(path);
    reading.push(path);
  }
  for (const path of tooLarge) if (!now.has(path)) unread.push(path);
  large.clear();
  for (const [path, fingerprint] of now) large.set(path, fingerprint);
  const leaving = [...replaced, ...tooLarge.filter((path) => changed.has(path))];
  const failed = await updateIndex(git, store, [...leaving, ...gone], reading);
  return {
    unread: [...unread, ...failed],
    gone: new Set(gone),
    indexChanged: leaving.length + gone.length + reading.length > 0,
  };
}

/** Paths whose folder has become a link: what stands at its other end is another file. */
async function pathsBeyondLinks(store: PrivateGitDir, paths: ReadonlySet<RawPath>): Promise<Set<RawPath>> {
  const folders = new Set<RawPath>();
  for (const path of paths) {
    for (let folder = parentOf(path); folder !== '' && !folders.has(folder); folder = parentOf(folder))
      folders.add(folder);
  }
  const links = new Set<RawPath>();
  await statFiles(store.top, [...folders], (folder, seen) => {
    if (seen.kind === 'symlink') links.add(folder);
  });
  const beyond = new Set<RawPath>();
  if (links.size === 0) return beyond;
  for (const path of paths) {
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) if (links.has(folder)) beyond.add(path);
  }
  return beyond;
}

/** Takes the fingerprints of files; those that are gone or cannot be read are missing from the result. */
export async function takeFingerprints(
  store: PrivateGitDir,
  paths: readonly RawPath[],
  earlier: ReadonlyMap<RawPath, Fingerprint>,
): Promise<Map<RawPath, Fingerprint>> {
  const taken = new Map<RawPath, Fingerprint>();
  await inParallel(paths.length, (index, done) => {
    const path = paths[index] as RawPath;
    takeFingerprint(onDisk(store.top, path), earlier.get(path))
      .then((fingerprint) => {
        if (fingerprint) taken.set(path, fingerprint);
      })
      .finally(done)
      .catch(() => {});
  });
  return taken;
}

/** How many single failures are told apart before the rest of a batch is given up. */
const MAX_FAILURES = 50;

/** Removes and adds paths. One that git cannot read costs no other: it is left out and returned, the rest is tried again. */
export async function updateIndex(
  git: Git,
  store: PrivateGitDir,
  gone: readonly RawPath[],
  reading: readonly RawPath[],
): Promise<RawPath[]> {
  // Removals first: a file may have become a folder, or a folder a link, beyond which git would not look.
  await removeFromIndex(git, store, gone);
  const failed: RawPath[] = [];
  let paths = [...reading];
  while (paths.length > 0) {
    try {
      await git.run({
        gitDir: store.dir,
        workTree: store.top,
        args: ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'],
        input: nulSeparated(paths),
      });
      break;
    } catch (error) {
      if (!isGitFailure(error) || error.code !== 'git_failed') throw error;
      const named = unprocessedPath(error.stderr);
      if (named === null || !paths.includes(named) || failed.length >= MAX_FAILURES) throw error;
      failed.push(named);
      paths = paths.filter((path) => path !== named);
    }
  }
  return failed;
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
