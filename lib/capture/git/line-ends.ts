/** Notes on rows whose two sides differ in their line ends alone, whatever their size. */
import type { DeltaFile, LineEndings } from '@/lib/domain/change';
import { LineEndCount } from '@/lib/domain/line-endings';
import type { RawPath } from '../raw-path';
import { type CountedDifference, lines } from './diff-trees';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';
import type { ReducedTrees } from './reduced-trees';
import { splitRecords } from './work-tree-status';

interface ObjectOptions {
  /** Object directories to read from besides the store's own. */
  alternates: readonly string[];
  signal: AbortSignal | undefined;
}

/** The rows of two trees that are equal once a carriage return at a line's end is passed over. */
export async function equalButForLineEnds(
  git: Git,
  store: PrivateGitDir,
  trees: ReducedTrees,
  options: ObjectOptions,
): Promise<Set<RawPath>> {
  const changed = new Set<RawPath>();
  const equal = new Set<RawPath>();
  await git.run({
    gitDir: store.dir,
    args: [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--numstat',
      '--no-renames',
      '--ignore-cr-at-eol',
      trees.before,
      trees.after,
    ],
    onOutput: splitRecords((record) => {
      if (record.startsWith(':')) return undefined;
      const counts = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(record);
      if (counts === null) equal.add(record as RawPath);
      else if (counts[1] !== '0' || counts[2] !== '0') changed.add(counts[3] as RawPath);
      return undefined;
    }),
    ...options,
  });
  for (const path of changed) equal.delete(path);
  return equal;
}

/** Which line ends each of some blobs has. */
export async function lineEndsOf(
  git: Git,
  store: PrivateGitDir,
  ids: Iterable<string>,
  options: ObjectOptions,
): Promise<Map<string, LineEndings['before']>> {
  const kinds = new Map<string, LineEndings['before']>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return kinds;
  let header = '';
  let id: string | null = null;
  let left = 0;
  let count = new LineEndCount();
  await git.run({
    gitDir: store.dir,
    args: ['cat-file', '--batch', '--buffer'],
    input: lines(wanted),
    onOutput: (chunk) => {
      let rest = chunk;
      while (rest.length > 0) {
        if (id === null) {
          const end = rest.indexOf(0x0a);
          header += rest.toString('latin1', 0, end < 0 ? rest.length : end);
          rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1);
          if (end < 0) continue;
          const [name, type, size] = header.split(' ') as [string, string, string | undefined];
          header = '';
          if (type === 'missing' || size === undefined) continue;
          id = name;
          left = Number(size);
          count = new LineEndCount();
        }
        const part = rest.subarray(0, left);
        count.add(part);
        left -= part.length;
        rest = rest.subarray(part.length);
        if (left === 0 && rest.length > 0) {
          kinds.set(id, count.kind);
          id = null;
          // The line end after the content.
          rest = rest.subarray(1);
        }
      }
      return undefined;
    },
    ...options,
  });
  return kinds;
}

/** Writes the note into each row of `lines`, which maps rows to how many lines changed. */
export async function noteLineEnds(
  git: Git,
  store: PrivateGitDir,
  found: ReadonlyMap<CountedDifference, { file: DeltaFile; lines: number }>,
  options: ObjectOptions,
): Promise<void> {
  const ids = [...found.keys()].flatMap((row) => [row.before?.id, row.after?.id]).filter((id) => id !== undefined);
  const kinds = await lineEndsOf(git, store, ids, options);
  for (const [row, { file, lines: changed }] of found) {
    const before = kinds.get(row.before?.id ?? '');
    const after = kinds.get(row.after?.id ?? '');
    if (before && after) file.lineEndings = { before, after, lines: changed };
  }
}
