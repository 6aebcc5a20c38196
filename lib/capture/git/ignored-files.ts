/** Finds the small ignored files that stand on their own, such as `.env`, so that a change to them is seen too. */
import { lstat as lstatCallback, lstatSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { Limits } from '@/lib/domain/limits';
import { isSkippedClass } from '../filesystem/ignore-rules';
import { inParallel } from '../filesystem/stat-files';
import { byWatchRank, isSmallText } from '../filesystem/watch-choice';
import { joinRaw, onDisk, parentOf, type RawPath, rawFromBytes } from '../raw-path';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';
import { ignoredAmong } from './private-index';
import { splitRecords } from './work-tree-status';

/** What is remembered of a work tree's folders, so that a repeat need not look for ignored files again. */
export interface WatchedFolders {
  /** Time of last change by folder, of every folder that no rule ignores; null until they were learned. */
  changedAt: Map<RawPath, number> | null;
  /** None of them changed since its files were looked for, as far as git's untracked cache has been asked. */
  settled: boolean;
  /** Ignored folders, of which nothing is looked at. Each ends in `/`. */
  ignored: Set<RawPath>;
}

/**
 * Milliseconds by which a folder's time must be past before its being equal means anything: the tick of the clock that
 * stamps files, or two seconds where times have no fractions.
 */
const clockMs = (time: number) => (time % 1_000 === 0 ? 2_000 : 40);

/** The folders in which something was created, removed or renamed since they were learned, or null when none was learned. */
export async function changedFolders(store: PrivateGitDir, folders: WatchedFolders): Promise<RawPath[] | null> {
  const known = folders.changedAt;
  if (known === null) return null;
  const paths = [...known.keys()];
  const changed: RawPath[] = [];
  let next = 0;
  let isQuick = await isQuickDisk(store);
  // Asking one after the other costs a fifth of asking through threads, as long as the disk has its answers at hand.
  while (isQuick && next < paths.length) {
    const from = performance.now();
    const end = Math.min(paths.length, next + AT_ONCE);
    for (; next < end; next += 1) {
      const path = paths[next] as RawPath;
      if (changeTimeOf(store, path) !== known.get(path)) changed.push(path);
    }
    isQuick = performance.now() - from < SLOW_MS;
    await new Promise(setImmediate);
  }
  const rest = paths.slice(next);
  await inParallel(rest.length, (index, done) => {
    const path = rest[index] as RawPath;
    lstatCallback(onDisk(store.top, path), (error, stats) => {
      if (error || stats.ctimeMs !== known.get(path)) changed.push(path);
      done();
    });
  });
  return changed;
}

/** Folders that are looked at before the event loop gets its turn: about a millisecond. */
const AT_ONCE = 200;
/** Milliseconds for which a look at so many is not the disk's own, but that of a network or a spinning disk. */
const SLOW_MS = 10;

/** Whether the disk answers at once; one that hangs is found out without stopping anybody. */
async function isQuickDisk(store: PrivateGitDir): Promise<boolean> {
  const from = performance.now();
  await lstat(store.top).catch(() => null);
  return performance.now() - from < SLOW_MS;
}

function changeTimeOf(store: PrivateGitDir, path: RawPath): number | undefined {
  try {
    return lstatSync(onDisk(store.top, path), { throwIfNoEntry: false })?.ctimeMs;
  } catch {
    return undefined;
  }
}

/** Every ignored file that no ignored folder holds, and the ignored folders, as git's rules have it now. */
export async function findIgnored(
  git: Git,
  store: PrivateGitDir,
): Promise<{ files: RawPath[]; folders: Set<RawPath> }> {
  const files: RawPath[] = [];
  const folders = new Set<RawPath>();
  let last: RawPath | null = null;
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory'],
    onOutput: splitRecords((record) => {
      const path = record as RawPath;
      // A folder that is followed by what it holds is not ignored itself; all it holds is.
      if (last !== null && path.startsWith(last)) folders.delete(last);
      if (path.endsWith('/')) {
        folders.add(path);
        last = path;
      } else {
        files.push(path);
      }
      return undefined;
    }),
  });
  return { files, folders };
}

/** Chooses which ignored files are watched: small, text, of no skipped class, in no ignored folder, the most telling first. */
export async function chooseWatched(
  git: Git,
  store: PrivateGitDir,
  files: readonly RawPath[],
  limits: Pick<Limits, 'ignoredFiles' | 'ignoredFileBytes'>,
  already: number,
): Promise<RawPath[]> {
  const chosen: RawPath[] = [];
  const candidates = files.filter((path) => !isSkippedClass(path)).sort(byWatchRank);
  const room = limits.ignoredFiles - already;
  for (let at = 0; at < candidates.length && chosen.length < room; at += 400) {
    const batch = candidates.slice(at, at + 400);
    const ancestors = new Set<RawPath>();
    for (const path of batch) {
      for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) ancestors.add(folder);
    }
    const ignoredFolders = await ignoredAmong(git, store, [...ancestors]);
    for (const path of batch) {
      if (chosen.length >= room) break;
      let held = false;
      for (let folder = parentOf(path); folder !== '' && !held; folder = parentOf(folder)) {
        held = ignoredFolders.has(folder);
      }
      if (!held && (await isSmallText(onDisk(store.top, path), limits.ignoredFileBytes))) chosen.push(path);
    }
  }
  return chosen;
}

/**
 * Learns `start` and every folder below that no rule ignores and that is not in `known`, with its time of last change.
 * Folders that changed since `from` (ms) are remembered as changed: what came into them after the files were looked for
 * is found the next time.
 */
export async function learnFolders(
  store: PrivateGitDir,
  start: readonly RawPath[],
  ignored: ReadonlySet<RawPath>,
  known: ReadonlyMap<RawPath, number>,
  from: number,
): Promise<Map<RawPath, number>> {
  const learned = new Map<RawPath, number>();
  let level = [...start];
  while (level.length > 0) {
    const next: RawPath[] = [];
    await inParallel(level.length, (index, done) => {
      const folder = level[index] as RawPath;
      readOne(store, folder)
        .then((found) => {
          // A repository of its own is looked at by its own private directory.
          if (found === null || (folder !== '' && found.repository)) return;
          learned.set(
            folder,
            found.stats.ctimeMs > from - clockMs(found.stats.ctimeMs) ? Number.NaN : found.stats.ctimeMs,
          );
          for (const name of found.folders) {
            const path = joinRaw(folder === '' ? '' : `${folder}/`, name);
            if (!ignored.has(`${path}/` as RawPath) && !known.has(path)) next.push(path);
          }
        })
        .finally(done)
        .catch(() => {});
    });
    level = next;
  }
  return learned;
}

async function readOne(
  store: PrivateGitDir,
  folder: RawPath,
): Promise<{ stats: Stats; folders: string[]; repository: boolean } | null> {
  try {
    const path = onDisk(store.top, folder);
    const stats = await lstat(path);
    const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' });
    const folders: string[] = [];
    let repository = false;
    for (const entry of entries) {
      const name = rawFromBytes(entry.name);
      if (name === '.git') repository = true;
      else if (entry.isDirectory()) folders.push(name);
    }
    return { stats, folders, repository };
  } catch {
    return null;
  }
}
