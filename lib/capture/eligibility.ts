/** Tells files that came into being from files that merely came under cover because a rule changed. */

import { lstat as lstatCallback, type Stats } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Difference } from './difference';
import { inParallel } from './filesystem/stat-files';
import type { Git } from './git/git-command';
import type { PrivateGitDir } from './git/private-git-dir';
import { ignoredAmong } from './git/private-index';
import { splitRecords } from './git/work-tree-status';
import { onDisk, type RawPath } from './raw-path';
import type { PartSnapshot } from './workspace-snapshot';

/** Milliseconds by which clocks of a disk and of the system may be apart. */
const CLOCK_MS = 20;

/**
 * Removes from `differences` what did not change though only one end covers it, and marks what was there before with a
 * content that nobody read. The time of last change of a file's inode cannot be set by anyone: a file whose time is
 * older than the span was not created, moved or written in it. `hidden` are ignored files that the first end saw and did
 * not read.
 */
export async function settleEligibility(
  tools: { git: Git },
  store: PrivateGitDir,
  ends: { before: PartSnapshot; after: PartSnapshot; hidden: ReadonlySet<RawPath> },
  differences: Map<RawPath, Difference>,
  startedAt: number,
): Promise<void> {
  const { before, after, hidden } = ends;
  const added = [...differences.values()].filter((difference) => difference.before === null);
  const gone =
    before.kind === after.kind ? [] : [...differences.values()].filter((difference) => difference.after === null);
  const doubtful: Difference[] = [];
  await lstatEach(store.top, [...added, ...gone], (difference, stats) => {
    if (difference.after === null) {
      // The other strategy does not cover it: whether it changed is not known, but gone it is not.
      if (stats !== null) differences.delete(difference.path);
    } else if (stats !== null && stats.ctimeMs < startedAt - CLOCK_MS) {
      differences.delete(difference.path);
    } else if (hidden.has(difference.path)) {
      difference.before = { known: 'nothing', size: null, mode: null };
    } else if (stats === null || stats.birthtimeMs < startedAt - CLOCK_MS) {
      doubtful.push(difference);
    }
  });
  if (doubtful.length === 0 || before.kind !== 'repository') return;
  const ignoredBefore = await ignoredByTree(
    tools.git,
    store,
    before.tree,
    doubtful.map(({ path }) => path),
  );
  for (const difference of doubtful) {
    if (ignoredBefore.has(difference.path)) difference.before = { known: 'nothing', size: null, mode: null };
  }
}

function lstatEach(
  top: string,
  differences: readonly Difference[],
  visit: (difference: Difference, stats: Stats | null) => void,
): Promise<void> {
  return inParallel(differences.length, (index, done) => {
    const difference = differences[index] as Difference;
    lstatCallback(onDisk(top, difference.path), (error, stats) => {
      visit(difference, error ? null : stats);
      done();
    });
  });
}

/** Which of `paths` the `.gitignore` files of a tree cover: they are laid out in a folder of their own and git is asked. */
async function ignoredByTree(
  git: Git,
  store: PrivateGitDir,
  tree: string,
  paths: readonly RawPath[],
): Promise<Set<RawPath>> {
  const rules: { path: RawPath; id: string }[] = [];
  await git.run({
    gitDir: store.dir,
    args: ['ls-tree', '-r', '-z', tree],
    onOutput: splitRecords((record) => {
      const path = record.slice(record.indexOf('\t') + 1) as RawPath;
      if (path === '.gitignore' || path.endsWith('/.gitignore')) {
        rules.push({ path, id: record.split(/[ \t]/)[2] as string });
      }
      return undefined;
    }),
  });
  const folder = await mkdtemp(join(store.dir, 'tidemark', 'rules-'));
  try {
    for (const { path, id } of rules) {
      const { stdout } = await git.run({ gitDir: store.dir, args: ['cat-file', 'blob', id] });
      const file = onDisk(folder, path).toString('latin1');
      await mkdir(Buffer.from(dirname(file), 'latin1'), { recursive: true });
      await writeFile(Buffer.from(file, 'latin1'), stdout);
    }
    return await ignoredAmong(git, store, paths, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
