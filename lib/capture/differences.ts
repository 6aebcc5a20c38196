/** Finds which paths differ between two snapshots of a workspace, part by part, and what each end knows of them. */
import type { GitMove, GitSummary } from '@/lib/domain/change';
import type { Difference, DifferenceSide } from './difference';
import { settleEligibility } from './eligibility';
import { sameContent } from './filesystem/fingerprint';
import { coverage } from './filesystem/walk';
import { diffTrees, type TreeDifference } from './git/diff-trees';
import { type Git, isGitFailure } from './git/git-command';
import { type CommittedPaths, cameWithGit, committedPaths, movesOf, reflogBetween } from './git/git-moves';
import {
  emptyTree,
  NO_DETAILS,
  ownFile,
  type PrivateGitDir,
  readDetails,
  type SnapshotDetails,
} from './git/private-git-dir';
import type { HeadState } from './git/repository';
import type { PartGap } from './part-gap';
import { comparePlain } from './plain-differences';
import { joinRaw, NO_PATH, type RawPath } from './raw-path';
import type { PartSnapshot, WorkspaceSnapshot } from './workspace-snapshot';

export interface Differences {
  differences: Difference[];
  git: Omit<GitSummary, 'movedCount'> | null;
  gaps: { prefix: RawPath; gap: PartGap }[];
  /** Private git directories of every part: what the differences name may be in any of them. */
  stores: string[];
}

export interface DifferenceTools {
  git: Git;
  includeDirs: readonly string[];
  plainDirOf(key: string): string;
  storeOf(part: PartSnapshot): PrivateGitDir;
}

/** Compares two snapshots. A part that only one of them has is compared with nothing. */
export async function findDifferences(
  tools: DifferenceTools,
  before: WorkspaceSnapshot,
  after: WorkspaceSnapshot,
  signal?: AbortSignal,
): Promise<Differences> {
  const result: Differences = { differences: [], git: null, gaps: [], stores: [] };
  const byPath = new Map<RawPath, Difference>();
  const prefixes = [...new Set([...before.parts, ...after.parts].map((part) => part.prefix))];
  const stored = [...before.parts, ...after.parts].filter((part) => part.kind !== 'plain');
  result.stores = [...new Set(stored.map((part) => tools.storeOf(part).dir))];
  const failed = [...before.uncovered, ...after.uncovered];
  for (const prefix of prefixes) {
    // Of what lies below a part that could not be taken nothing is known.
    if (failed.some((other) => prefix.startsWith(other))) continue;
    const sides = [before, after].map((snapshot) => snapshot.parts.find((part) => part.prefix === prefix) ?? null);
    const [partBefore, partAfter] = sides as [PartSnapshot | null, PartSnapshot | null];
    const plain = [partBefore, partAfter].filter((part) => part?.kind === 'plain');
    if (plain.length > 0) {
      if (plain.length === (partBefore === null || partAfter === null ? 1 : 2)) {
        for (const difference of await comparePlain(tools.plainDirOf, partBefore, partAfter)) {
          byPath.set(difference.path, difference);
        }
      } else {
        // One end was taken with git, the other without: nothing reads both.
        result.gaps.push({ prefix, gap: { reason: 'git_missing' } });
        failed.push(prefix);
      }
      continue;
    }
    try {
      const found = await comparePart(tools, partBefore, partAfter, result.stores, before.startedAt, signal);
      for (const difference of found.differences) {
        const path = joinRaw(prefix, difference.path);
        const known = byPath.get(path);
        // A folder that became a repository, or stopped being one, has its files in one part before and in another after.
        if (known) byPath.set(path, mergeSides(known, difference));
        else byPath.set(path, { ...difference, path });
      }
      if (found.git) result.git = mergeGit(result.git, found.git, prefix);
    } catch (error) {
      if (!isGitFailure(error) || error.code === 'git_aborted') throw error;
      const reason = prefix === '' ? 'delta_failed' : 'nested_repository_unreadable';
      result.gaps.push({
        prefix,
        gap: { reason, detail: error.message, ...(prefix === '' ? {} : { paths: [NO_PATH] }) },
      });
      failed.push(prefix);
    }
  }
  // What another part says of files below one that could not be compared is half a truth.
  for (const path of byPath.keys()) if (failed.some((prefix) => path.startsWith(prefix))) byPath.delete(path);
  for (const difference of byPath.values()) if (!isSame(difference)) result.differences.push(difference);
  return result;
}

function mergeSides(a: Difference, b: Difference): Difference {
  return {
    ...a,
    before: a.before ?? b.before,
    after: a.after ?? b.after,
    movedByGit: a.movedByGit && b.movedByGit,
    ignored: a.ignored && b.ignored,
  };
}

/** Whether both sides turn out to be one content. */
function isSame({ before, after }: Difference): boolean {
  if (before?.known === 'object' && after?.known === 'object') {
    return before.entry.id === after.entry.id && before.entry.mode === after.entry.mode;
  }
  if (before?.known === 'copy' && after?.known === 'copy')
    return before.ref === after.ref && before.mode === after.mode;
  if (before?.known === 'fingerprint' && after?.known === 'fingerprint') {
    const { fingerprint: a } = before;
    const { fingerprint: b } = after;
    return a.mode === b.mode && sameContent(a, b);
  }
  return before === null && after === null;
}

function mergeGit(
  known: Omit<GitSummary, 'movedCount'> | null,
  found: Omit<GitSummary, 'movedCount'>,
  prefix: RawPath,
): Omit<GitSummary, 'movedCount'> {
  if (known === null && prefix === '') return found;
  const base = known ?? { headBefore: null, headAfter: null, branchBefore: null, branchAfter: null, moves: [] };
  return { ...base, moves: [...base.moves, ...found.moves] };
}

async function comparePart(
  tools: DifferenceTools,
  before: PartSnapshot | null,
  after: PartSnapshot | null,
  stores: string[],
  startedAt: number,
  signal: AbortSignal | undefined,
): Promise<{ differences: Difference[]; git: Omit<GitSummary, 'movedCount'> | null }> {
  const part = (after ?? before) as PartSnapshot;
  const store = tools.storeOf(part);
  const [knownBefore, knownAfter] = await Promise.all([detailsOf(tools, before), detailsOf(tools, after)]);
  const alternates = stores.filter((dir) => dir !== store.dir);
  const trees = await differingEntries(tools.git, store, before, after, { alternates, signal });
  const moved = await gitSide(tools, store, before, after, signal);

  const differences = new Map<RawPath, Difference>();
  const object = (entry: TreeDifference['before']): DifferenceSide | null => entry && { known: 'object', entry };
  const ignored = { before: new Set(knownBefore.ignored), after: new Set(knownAfter.ignored) };
  const watched = new Set([...knownBefore.watched, ...knownAfter.watched]);
  const covered = [knownBefore, knownAfter].map(({ uncovered }) => coverage(uncovered));
  for (const { path, before: old, after: now } of trees) {
    if (!covered.every((covers) => covers(path))) continue;
    const isIgnored = (old === null || ignored.before.has(path)) && (now === null || ignored.after.has(path));
    if (isIgnored && !watched.has(path)) continue;
    differences.set(path, {
      path,
      outside: false,
      before: object(old),
      after: object(now),
      movedByGit: cameWithGit(moved.committed, path, old, now),
      ignored: isIgnored,
      evidence: ['snapshot'],
    });
  }
  addLarge(differences, knownBefore, knownAfter);
  for (const path of differences.keys()) if (!covered.every((covers) => covers(path))) differences.delete(path);
  const rulesDiffer = before?.kind !== after?.kind || before?.rules !== after?.rules;
  if (before !== null && after !== null) {
    const hidden = new Set(knownBefore.unwatched);
    if (rulesDiffer || [...differences.keys()].some((path) => isRuleFile(path) || hidden.has(path))) {
      const ends = { before, after, hidden, includeDirs: tools.includeDirs };
      await settleEligibility(tools, tools.storeOf(before), ends, differences, startedAt);
    }
  }
  return { differences: [...differences.values()], git: moved.git };
}

/**
 * The entries that differ. Trees that were borrowed from the user's repository may be gone with it: they are written
 * again from the index that each snapshot holds, without the files they name.
 */
async function differingEntries(
  git: Git,
  store: PrivateGitDir,
  before: PartSnapshot | null,
  after: PartSnapshot | null,
  options: { alternates: string[]; signal: AbortSignal | undefined },
): Promise<TreeDifference[]> {
  const list = async (from: string, to: string) => {
    const entries: TreeDifference[] = [];
    await diffTrees(
      git,
      store,
      from,
      to,
      (difference) => {
        entries.push(difference);
        return undefined;
      },
      options,
    );
    return entries;
  };
  const trees = [before?.tree ?? emptyTree(store), after?.tree ?? emptyTree(store)] as const;
  try {
    return await list(...trees);
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_failed') throw error;
    for (const part of [before, after]) {
      if (part === null) continue;
      const indexFile = ownFile(store, `snapshots/${part.heldAs}.index`).replace(store.key, part.key);
      await git.run({ gitDir: store.dir, args: ['write-tree', '--missing-ok'], indexFile, onlyOwn: true });
    }
    return list(...trees);
  }
}

async function detailsOf(tools: DifferenceTools, part: PartSnapshot | null): Promise<SnapshotDetails> {
  return part?.details ? readDetails(tools.storeOf(part), part.details) : NO_DETAILS;
}

/** Files known by fingerprint at one end or both. */
function addLarge(differences: Map<RawPath, Difference>, before: SnapshotDetails, after: SnapshotDetails): void {
  const paths = new Set([...Object.keys(before.large), ...Object.keys(after.large)] as RawPath[]);
  for (const path of paths) {
    const old = before.large[path];
    const now = after.large[path];
    const known = differences.get(path);
    const difference: Difference = known ?? {
      path,
      outside: false,
      before: null,
      after: null,
      movedByGit: false,
      ignored: false,
      evidence: ['snapshot'],
    };
    if (old) difference.before = { known: 'fingerprint', fingerprint: old };
    if (now) difference.after = { known: 'fingerprint', fingerprint: now };
    difference.movedByGit = false;
    if (!isSame(difference)) differences.set(path, difference);
    else differences.delete(path);
  }
}

interface GitSide {
  git: Omit<GitSummary, 'movedCount'> | null;
  committed: CommittedPaths | null;
}

/** What git itself did in the span. */
async function gitSide(
  tools: DifferenceTools,
  store: PrivateGitDir,
  before: PartSnapshot | null,
  after: PartSnapshot | null,
  signal: AbortSignal | undefined,
): Promise<GitSide> {
  const now = after?.head;
  if (!after?.gitDir || !now) return { git: null, committed: null };
  // A repository that came during the span started from nothing.
  const then: HeadState = before?.head ?? { commit: null, branch: null, reflogBytes: 0, stashBytes: 0 };
  if (before?.gitDir && before.gitDir !== after.gitDir) return { git: null, committed: null };
  const entries = await reflogBetween({ gitDir: after.gitDir }, then, now);
  const countCommits = async (from: string | null, to: string): Promise<number> => {
    try {
      const range = from === null ? to : `${from}..${to}`;
      const answer = await tools.git.askUser(after.top, ['rev-list', '--count', range, '--']);
      return Number(answer.text);
    } catch {
      return 0;
    }
  };
  const moves: GitMove[] = await movesOf(entries, then, now, countCommits);
  const git = {
    headBefore: then.commit,
    headAfter: now.commit,
    branchBefore: then.branch,
    branchAfter: now.branch,
    moves,
  };
  const committed = await committedPaths(tools.git, store, entries, then, now, signal).catch(() => null);
  return { git, committed };
}

const isRuleFile = (path: RawPath) => path === '.gitignore' || path.endsWith('/.gitignore');
