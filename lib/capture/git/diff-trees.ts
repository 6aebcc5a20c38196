/** Compares two trees by git: which entries differ, and, of those that do, how many lines. */
import type { RawPath } from '../raw-path';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';
import { splitRecords } from './work-tree-status';

/** One side of an entry: null where it does not exist. */
export interface TreeEntry {
  mode: string;
  id: string;
}

/** An entry that differs between two trees. */
export interface TreeDifference {
  path: RawPath;
  before: TreeEntry | null;
  after: TreeEntry | null;
}

/** The options that every counting comparison shares, so that rows, patches and comparisons agree (DESIGN §3 rule 3). */
export const RENAME_OPTIONS = ['-M', '-l4000', '--no-rename-empty'];

/** Lists the entries that differ, one a path, in git's order. `take` may return false when it has seen enough. */
export async function diffTrees(
  git: Git,
  store: PrivateGitDir,
  before: string,
  after: string,
  take: (difference: TreeDifference) => boolean | undefined,
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (before === after) return;
  let header: string | null = null;
  await git.run({
    gitDir: store.dir,
    args: ['diff-tree', '-r', '-z', '--raw', '--no-renames', before, after],
    onOutput: splitRecords((record) => {
      if (header === null) {
        header = record;
        return undefined;
      }
      const difference = { path: record as RawPath, ...sidesOf(header) };
      header = null;
      return take(difference);
    }),
    ...(options.alternates ? { alternates: options.alternates } : {}),
    signal: options.signal,
  });
}

function sidesOf(header: string): { before: TreeEntry | null; after: TreeEntry | null } {
  const [modeBefore, modeAfter, idBefore, idAfter] = header.slice(1).split(' ') as [string, string, string, string];
  return {
    before: modeBefore === '000000' ? null : { mode: modeBefore, id: idBefore },
    after: modeAfter === '000000' ? null : { mode: modeAfter, id: idAfter },
  };
}

/** A difference with its lines counted and its rename found. */
export interface CountedDifference extends TreeDifference {
  oldPath: RawPath | null;
  additions: number;
  deletions: number;
  binary: boolean;
}

export interface CountedDifferences {
  rows: CountedDifference[];
  /** Similar files were too many to be paired; renames of equal content are found all the same. */
  renamesLimited: boolean;
}

/** Counts the lines of every difference and pairs renames, by git. */
export async function countDifferences(
  git: Git,
  store: PrivateGitDir,
  before: string,
  after: string,
  options: { renames?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<CountedDifferences> {
  const rows: CountedDifference[] = [];
  const byPath = new Map<RawPath, CountedDifference>();
  /** What the next records belong to: a raw header, or the counts of a renamed file. */
  let header: string | null = null;
  let counts: string | null = null;
  let oldPath: RawPath | null = null;
  const add = (path: RawPath, from: RawPath | null) => {
    const row = { path, ...sidesOf(header as string), oldPath: from, additions: 0, deletions: 0, binary: false };
    rows.push(row);
    byPath.set(path, row);
    header = null;
    oldPath = null;
  };
  const count = (path: RawPath, words: string) => {
    const row = byPath.get(path);
    if (!row) throw new Error('git counted a path that it did not list');
    const [added, removed] = words.split('\t') as [string, string];
    row.binary = added === '-';
    row.additions = row.binary ? 0 : Number(added);
    row.deletions = row.binary ? 0 : Number(removed);
  };
  const answer = await git.run({
    gitDir: store.dir,
    args: [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--numstat',
      '--no-ext-diff',
      '--no-textconv',
      ...(options.renames === false ? ['--no-renames'] : RENAME_OPTIONS),
      before,
      after,
    ],
    onOutput: splitRecords((record) => {
      if (header !== null) {
        const renamed = / [RC]\d*$/.test(header);
        if (renamed && oldPath === null) oldPath = record as RawPath;
        else add(record as RawPath, oldPath);
      } else if (counts !== null) {
        if (oldPath === null) {
          oldPath = record as RawPath;
        } else {
          count(record as RawPath, counts);
          counts = null;
          oldPath = null;
        }
      } else if (record.startsWith(':')) {
        header = record;
      } else {
        const name = record.indexOf('\t', record.indexOf('\t') + 1) + 1;
        if (name === record.length) counts = record;
        else count(record.slice(name) as RawPath, record);
      }
      return undefined;
    }),
    signal: options.signal,
  });
  return { rows, renamesLimited: answer.stderr.includes('rename detection was skipped') };
}

/** Sizes of objects by id; those that are not there are missing from the map. */
export async function sizesOf(
  git: Git,
  store: PrivateGitDir,
  ids: Iterable<string>,
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return sizes;
  let rest = '';
  await git.run({
    gitDir: store.dir,
    args: ['cat-file', '--buffer', '--batch-check=%(objectname) %(objectsize)'],
    input: lines(wanted),
    onOutput: (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\n');
      rest = parts.pop() as string;
      for (const part of parts) {
        const [id, size] = part.split(' ') as [string, string];
        if (size !== 'missing') sizes.set(id, Number(size));
      }
      return undefined;
    },
    ...(options.alternates ? { alternates: options.alternates } : {}),
    signal: options.signal,
  });
  return sizes;
}

/** Lines of text in pieces, so that no huge buffer is built. */
export function* lines(all: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < all.length; at += 2_000)
    yield Buffer.from(`${all.slice(at, at + 2_000).join('\n')}\n`, 'latin1');
}
