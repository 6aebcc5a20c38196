/** Notes on rows whose two sides differ in their line ends alone, whatever their size. */
import type { DeltaFile, LineEndings } from '@/lib/domain/change';
import { LineEndCount } from '@/lib/domain/line-endings';
import type { RawPath } from '../raw-path';
import type { CountedDifference } from './diff-trees';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';
import { readBlobs } from './read-blobs';
import type { ReducedTrees } from './reduced-trees';
import { splitRecords } from './work-tree-status';

interface ObjectOptions {
  /** Other private directories to read from. */
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
  await readBlobs(
    git,
    store,
    ids,
    (id) => {
      const count = new LineEndCount();
      return { take: (part) => count.add(part), end: () => kinds.set(id, count.kind) };
    },
    options,
  );
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
