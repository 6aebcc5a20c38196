/** Reads what may have changed into the private index, each file by the limits that apply to it. */
import { join } from 'node:path';
import { takeFingerprints } from '../filesystem/fingerprint';
import { statFiles } from '../filesystem/stat-files';
import { parentOf, type RawPath } from '../raw-path';
import { updateIndex } from './index-update';
import { lendForLineEnds } from './lend-objects';
import type { PrivateGitDir } from './private-git-dir';
import { entriesAmong } from './private-index';
import type { SnapshotTools, WorkTree } from './work-tree';
import type { WorkTreeStatus } from './work-tree-status';

/** Reads what changed into the index. Returns what could not be read. */
export async function readCandidates(
  tools: SnapshotTools,
  workTree: WorkTree,
  changed: ReadonlySet<RawPath>,
  status: Pick<WorkTreeStatus, 'changed' | 'untracked'>,
  absentOnPurpose: ReadonlySet<RawPath>,
): Promise<{ unread: RawPath[]; gone: Set<RawPath>; indexChanged: boolean }> {
  const { git, limits } = tools;
  const { store, repository, large } = workTree;
  // Files known by fingerprint are in no index: they are looked at again whether or not git lists them.
  const others = new Set([...status.untracked, ...large.keys()].filter((path) => !changed.has(path)));
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
  const now = await takeFingerprints(store.top, [...tooLarge, ...remembered.map(({ path }) => path)], large);
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
  if (workTree.autoLineEnds && !tools.namesOnly) {
    const known = reading.flatMap((path) => {
      const id = status.changed.get(path);
      return id ? [[path, id] as const] : [];
    });
    await lendForLineEnds(git, store, new Map(known));
  }
  const failed = await updateIndex(git, store, [...leaving, ...gone], reading, tools.namesOnly);
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
