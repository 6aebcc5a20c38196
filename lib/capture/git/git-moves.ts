/** Reads from the reflog what moved HEAD during a span, and which files came with it. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitAction, GitMove } from '@/lib/domain/change';
import type { RawPath } from '../raw-path';
import { diffTrees, type TreeEntry } from './diff-trees';
import type { Git } from './git-command';
import { emptyTree, type PrivateGitDir } from './private-git-dir';
import type { HeadState, Repository } from './repository';
import { splitRecords } from './work-tree-status';

/** One line of the reflog of HEAD. */
export interface ReflogEntry {
  from: string;
  to: string;
  message: string;
}

/** Bytes of a reflog that are read of one span. */
const REFLOG_BYTES = 4 * 1024 * 1024;

/** The lines that the reflog of HEAD gained between two instants; null where there is no reflog to tell. */
export async function reflogBetween(
  repository: Pick<Repository, 'gitDir'>,
  before: HeadState,
  after: HeadState,
): Promise<ReflogEntry[] | null> {
  if (after.reflogBytes === null) return null;
  const from = before.reflogBytes ?? 0;
  // A shorter reflog was expired or rewritten: what it tells of the span is not known.
  if (after.reflogBytes < from) return null;
  const text = await readRange(join(repository.gitDir, 'logs', 'HEAD'), from, after.reflogBytes);
  if (text === null) return null;
  return parseReflog(text);
}

async function readRange(file: string, from: number, to: number): Promise<string | null> {
  const length = to - from;
  if (length > REFLOG_BYTES) return null;
  const handle = await open(file).catch(() => null);
  if (handle === null) return null;
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, from);
    return bytesRead === length ? buffer.toString() : null;
  } finally {
    await handle.close();
  }
}

/** `<old> <new> <who> <seconds> <zone>\t<message>` a line. */
export function parseReflog(text: string): ReflogEntry[] | null {
  const entries: ReflogEntry[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const match = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line);
    if (!match) return null;
    entries.push({ from: match[1] as string, to: match[2] as string, message: match[3] ?? '' });
  }
  return entries;
}

/** What a reflog message says was done. */
export function actionOf(message: string): GitAction {
  const word = /^([\w-]+)/.exec(message)?.[1] ?? '';
  switch (word) {
    case 'commit':
      return 'commit';
    case 'checkout':
      return 'checkout';
    case 'pull':
      return 'pull';
    case 'merge':
      return 'merge';
    case 'rebase':
      return 'rebase';
    case 'reset':
      return 'reset';
    default:
      return 'other';
  }
}

/** Whether a step is one of the run's own commits (DESIGN §3 rule 8). */
export function isCommitStep(entry: ReflogEntry): boolean {
  return /^commit(?: \((?:amend|initial|merge)\))?:/.test(entry.message);
}

const isNoId = (id: string) => /^0+$/.test(id);

/**
 * The moves of HEAD, steps of one kind in a row as one. `countCommits` gives the number of commits that `to` has and
 * `from` has not.
 */
export async function movesOf(
  entries: readonly ReflogEntry[] | null,
  before: HeadState,
  after: HeadState,
  countCommits: (from: string | null, to: string) => Promise<number>,
): Promise<GitMove[]> {
  const moves: GitMove[] = [];
  if (entries === null || entries.length === 0) {
    if (before.commit !== after.commit && after.commit !== null) {
      moves.push({
        action: 'other',
        from: before.commit ?? '',
        to: after.commit,
        fromName: before.branch,
        toName: after.branch,
        commits: await countCommits(before.commit, after.commit),
      });
    } else if (before.branch !== after.branch && after.commit !== null) {
      moves.push({
        action: 'checkout',
        from: before.commit ?? '',
        to: after.commit,
        fromName: before.branch,
        toName: after.branch,
        commits: 0,
      });
    }
  } else {
    const first = entries[0] as ReflogEntry;
    let branch = before.branch;
    let steps: {
      action: GitAction;
      from: string;
      to: string;
      fromName: string | null;
      toName: string | null;
      count: number;
    }[] = [];
    for (const entry of entries) {
      const action = actionOf(entry.message);
      const names = /^checkout: moving from (\S+) to (\S+)$/.exec(entry.message);
      const step = {
        action,
        from: isNoId(entry.from) ? '' : entry.from,
        to: entry.to,
        fromName: names?.[1] ?? branch,
        toName: names?.[2] ?? branch,
        count: action === 'commit' ? 1 : 0,
      };
      if (names) branch = names[2] as string;
      const last = steps.at(-1);
      if (last && last.action === action && last.to === entry.from && action !== 'checkout') {
        last.to = entry.to;
        last.toName = step.toName;
        last.count += step.count;
      } else {
        steps.push(step);
      }
    }
    // A reset to where HEAD stands anyway moves no HEAD, but it may move files.
    steps = steps.filter((step) => step.action !== 'other' || step.from !== step.to);
    void first;
    for (const step of steps) {
      const { count, ...move } = step;
      const commits = step.action === 'commit' ? count : await countCommits(step.from || null, step.to);
      moves.push({ ...move, commits });
    }
  }
  if (before.stashBytes !== after.stashBytes) {
    const at = after.commit ?? '';
    moves.push({ action: 'stash', from: at, to: at, fromName: after.branch, toName: after.branch, commits: 0 });
  }
  return moves;
}

/** What the commits at both ends hold of each path that differs between them, and which of those the run committed itself. */
export interface CommittedPaths {
  entries: Map<RawPath, { before: TreeEntry | null; after: TreeEntry | null }>;
  byRun: Set<RawPath>;
}

/** Gathers what tells files that came with git from files that were edited. Null when HEAD stayed where it was. */
export async function committedPaths(
  git: Git,
  store: PrivateGitDir,
  entries: readonly ReflogEntry[] | null,
  before: HeadState,
  after: HeadState,
  signal?: AbortSignal,
): Promise<CommittedPaths | null> {
  if (before.commit === after.commit || after.commit === null) return null;
  const found: CommittedPaths = { entries: new Map(), byRun: new Set() };
  const commit = (id: string | null) => (id === null || isNoId(id) ? emptyTree(store) : id);
  await diffTrees(
    git,
    store,
    commit(before.commit),
    after.commit,
    ({ path, ...sides }) => {
      found.entries.set(path, sides);
      return undefined;
    },
    { signal },
  );
  for (const entry of entries ?? []) {
    if (!isCommitStep(entry)) continue;
    if (entry.message.startsWith('commit (merge)')) {
      await git.run({
        gitDir: store.dir,
        // Against both parents: what only one side brought is not the run's.
        args: ['diff-tree', '-r', '-c', '-z', '--name-only', '--no-commit-id', entry.to],
        onOutput: splitRecords((record) => {
          found.byRun.add(record as RawPath);
          return undefined;
        }),
        signal,
      });
      continue;
    }
    await diffTrees(
      git,
      store,
      commit(entry.from),
      entry.to,
      ({ path }) => {
        found.byRun.add(path);
        return undefined;
      },
      { signal },
    );
  }
  return found;
}

/** Whether a file only came with git: equal to HEAD at both ends, other between the two, and in no commit of the run. */
export function cameWithGit(
  committed: CommittedPaths | null,
  path: RawPath,
  before: TreeEntry | null,
  after: TreeEntry | null,
): boolean {
  const sides = committed?.entries.get(path);
  if (!sides || committed?.byRun.has(path)) return false;
  return sameEntry(sides.before, before) && sameEntry(sides.after, after);
}

export function sameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  return a === null || b === null ? a === b : a.id === b.id && a.mode === b.mode;
}
