/** Turns a folder without a usable repository into a tree of its private directory: Node says which files, git stores them. */
import { type Fingerprint, takeFingerprints } from '../filesystem/fingerprint';
import { type FolderMemory, isUnchanged, scanFolder } from '../filesystem/folder-scan';
import { isSkippedClass } from '../filesystem/ignore-rules';
import type { WalkedFile } from '../filesystem/walk';
import type { RawPath } from '../raw-path';
import { leaveTree, updateIndex } from './index-update';
import { indexOf, type PrivateGitDir, preparePrivateGitDir, removeFile, removeLocks } from './private-git-dir';
import type { SnapshotTools, TreeSnapshot } from './work-tree';

/** What is remembered of a folder between snapshots. */
export interface FolderTree {
  store: PrivateGitDir;
  memory: FolderMemory;
  large: Map<RawPath, Fingerprint>;
  left: { tree: string; commit: string } | null;
}

/** Takes a snapshot within the limits of a folder without git; what they leave out is said in gaps and details. */
export async function snapshotFolder(
  tools: SnapshotTools & { includeDirs: readonly string[] },
  folder: FolderTree,
): Promise<TreeSnapshot> {
  const { git, limits, namesOnly } = tools;
  const { store, memory } = folder;
  await preparePrivateGitDir(store, null);
  await removeLocks(store);
  if (folder.left === null) {
    // Nothing is known of what the index holds: it is made again from what is there.
    memory.read.clear();
    await removeFile(indexOf(store));
  }
  const scan = await scanFolder(memory, { limits, includeDirs: tools.includeDirs, intoRepositories: false });
  const reading: WalkedFile[] = [];
  const large: RawPath[] = [];
  let budget = limits.untrackedBytes;
  for (const file of scan.files) {
    const stored = file.kind === 'symlink' || !isLeftOut(tools, store, file);
    if (stored && isUnchanged(file, memory.read.get(file.path))) continue;
    if (!stored || file.size > budget) {
      large.push(file.path);
      continue;
    }
    budget -= file.size;
    reading.push(file);
  }

  folder.large = await takeFingerprints(store.top, large, folder.large);
  const unread = large.filter((path) => !folder.large.has(path));
  const gone = [...scan.gone, ...large.filter((path) => memory.read.has(path))];
  for (const path of gone) memory.read.delete(path);
  const paths = reading.map((file) => file.path);
  const failed = new Set(await updateIndex(git, store, gone, paths, namesOnly));
  for (const { path, stat, newestNs } of reading) {
    if (!failed.has(path)) memory.read.set(path, { stat, newestNs, at: scan.at });
  }
  unread.push(...failed);

  if (folder.left === null || gone.length + reading.length > 0) {
    folder.left = null;
    folder.left = await leaveTree(git, store, null);
  }
  return {
    ...folder.left,
    head: null,
    fileCount: scan.files.length,
    rules: '',
    details: {
      large: Object.fromEntries(folder.large) as Record<RawPath, Fingerprint>,
      ignored: scan.ignored,
      watched: scan.watched,
      unwatched: scan.unwatched,
      unread,
      uncovered: scan.uncovered,
    },
    nested: scan.nested,
    gaps: unread.length > 0 ? [...scan.gaps, { reason: 'file_unreadable', paths: unread }] : scan.gaps,
  };
}

/** Files that are listed without content. */
function isLeftOut(tools: SnapshotTools, store: PrivateGitDir, file: WalkedFile): boolean {
  return file.size > tools.limits.fileBytes || isSkippedClass(file.path) || tools.isPrivate(store, file.path);
}
