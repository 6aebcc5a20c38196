/** Compares two trees by git: which entries differ, and how large the objects are. */
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

/** A difference with its lines counted and its rename found. */
export interface CountedDifference extends TreeDifference {
  oldPath: RawPath | null;
  additions: number;
  deletions: number;
  binary: boolean;
}

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

/** The two sides that a raw header names: `:<mode> <mode> <id> <id> <status>`. */
export function sidesOf(header: string): { before: TreeEntry | null; after: TreeEntry | null } {
  const [modeBefore, modeAfter, idBefore, idAfter] = header.slice(1).split(' ') as [string, string, string, string];
  return {
    before: modeBefore === '000000' ? null : { mode: modeBefore, id: idBefore },
    after: modeAfter === '000000' ? null : { mode: modeAfter, id: idAfter },
  };
}

/** Sizes of objects by id; those that are not there are missing from the map, with `onlyOwn` those that are borrowed too. */
export async function sizesOf(
  git: Git,
  store: PrivateGitDir,
  ids: Iterable<string>,
  options: { alternates?: readonly string[]; onlyOwn?: boolean; signal?: AbortSignal | undefined } = {},
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
    ...(options.onlyOwn ? { onlyOwn: true } : {}),
    signal: options.signal,
  });
  return sizes;
}

/** Lines of text in pieces, so that no huge buffer is built. */
export function* lines(all: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < all.length; at += 2_000)
    yield Buffer.from(`${all.slice(at, at + 2_000).join('\n')}\n`, 'latin1');
}
