/** Tells files that came into being from files that merely came under cover because a rule changed. */

import { lstat as lstatCallback, type Stats } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Difference } from './difference';
import { folderRules } from './filesystem/ignore-rules';
import { inParallel } from './filesystem/stat-files';
import type { Git } from './git/git-command';
import type { PrivateGitDir } from './git/private-git-dir';
import { ignoredAmong } from './git/private-index';
import { type OuterRules, outerRules } from './git/work-tree';
import { splitRecords } from './git/work-tree-status';
import { baseOf, onDisk, parentOf, type RawPath } from './raw-path';
import type { PartSnapshot } from './workspace-snapshot';

/** Milliseconds by which clocks of a disk and of the system may be apart. */
const CLOCK_MS = 20;

export interface Ends {
  before: PartSnapshot;
  after: PartSnapshot;
  /** Ignored files that the first end saw and did not read. */
  hidden: ReadonlySet<RawPath>;
  /** Names of generated folders that are covered all the same. */
  includeDirs: readonly string[];
}

/**
 * Removes from `differences` what did not change though only one end covers it, and marks what was there before with a
 * content that nobody read. Only paths in folders that the first end ignored are in doubt. The time of last change of a
 * file's inode cannot be set by anyone: a hidden file whose time is older than the span was not written in it. `store`
 * is that of the first end.
 */
export async function settleEligibility(
  tools: { git: Git },
  store: PrivateGitDir,
  ends: Ends,
  differences: Map<RawPath, Difference>,
  startedAt: number,
): Promise<void> {
  const { before, after, hidden } = ends;
  const otherStrategy = before.kind !== after.kind;
  const added = [...differences.values()].filter((difference) => difference.before === null);
  const wasHidden = await hiddenBefore(tools.git, store, ends, added);
  const doubtful = added.filter(({ path }) => hidden.has(path) || wasHidden(path));
  const gone = otherStrategy ? [...differences.values()].filter((difference) => difference.after === null) : [];
  await lstatEach(store.top, [...doubtful, ...gone], (difference, stats) => {
    const { path } = difference;
    if (difference.after === null) {
      // The other strategy does not cover it: whether it changed is not known, but gone it is not.
      if (stats !== null) differences.delete(path);
    } else if (stats !== null && stats.ctimeMs < startedAt - CLOCK_MS) {
      differences.delete(path);
    } else if (hidden.has(path) || stats === null || stats.birthtimeMs < startedAt - CLOCK_MS) {
      difference.before = { known: 'nothing', size: null, mode: null };
    }
  });
}

/**
 * Tells of which paths nothing was known at the first end: those in a folder that its rules ignored. An ignored file that
 * stood on its own is in the tree or among the hidden ones, so one that is in neither was not there.
 */
async function hiddenBefore(
  git: Git,
  store: PrivateGitDir,
  { before, includeDirs }: Ends,
  added: readonly Difference[],
): Promise<(path: RawPath) => boolean> {
  if (added.length === 0) return () => false;
  if (before.kind === 'folder') {
    const [own] = await ruleFiles(git, store, before.tree, (path) => path === '.gitignore');
    const rules = folderRules(includeDirs, own === undefined ? null : own.content.toString());
    return (path) =>
      ancestorsOf(path).some((folder) => rules.isGenerated(baseOf(folder)) || rules.isIgnored(folder, true));
  }
  const folders = new Set(added.flatMap(({ path }) => ancestorsOf(path)));
  const outer = (await outerRules(store, before.rules)) ?? { excludes: '', info: '' };
  const ignored = await ignoredFolders(git, store, before.tree, outer, [...folders]);
  return (path) => ancestorsOf(path).some((folder) => ignored.has(folder));
}

function ancestorsOf(path: RawPath): RawPath[] {
  const folders: RawPath[] = [];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) folders.push(folder);
  return folders;
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

/** The rule files of a tree that `wanted` asks for. */
async function ruleFiles(
  git: Git,
  store: PrivateGitDir,
  tree: string,
  wanted: (path: RawPath) => boolean,
): Promise<{ path: RawPath; content: Buffer }[]> {
  const found: { path: RawPath; id: string }[] = [];
  await git.run({
    gitDir: store.dir,
    args: ['ls-tree', '-r', '-z', tree],
    onOutput: splitRecords((record) => {
      const [mode, , id] = record.split(/[ \t]/) as [string, string, string];
      const path = record.slice(record.indexOf('\t') + 1) as RawPath;
      // A link is no rule file: git does not follow it.
      if (mode.startsWith('100') && wanted(path)) found.push({ path, id });
      return undefined;
    }),
  });
  const files: { path: RawPath; content: Buffer }[] = [];
  for (const { path, id } of found) {
    const { stdout } = await git.run({ gitDir: store.dir, args: ['cat-file', 'blob', id] });
    files.push({ path, content: stdout });
  }
  return files;
}

/**
 * Which of `folders` the rules of a tree and those around it cover: they are laid out in a folder of their own, and git
 * is asked there, from the top down, so that nothing is laid out below one that is ignored.
 */
async function ignoredFolders(
  git: Git,
  store: PrivateGitDir,
  tree: string,
  outer: OuterRules,
  folders: readonly RawPath[],
): Promise<Set<RawPath>> {
  const isRuleFile = (path: RawPath) => path === '.gitignore' || path.endsWith('/.gitignore');
  const scratch = await mkdtemp(join(store.dir, 'tidemark', 'rules-'));
  const ignored = new Set<RawPath>();
  try {
    const [work, gitDir] = [join(scratch, 'work'), join(scratch, 'git')];
    for (const path of [work, ...['info', 'objects', 'refs'].map((name) => join(gitDir, name))]) {
      await mkdir(path, { recursive: true });
    }
    const excludes = join(scratch, 'excludes');
    await writeFile(excludes, outer.excludes, 'latin1');
    await writeFile(join(gitDir, 'info', 'exclude'), outer.info, 'latin1');
    const config = await readFile(join(store.dir, 'config'), 'utf8');
    await writeFile(join(gitDir, 'config'), `${config}[core]\n\texcludesFile = ${JSON.stringify(excludes)}\n`);
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
    for (const { path, content } of await ruleFiles(git, store, tree, isRuleFile)) {
      await mkdir(onDisk(work, parentOf(path)), { recursive: true });
      await writeFile(onDisk(work, path), content);
    }
    const depthOf = (path: RawPath) => path.split('/').length;
    const deepest = folders.reduce((most, path) => Math.max(most, depthOf(path)), 0);
    for (let depth = 1; depth <= deepest; depth += 1) {
      const level = folders.filter(
        (path) => depthOf(path) === depth && !ancestorsOf(path).some((one) => ignored.has(one)),
      );
      for (const path of level) await mkdir(onDisk(work, path), { recursive: true });
      for (const path of await ignoredAmong(git, { ...store, dir: gitDir }, level, work)) ignored.add(path);
    }
    return ignored;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
