/** The private index: seeded from the user's, kept between snapshots, and brought back in line when the user's changed. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { statFiles } from '../filesystem/stat-files';
import { nulSeparated, type RawPath } from '../raw-path';
import { type Git, isGitFailure } from './git-command';
import { copyIndex, indexOf, type PrivateGitDir, removeFile, zeroId } from './private-git-dir';
import type { Repository } from './repository';
import { splitRecords } from './work-tree-status';

/** What a file is known by without reading it; `-` where it is missing. */
export async function signatureOf(file: string): Promise<string> {
  const stats = await stat(file, { bigint: true }).catch(() => null);
  return stats === null ? '-' : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** What of a seeded index does not say what the disk holds. */
export interface IndexOddities {
  gitlinks: RawPath[];
  unmerged: RawPath[];
  assumedUnchanged: RawPath[];
  skipped: RawPath[];
}

/** A seeded index as it was found. */
export interface SeededIndex {
  oddities: IndexOddities;
  paths: RawPath[];
}

/**
 * Replaces the private index by a copy of the user's. Stat data come along, so no clean file is read again. Returns
 * false where the user has no index yet: then the private one starts empty.
 */
export async function seedIndex(store: PrivateGitDir, repository: Repository | null): Promise<boolean> {
  await removeFile(indexOf(store));
  if (repository === null) return false;
  await copySharedIndexes(store, repository);
  return copyIndex(join(repository.gitDir, 'index'), indexOf(store));
}

/** A split index is read together with its shared part, which git looks for beside the private directory's own files. */
export async function copySharedIndexes(store: PrivateGitDir, repository: Repository): Promise<void> {
  const names = await readdir(repository.gitDir).catch(() => [] as string[]);
  for (const name of names) {
    if (name.startsWith('sharedindex.')) await copyIndex(join(repository.gitDir, name), join(store.dir, name));
  }
}

/** Lists a seeded index, and what must be set right in it. */
export async function lookThroughIndex(git: Git, store: PrivateGitDir): Promise<SeededIndex> {
  const found: IndexOddities = { gitlinks: [], unmerged: [], assumedUnchanged: [], skipped: [] };
  const unmerged = new Set<RawPath>();
  const paths: RawPath[] = [];
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['ls-files', '-z', '-s', '-v'],
    onOutput: splitRecords((record) => {
      // `H 100644 <id> 0\t<path>`; the tag is lower case when assumed unchanged, `S` when skipped, `M` when unmerged.
      const tag = record[0] as string;
      const path = record.slice(record.indexOf('\t') + 1) as RawPath;
      if (record.startsWith('160000', 2)) {
        found.gitlinks.push(path);
        return undefined;
      }
      if (tag === 'M' || tag === 'm') unmerged.add(path);
      else paths.push(path);
      if (tag !== tag.toUpperCase()) found.assumedUnchanged.push(path);
      if (tag === 'S' || tag === 's') found.skipped.push(path);
      return undefined;
    }),
  });
  found.unmerged = [...unmerged];
  return { oddities: found, paths };
}

/**
 * Sets a seeded index right: gitlinks leave it (their files are captured inside), unmerged paths leave it (they are read
 * from disk), nothing is assumed unchanged, and only absent files stay skipped. Returns the paths that are to be read.
 */
export async function settleIndex(
  git: Git,
  store: PrivateGitDir,
  oddities: IndexOddities,
): Promise<{ toRead: RawPath[]; skippedAbsent: RawPath[] }> {
  const leaving = [...oddities.gitlinks, ...oddities.unmerged];
  await removeFromIndex(git, store, leaving);
  if (oddities.assumedUnchanged.length > 0) {
    await git.run({
      gitDir: store.dir,
      workTree: store.top,
      args: ['update-index', '--no-assume-unchanged', '-z', '--stdin'],
      input: nulSeparated(oddities.assumedUnchanged),
    });
  }
  const skippedAbsent = await unskipPresent(git, store, oddities.skipped);
  return { toRead: oddities.unmerged, skippedAbsent };
}

/** Clears skip-worktree where the file is there. Returns those that are absent, which keep it. */
export async function unskipPresent(git: Git, store: PrivateGitDir, skipped: readonly RawPath[]): Promise<RawPath[]> {
  const present: RawPath[] = [];
  const absent: RawPath[] = [];
  await statFiles(store.top, skipped, (path, seen) => (seen.kind === 'absent' ? absent : present).push(path));
  if (present.length > 0) {
    await git.run({
      gitDir: store.dir,
      workTree: store.top,
      args: ['update-index', '--no-skip-worktree', '-z', '--stdin'],
      input: nulSeparated(present),
    });
  }
  return absent;
}

/** Takes paths out of the index, whatever is on disk. */
export async function removeFromIndex(
  git: Git,
  store: PrivateGitDir,
  paths: readonly RawPath[],
  indexFile?: string,
): Promise<void> {
  if (paths.length === 0) return;
  const line = `0 ${zeroId(store)}\t`;
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['update-index', '-z', '--index-info'],
    input: nulSeparated(
      (function* () {
        for (const path of paths) yield (line + path) as RawPath;
      })(),
    ),
    ...(indexFile === undefined ? {} : { indexFile }),
  });
}

export interface ListedEntry {
  path: RawPath;
  /** The user said that it need not be there (sparse checkout). */
  skipped: boolean;
}

/** The paths of an index, in git's order, each once. */
export async function listIndex(git: Git, store: PrivateGitDir, indexFile?: string): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['ls-files', '-z', '-t'],
    onOutput: splitRecords((record) => {
      const path = record.slice(2) as RawPath;
      if (entries.at(-1)?.path !== path) entries.push({ path, skipped: record.startsWith('S') });
      return undefined;
    }),
    ...(indexFile === undefined ? {} : { indexFile }),
  });
  return entries;
}

/** Compares two sorted listings, giving the event loop its turn: what only one of them holds, and what theirs skips. */
export async function compareListings(
  theirs: readonly ListedEntry[],
  ours: readonly ListedEntry[],
): Promise<{ onlyTheirs: RawPath[]; onlyOurs: RawPath[]; skipped: Set<RawPath> }> {
  const result = { onlyTheirs: [] as RawPath[], onlyOurs: [] as RawPath[], skipped: new Set<RawPath>() };
  let their = 0;
  let our = 0;
  let steps = 0;
  while (their < theirs.length || our < ours.length) {
    const a = theirs[their];
    const b = ours[our];
    if (a && (!b || a.path < b.path)) {
      if (!a.skipped) result.onlyTheirs.push(a.path);
      their += 1;
    } else if (b && (!a || b.path < a.path)) {
      result.onlyOurs.push(b.path);
      our += 1;
    } else {
      if (a?.skipped && !b?.skipped) result.skipped.add(a.path);
      their += 1;
      our += 1;
    }
    steps += 1;
    if (steps % 20_000 === 0) await new Promise(setImmediate);
  }
  return result;
}

/** How often a path that git refuses to look at is left out before the rest is given up. */
const MAX_REFUSALS = 100;

/**
 * Which of `paths` an ignore rule covers, whatever an index says. A path whose folder has become a link is refused by
 * git together with all the others: it is left out, with its neighbours, and the rest is asked again.
 */
export async function ignoredAmong(
  git: Git,
  store: PrivateGitDir,
  paths: readonly RawPath[],
  workTree: string = store.top,
): Promise<Set<RawPath>> {
  let asked = [...paths];
  for (let refusals = 0; asked.length > 0 && refusals < MAX_REFUSALS; refusals += 1) {
    const ignored = new Set<RawPath>();
    try {
      await git.run({
        gitDir: store.dir,
        workTree,
        args: ['check-ignore', '-z', '--no-index', '--stdin'],
        // `./` keeps a name that begins with a colon from being taken for magic.
        magicPathspecs: true,
        input: nulSeparated(asked.map((path) => `./${path}` as RawPath)),
        onOutput: splitRecords((record) => {
          ignored.add(record.slice(2) as RawPath);
          return undefined;
        }),
        exits: [0, 1],
      });
      return ignored;
    } catch (error) {
      const refused = isGitFailure(error) ? beyondLink(error.stderr) : null;
      if (refused === null) throw error;
      const folder = refused.slice(0, refused.lastIndexOf('/') + 1);
      asked = asked.filter((path) => !path.startsWith(folder));
    }
  }
  return new Set();
}

function beyondLink(stderr: Buffer): string | null {
  const match = /pathspec '\.\/([\s\S]*)' is beyond a symbolic link/.exec(stderr.toString('latin1'));
  return match?.[1]?.includes('/') ? match[1] : null;
}

/** Which of `paths` an index holds. */
export async function entriesAmong(
  git: Git,
  store: PrivateGitDir,
  paths: Iterable<RawPath>,
  indexFile: string,
): Promise<Set<RawPath>> {
  const wanted = new Set(paths);
  const held = new Set<RawPath>();
  if (wanted.size === 0) return held;
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['ls-files', '-z'],
    indexFile,
    onOutput: splitRecords((record) => {
      if (wanted.has(record as RawPath)) held.add(record as RawPath);
      return undefined;
    }),
  });
  return held;
}
