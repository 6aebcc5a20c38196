/** Walks a folder breadth first within bounds, and says exactly what it did not look at. */
import { type Dirent, lstat } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { joinRaw, NO_PATH, onDisk, type RawPath, rawFromBytes } from '../raw-path';
import type { FolderRules } from './ignore-rules';
import { inParallel } from './stat-files';

export interface WalkedFile {
  path: RawPath;
  kind: 'file' | 'symlink';
  size: number;
  /** As git writes it. */
  mode: string;
  /** Size, times in nanoseconds, mode and inode: equal when nothing touched the file. */
  stat: string;
  /** The later of both times, nanoseconds. */
  newestNs: bigint;
  /** A rule ignores a folder that holds it. */
  inIgnoredFolder: boolean;
}

/** A stretch of a folder that a walk did not look at. */
export interface Uncovered {
  /** Empty for the root, else ending in `/`. */
  folder: RawPath;
  /** Null for all below it; else only the files directly inside, from this name on. */
  from: string | null;
}

export interface Walk {
  files: WalkedFile[];
  /** Ignored files that stand on their own, as the root `.gitignore` has it. */
  ignored: WalkedFile[];
  /** Ignored by now, wherever they are, and looked at because they are kept. */
  kept: WalkedFile[];
  /** Folders with a repository of their own, each ending in `/`. */
  nested: RawPath[];
  /** What is not known because a bound was reached or a folder could not be read. */
  uncovered: Uncovered[];
  unreadable: RawPath[];
  /** Generated folders that were left out. */
  skipped: number;
  stoppedBy: 'scan_limit' | 'time_limit' | null;
}

/** Folders read at once. */
const FOLDERS_IN_FLIGHT = 16;

export interface WalkOptions {
  /** Folders with a repository of their own are entered too. */
  intoRepositories: boolean;
  /** Paths that are looked at even where a rule ignores them by now, and the folders that lead to them, each ending in `/`. */
  kept: { has(path: RawPath): boolean; folders: ReadonlySet<string> };
}

/** Walks `root`. Links are recorded and never followed; what is neither file nor link is passed over unopened. */
export async function walkFolder(
  root: string,
  rules: FolderRules,
  bounds: { files: number; ms: number },
  options: WalkOptions,
): Promise<Walk> {
  const walk: Walk = {
    files: [],
    ignored: [],
    kept: [],
    nested: [],
    uncovered: [],
    unreadable: [],
    skipped: 0,
    stoppedBy: null,
  };
  const deadline = performance.now() + bounds.ms;
  let level: Folder[] = [{ path: NO_PATH, ignored: false }];
  while (level.length > 0) {
    const next: Folder[] = [];
    for (let at = 0; at < level.length; at += FOLDERS_IN_FLIGHT) {
      const batch = level.slice(at, at + FOLDERS_IN_FLIGHT);
      if (walk.stoppedBy === null && performance.now() > deadline) walk.stoppedBy = 'time_limit';
      if (walk.stoppedBy !== null) {
        walk.uncovered.push(...batch.map(({ path }) => ({ folder: path, from: null })));
        continue;
      }
      const read = await Promise.all(batch.map((folder) => readFolder(root, folder, rules, options)));
      for (const [index, found] of read.entries()) {
        const folder = (batch[index] as Folder).path;
        if (found === null) {
          walk.unreadable.push(folder);
          walk.uncovered.push({ folder, from: null });
          continue;
        }
        if (found.repository && !options.intoRepositories) {
          walk.nested.push(folder);
          continue;
        }
        walk.skipped += found.skipped;
        walk.ignored.push(...found.ignored);
        walk.kept.push(...found.kept);
        const room = bounds.files - walk.files.length;
        const firstLeftOut = found.files[room];
        if (firstLeftOut) {
          walk.stoppedBy ??= 'scan_limit';
          walk.uncovered.push({ folder, from: firstLeftOut.path.slice(folder.length) });
        }
        walk.files.push(...found.files.slice(0, room));
        next.push(...found.folders);
      }
    }
    level = next;
  }
  return walk;
}

/** A folder on the way: its path ends in `/`, or is empty for the root. */
interface Folder {
  path: RawPath;
  /** A rule ignores it: only what is kept is looked at. */
  ignored: boolean;
}

interface FolderContent {
  repository: boolean;
  files: WalkedFile[];
  ignored: WalkedFile[];
  kept: WalkedFile[];
  folders: Folder[];
  skipped: number;
}

async function readFolder(
  root: string,
  folder: Folder,
  rules: FolderRules,
  { intoRepositories, kept }: WalkOptions,
): Promise<FolderContent | null> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(onDisk(root, folder.path), { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return null;
  }
  const content: FolderContent = { repository: false, files: [], ignored: [], kept: [], folders: [], skipped: 0 };
  const looked: { path: RawPath; where: WalkedFile[] }[] = [];
  for (const entry of entries) {
    const name = rawFromBytes(entry.name);
    const path = joinRaw(folder.path, name);
    if (name === '.git') {
      content.repository = folder.path !== '';
    } else if (entry.isDirectory()) {
      const inside = `${path}/` as RawPath;
      const ignored = folder.ignored || rules.isIgnored(path, true);
      if (rules.isGenerated(name)) content.skipped += folder.ignored ? 0 : 1;
      else if (!ignored || kept.folders.has(inside)) content.folders.push({ path: inside, ignored });
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      if (!folder.ignored && !rules.isIgnored(path, false)) looked.push({ path, where: content.files });
      else if (kept.has(path)) looked.push({ path, where: content.kept });
      else if (!folder.ignored) looked.push({ path, where: content.ignored });
    }
  }
  if (content.repository && !intoRepositories) return content;
  await inParallel(looked.length, (index, done) => {
    const { path, where } = looked[index] as (typeof looked)[number];
    look(root, path, folder.ignored, (file) => {
      if (file !== null) where.push(file);
      done();
    });
  });
  content.folders.sort((a, b) => (a.path < b.path ? -1 : 1));
  content.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return content;
}

/** Tells whether a walk that left `uncovered` out looked at a path. */
export function coverage(uncovered: readonly Uncovered[]): (path: RawPath) => boolean {
  if (uncovered.length === 0) return () => true;
  const folders = new Set<string>();
  const parts = new Map<string, string>();
  for (const { folder, from } of uncovered) {
    if (from === null) folders.add(folder);
    else parts.set(folder, from);
  }
  return (path) => {
    if (folders.has('')) return false;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (folders.has(path.slice(0, slash + 1))) return false;
    }
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const from = parts.get(folder);
    return from === undefined || path.slice(folder.length) < from;
  };
}

function look(root: string, path: RawPath, inIgnoredFolder: boolean, seen: (file: WalkedFile | null) => void): void {
  lstat(onDisk(root, path), { bigint: true }, (error, stats) => {
    const kind = error ? null : stats.isSymbolicLink() ? 'symlink' : stats.isFile() ? 'file' : null;
    if (kind === null) {
      seen(null);
      return;
    }
    const mode = kind === 'symlink' ? '120000' : stats.mode & 0o100n ? '100755' : '100644';
    seen({
      path,
      kind,
      size: Number(stats.size),
      mode,
      stat: `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${mode}:${stats.ino}`,
      // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigint
      newestNs: stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs,
      inIgnoredFolder,
    });
  });
}
