/** Walks a folder breadth first within bounds, and says exactly what it did not look at. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { joinRaw, NO_PATH, onDisk, type RawPath, rawFromBytes } from '../raw-path';
import type { FolderRules } from './ignore-rules';

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

/** Walks `root`; folders with a repository of their own are entered only when asked for. Links are recorded and never followed; what is neither file nor link is passed over unopened. */
export async function walkFolder(
  root: string,
  rules: FolderRules,
  bounds: { files: number; ms: number },
  options: { intoRepositories?: boolean } = {},
): Promise<Walk> {
  const walk: Walk = {
    files: [],
    ignored: [],
    nested: [],
    uncovered: [],
    unreadable: [],
    skipped: 0,
    stoppedBy: null,
  };
  const deadline = performance.now() + bounds.ms;
  let level: RawPath[] = [NO_PATH];
  while (level.length > 0) {
    const next: RawPath[] = [];
    for (let at = 0; at < level.length; at += FOLDERS_IN_FLIGHT) {
      const batch = level.slice(at, at + FOLDERS_IN_FLIGHT);
      if (walk.stoppedBy === null && performance.now() > deadline) walk.stoppedBy = 'time_limit';
      if (walk.stoppedBy !== null) {
        walk.uncovered.push(...batch.map((folder) => ({ folder, from: null })));
        continue;
      }
      const into = options.intoRepositories ?? false;
      const read = await Promise.all(batch.map((folder) => readFolder(root, folder, rules, into)));
      for (const [index, found] of read.entries()) {
        const folder = batch[index] as RawPath;
        if (found === null) {
          walk.unreadable.push(folder);
          walk.uncovered.push({ folder, from: null });
          continue;
        }
        if (found.repository && !into) {
          walk.nested.push(folder);
          continue;
        }
        walk.skipped += found.skipped;
        walk.ignored.push(...found.ignored);
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

interface FolderContent {
  repository: boolean;
  files: WalkedFile[];
  ignored: WalkedFile[];
  folders: RawPath[];
  skipped: number;
}

async function readFolder(
  root: string,
  folder: RawPath,
  rules: FolderRules,
  intoRepositories: boolean,
): Promise<FolderContent | null> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(onDisk(root, folder), { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return null;
  }
  const named = entries
    .map((entry) => ({ entry, name: rawFromBytes(entry.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const content: FolderContent = { repository: false, files: [], ignored: [], folders: [], skipped: 0 };
  content.repository = folder !== '' && named.some(({ name }) => name === '.git');
  if (content.repository && !intoRepositories) return content;
  await Promise.all(
    named.map(async ({ entry, name }) => {
      const path = joinRaw(folder, name);
      if (entry.isDirectory()) {
        if (rules.isGenerated(name)) {
          if (name !== '.git') content.skipped += 1;
        } else if (!rules.isIgnored(path, true)) content.folders.push(`${path}/` as RawPath);
        return;
      }
      if (name === '.git' || !(entry.isFile() || entry.isSymbolicLink())) return;
      const file = await look(root, path);
      if (file === null) return;
      (rules.isIgnored(path, false) ? content.ignored : content.files).push(file);
    }),
  );
  content.folders.sort();
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

async function look(root: string, path: RawPath): Promise<WalkedFile | null> {
  const stats = await lstat(onDisk(root, path), { bigint: true }).catch(() => null);
  if (stats === null) return null;
  const kind = stats.isSymbolicLink() ? 'symlink' : stats.isFile() ? 'file' : null;
  if (kind === null) return null;
  const mode = kind === 'symlink' ? '120000' : stats.mode & 0o100n ? '100755' : '100644';
  return {
    path,
    kind,
    size: Number(stats.size),
    mode,
    stat: `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${mode}:${stats.ino}`,
    // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigint
    newestNs: stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs,
  };
}
