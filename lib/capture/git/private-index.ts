/** The private index: seeded from the user's, kept between snapshots, and brought back in line when the user's changed. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { statFiles } from '../filesystem/stat-files';
import { nulSeparated, parentOf, type RawPath } from '../raw-path';
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

/** A seeded index as it was found. */
export interface SeededIndex {
  oddities: IndexOddities;
  /** Its `.gitattributes`, with their contents' ids. */
  attributeFiles: { path: RawPath; id: string }[];
}

const [LETTER_H, DIGIT_1, DIGIT_0] = [0x48, 0x31, 0x30];

/** Looks a seeded index through for what must be set right in it. */
export async function lookThroughIndex(git: Git, store: PrivateGitDir): Promise<SeededIndex> {
  const found: IndexOddities = { gitlinks: [], unmerged: [], assumedUnchanged: [], skipped: [] };
  const attributeFiles: SeededIndex['attributeFiles'] = [];
  const unmerged = new Set<RawPath>();
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['ls-files', '-z', '-s', '-v'],
    onOutput: splitRecords((record) => {
      if (record.endsWith('.gitattributes')) {
        const path = record.slice(record.indexOf('\t') + 1) as RawPath;
        attributeFiles.push({ path, id: record.split(' ', 3)[2] as string });
      }
      // `H 100644 <id> 0\t<path>`; the tag is lower case when assumed unchanged, `S` when skipped, `M` when unmerged.
      const ordinary =
        record.charCodeAt(0) === LETTER_H && record.charCodeAt(2) === DIGIT_1 && record.charCodeAt(3) === DIGIT_0;
      if (ordinary) return undefined;
      const tag = record[0] as string;
      const path = record.slice(record.indexOf('\t') + 1) as RawPath;
      if (record.startsWith('160000', 2)) {
        found.gitlinks.push(path);
        return undefined;
      }
      if (tag === 'M' || tag === 'm') unmerged.add(path);
      if (tag !== tag.toUpperCase()) found.assumedUnchanged.push(path);
      if (tag === 'S' || tag === 's') found.skipped.push(path);
      return undefined;
    }),
  });
  found.unmerged = [...unmerged];
  return { oddities: found, attributeFiles };
}

/**
 * Sets a seeded index right: gitlinks leave it (their files are captured inside), unmerged paths leave it (they are read
 * from disk), nothing is assumed unchanged, and only absent files stay skipped. Returns the paths that are to be read.
 */
export async function settleIndex(
  git: Git,
  store: PrivateGitDir,
  oddities: IndexOddities,
): Promise<{ toRead: RawPath[]; skipped: SkippedFiles }> {
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
  return { toRead: oddities.unmerged, skipped: await unskipPresent(git, store, oddities.skipped) };
}

/** Files that a sparse checkout leaves out: they need not be there, and may come back at any time. */
export interface SkippedFiles {
  paths: RawPath[];
  /** The topmost folders and files that are not there: while none of them is, none of the files is. */
  probes: RawPath[];
}

/** Clears skip-worktree where the file is there. What is absent keeps it. */
export async function unskipPresent(
  git: Git,
  store: PrivateGitDir,
  skipped: readonly RawPath[],
): Promise<SkippedFiles> {
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
  return { paths: absent, probes: await topmostAbsent(store, absent) };
}

async function topmostAbsent(store: PrivateGitDir, paths: readonly RawPath[]): Promise<RawPath[]> {
  const folders = new Set<RawPath>();
  for (const path of paths) {
    for (let folder = parentOf(path); folder !== '' && !folders.has(folder); folder = parentOf(folder))
      folders.add(folder);
  }
  const gone = new Set<RawPath>();
  await statFiles(store.top, [...folders], (folder, seen) => {
    if (seen.kind === 'absent') gone.add(folder);
  });
  const probes = new Set<RawPath>();
  for (const path of paths) {
    let probe = path;
    for (let folder = parentOf(path); folder !== '' && gone.has(folder); folder = parentOf(folder)) probe = folder;
    probes.add(probe);
  }
  return [...probes];
}

/** Looks whether files that were left out have come back, by their probes alone. */
export async function unskipReturned(git: Git, store: PrivateGitDir, skipped: SkippedFiles): Promise<SkippedFiles> {
  let back = false;
  await statFiles(store.top, skipped.probes, (_, seen) => {
    if (seen.kind !== 'absent') back = true;
  });
  return back ? unskipPresent(git, store, skipped.paths) : skipped;
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

/** The paths of an index, in git's order. */
export async function listIndex(git: Git, store: PrivateGitDir): Promise<RawPath[]> {
  const paths: RawPath[] = [];
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['ls-files', '-z'],
    onOutput: splitRecords((record) => {
      paths.push(record as RawPath);
      return undefined;
    }),
  });
  return paths;
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
    onlyOwn: true,
    onOutput: splitRecords((record) => {
      if (wanted.has(record as RawPath)) held.add(record as RawPath);
      return undefined;
    }),
  });
  return held;
}
