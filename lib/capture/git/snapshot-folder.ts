/** Turns a folder without a usable repository into a tree of its private directory: Node says which files, git stores them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fingerprint, takeFingerprints } from '../filesystem/fingerprint';
import { folderRules, isSkippedClass } from '../filesystem/ignore-rules';
import { coverage, type WalkedFile, walkFolder } from '../filesystem/walk';
import type { PartGap } from '../part-gap';
import { onDisk, type RawPath } from '../raw-path';
import { byWatchRank, isSmallText, MAX_UNWATCHED } from './ignored-files';
import { leaveTree, updateIndex } from './index-update';
import { indexOf, type PrivateGitDir, preparePrivateGitDir, removeFile, removeLocks } from './private-git-dir';
import type { SnapshotTools, TreeSnapshot } from './work-tree';

/** Nanoseconds within which a file may change twice and show one time: the coarsest clock of a disk in use. */
const CLOCK_NS = 2_000_000_000n;

/** What is remembered of a folder between snapshots. */
export interface FolderTree {
  store: PrivateGitDir;
  /** What each file in the index was when it was read last. */
  read: Map<RawPath, { stat: string; newestNs: bigint; at: bigint }>;
  large: Map<RawPath, Fingerprint>;
  left: { tree: string; commit: string } | null;
}

/** Takes a snapshot within the limits of a folder without git; what they leave out is said in gaps and details. */
export async function snapshotFolder(
  tools: SnapshotTools & { includeDirs: readonly string[] },
  folder: FolderTree,
): Promise<TreeSnapshot> {
  const { limits } = tools;
  const { store } = folder;
  await preparePrivateGitDir(store, null);
  await removeLocks(store);
  if (folder.left === null) {
    // Nothing is known of what the index holds: it is made again from what is there.
    folder.read.clear();
    await removeFile(indexOf(store));
  }
  const gitignore = await readFile(join(store.top, '.gitignore'), 'utf8').catch(() => null);
  const at = BigInt(Date.now()) * 1_000_000n;
  const walk = await walkFolder(store.top, folderRules(tools.includeDirs, gitignore), {
    files: limits.scanFiles,
    ms: limits.scanMs,
  });
  const gaps: PartGap[] = [];
  if (walk.stoppedBy) gaps.push({ reason: walk.stoppedBy });
  if (walk.unreadable.length > 0) gaps.push({ reason: 'file_unreadable', paths: walk.unreadable });
  if (walk.skipped > 0) gaps.push({ reason: 'skipped_by_default', count: walk.skipped });

  const { watched, unwatched } = await chooseIgnored(tools, store, walk.ignored);
  const present = new Set<RawPath>();
  const reading: WalkedFile[] = [];
  const large: RawPath[] = [];
  let budget = limits.untrackedBytes;
  for (const file of [...walk.files, ...watched]) {
    present.add(file.path);
    if (
      file.kind === 'file' &&
      (file.size > limits.fileBytes || isSkippedClass(file.path) || tools.isPrivate(store, file.path))
    ) {
      large.push(file.path);
      continue;
    }
    const known = folder.read.get(file.path);
    if (known && known.stat === file.stat && known.newestNs < known.at - CLOCK_NS) continue;
    if (file.size > budget && file.kind === 'file') {
      large.push(file.path);
      continue;
    }
    budget -= file.size;
    reading.push(file);
  }

  folder.large = await takeFingerprints(store.top, large, folder.large);
  const unread = large.filter((path) => !folder.large.has(path));
  const largeNow = new Set(large);
  const covered = coverage(walk.uncovered);
  const gone = [...folder.read.keys()].filter((path) => largeNow.has(path) || (!present.has(path) && covered(path)));
  for (const path of gone) folder.read.delete(path);
  const failed = await updateIndex(
    tools.git,
    store,
    gone,
    reading.map((file) => file.path),
    tools.namesOnly,
  );
  const notRead = new Set(failed);
  for (const file of reading) {
    if (!notRead.has(file.path)) folder.read.set(file.path, { stat: file.stat, newestNs: file.newestNs, at });
  }
  unread.push(...failed);
  if (unread.length > 0) gaps.push({ reason: 'file_unreadable', paths: unread });

  if (folder.left === null || gone.length + reading.length > 0) {
    folder.left = null;
    folder.left = await leaveTree(tools.git, store, null, tools.namesOnly);
  }
  return {
    ...folder.left,
    head: null,
    fileCount: present.size,
    rules: '',
    details: {
      large: Object.fromEntries(folder.large) as Record<RawPath, Fingerprint>,
      ignored: watched.map((file) => file.path),
      watched: watched.map((file) => file.path),
      unwatched,
      unread,
      uncovered: walk.uncovered,
    },
    nested: walk.nested,
    gaps,
  };
}

/** Divides ignored files into the small ones that are watched and the names of the others. */
async function chooseIgnored(
  tools: SnapshotTools,
  store: PrivateGitDir,
  ignored: readonly WalkedFile[],
): Promise<{ watched: WalkedFile[]; unwatched: RawPath[] }> {
  const { limits } = tools;
  const watched: WalkedFile[] = [];
  const unwatched: RawPath[] = [];
  for (const file of [...ignored].sort((a, b) => byWatchRank(a.path, b.path))) {
    const wanted = watched.length < limits.ignoredFiles && !isSkippedClass(file.path);
    if (wanted && (await isSmallText(onDisk(store.top, file.path), limits.ignoredFileBytes))) watched.push(file);
    else if (unwatched.length < MAX_UNWATCHED) unwatched.push(file.path);
  }
  return { watched, unwatched };
}
