/** Decides which files of a folder without git's rules a snapshot covers, and says what it leaves out. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limits } from '@/lib/domain/limits';
import type { PartGap } from '../part-gap';
import { onDisk, type RawPath } from '../raw-path';
import { folderRules, isSkippedClass } from './ignore-rules';
import { coverage, type Uncovered, type WalkedFile, walkFolder } from './walk';
import { byWatchRank, isSmallText, MAX_UNWATCHED } from './watch-choice';

/** What is remembered of a folder between snapshots. */
export interface FolderMemory {
  top: string;
  /** Files that are covered, as they were when they were read last. */
  read: Map<RawPath, ReadFile>;
  /** Covered, though a rule ignores it by now and it is not watched: with the number of the snapshot that found it so. */
  ignoredSince: Map<RawPath, number>;
  /** Snapshots that are held, with their number. */
  held: Map<string, number>;
  count: number;
}

export interface ReadFile {
  stat: string;
  newestNs: bigint;
  /** When it was looked at, nanoseconds. */
  at: bigint;
}

export const newFolderMemory = (top: string): FolderMemory => ({
  top,
  read: new Map(),
  ignoredSince: new Map(),
  held: new Map(),
  count: 0,
});

/**
 * Nanoseconds within which a file may change twice and show one time: the tick of the clock that stamps files, or two
 * seconds where times have no fractions.
 */
const clockNs = (time: bigint) => (time % 1_000_000_000n === 0n ? 2_000_000_000n : 40_000_000n);

/** Whether a file is as it was when it was read: equal means unchanged only when it was past any doubt then. */
export function isUnchanged(file: WalkedFile, known: ReadFile | undefined): boolean {
  return known !== undefined && known.stat === file.stat && known.newestNs < known.at - clockNs(known.newestNs);
}

export interface FolderScan {
  /** When it began, nanoseconds. */
  at: bigint;
  /** Every file that is covered. */
  files: WalkedFile[];
  /** Covered until now, and gone. */
  gone: RawPath[];
  ignored: RawPath[];
  watched: RawPath[];
  unwatched: RawPath[];
  uncovered: Uncovered[];
  nested: RawPath[];
  gaps: PartGap[];
}

export async function scanFolder(
  memory: FolderMemory,
  options: { limits: Limits; includeDirs: readonly string[]; intoRepositories: boolean },
): Promise<FolderScan> {
  const { limits } = options;
  memory.count += 1;
  const gitignore = await readFile(join(memory.top, '.gitignore'), 'utf8').catch(() => null);
  const at = BigInt(Date.now()) * 1_000_000n;
  const walk = await walkFolder(
    memory.top,
    folderRules(options.includeDirs, gitignore),
    { files: limits.scanFiles, ms: limits.scanMs },
    {
      intoRepositories: options.intoRepositories,
      kept: { has: (path) => memory.read.has(path), folders: foldersOf(memory.read.keys()) },
    },
  );
  const gaps: PartGap[] = [];
  if (walk.stoppedBy) gaps.push({ reason: walk.stoppedBy });
  if (walk.unreadable.length > 0) gaps.push({ reason: 'file_unreadable', paths: walk.unreadable });
  if (walk.skipped > 0) gaps.push({ reason: 'skipped_by_default', count: walk.skipped });

  const { watched, unwatched } = await chooseIgnored(memory, walk.ignored, walk.kept, limits);
  const isWatched = new Set(watched.map((file) => file.path));
  // What a held snapshot knows as eligible stays covered, whatever ignores it since.
  const oldest = Math.min(...memory.held.values(), Number.POSITIVE_INFINITY);
  const staying: WalkedFile[] = [];
  for (const file of walk.kept) {
    if (isWatched.has(file.path)) continue;
    const since = memory.ignoredSince.get(file.path) ?? memory.count;
    memory.ignoredSince.set(file.path, since);
    if (oldest < since) staying.push(file);
  }
  const ignoredNow = new Set(walk.kept.map((file) => file.path));
  for (const path of memory.ignoredSince.keys()) if (!ignoredNow.has(path)) memory.ignoredSince.delete(path);
  const files = [...walk.files, ...watched, ...staying];
  const present = new Set(files.map((file) => file.path));
  const covered = coverage(walk.uncovered);
  return {
    at,
    files,
    gone: [...memory.read.keys()].filter((path) => !present.has(path) && covered(path)),
    ignored: [...isWatched, ...staying.map((file) => file.path)],
    watched: [...isWatched],
    unwatched,
    uncovered: walk.uncovered,
    nested: walk.nested,
    gaps,
  };
}

function foldersOf(paths: Iterable<RawPath>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** Divides ignored files that stand on their own into the small ones that are watched and the names of the others. */
async function chooseIgnored(
  memory: FolderMemory,
  ignored: readonly WalkedFile[],
  kept: readonly WalkedFile[],
  limits: Limits,
): Promise<{ watched: WalkedFile[]; unwatched: RawPath[] }> {
  const watched: WalkedFile[] = [];
  const unwatched: RawPath[] = [];
  const standing = kept.filter((file) => !file.inIgnoredFolder);
  for (const file of [...ignored, ...standing].sort((a, b) => byWatchRank(a.path, b.path))) {
    const wanted = watched.length < limits.ignoredFiles && !isSkippedClass(file.path);
    if (wanted && (await isSmallText(onDisk(memory.top, file.path), limits.ignoredFileBytes))) watched.push(file);
    else if (unwatched.length < MAX_UNWATCHED) unwatched.push(file.path);
  }
  return { watched, unwatched };
}
