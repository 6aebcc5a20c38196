/** Finds the paths whose attributes name a filter (LFS, git-crypt): what git stores of them is not what stands on disk. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nulSeparated, onDisk, type RawPath } from '../raw-path';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';
import { splitRecords } from './work-tree-status';

/** All that attributes files say: those of the tree, the repository's and the user's. */
export async function readAttributes(
  store: PrivateGitDir,
  attributeFiles: readonly RawPath[],
  usersAttributes: string | undefined,
): Promise<string> {
  const sources: (string | Buffer)[] = [
    join(store.dir, 'info', 'attributes'),
    ...(usersAttributes === undefined ? [] : [usersAttributes]),
    ...attributeFiles.map((path) => onDisk(store.top, path)),
  ];
  const texts = await Promise.all(sources.map((file) => readFile(file, 'latin1').catch(() => '')));
  return texts.join('\n');
}

/** Of `paths`, those with a filter. */
export async function filteredPaths(git: Git, store: PrivateGitDir, paths: readonly RawPath[]): Promise<RawPath[]> {
  const filtered: RawPath[] = [];
  let field = 0;
  let path = '';
  await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ['check-attr', '-z', '--stdin', 'filter'],
    input: nulSeparated(paths),
    onOutput: splitRecords((record) => {
      if (field === 0) path = record;
      if (field === 2 && record !== 'unspecified' && record !== 'unset') filtered.push(path as RawPath);
      field = (field + 1) % 3;
      return undefined;
    }),
  });
  return filtered;
}
