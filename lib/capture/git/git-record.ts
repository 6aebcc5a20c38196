/** Makes the rows of a change from its differences: lines counted by git, bounded patches, and the bodies kept. */

import { type BoundedPatch, boundPatch } from '@/lib/domain/bounded-patch';
import { type ChangeTotals, type DeltaFile, type EntryKind, totalsOf } from '@/lib/domain/change';
import type { Limits } from '@/lib/domain/limits';
import { changedLineEnds } from '@/lib/domain/line-endings';
import { parseUnifiedPatch } from '@/lib/domain/unified-patch';
import type { Difference, DifferenceSide } from '../difference';
import { isMoved } from '../filesystem/fingerprint';
import type { PartGap } from '../part-gap';
import { NO_PATH, type RawPath } from '../raw-path';
import type { WrittenPlace } from '../written-place';
import { countDifferences } from './counted-trees';
import { type CountedDifference, sizesOf, type TreeDifference } from './diff-trees';
import { type Git, isGitFailure } from './git-command';
import { equalButForLineEnds, noteLineEnds } from './line-ends';
import type { RowPatch } from './patches';
import { emptyTree, type PrivateGitDir } from './private-git-dir';
import { keepTrees, type ReducedTrees, writeReducedTrees } from './reduced-trees';

export interface GitRecordTools {
  git: Git;
  limits: Limits;
  store: PrivateGitDir;
  /** Object directories, besides the store's own, that the differences' objects may be in. */
  alternates: string[];
  signal?: AbortSignal | undefined;
}

export interface GitRecord {
  files: DeltaFile[];
  unlisted: ChangeTotals;
  gaps: { prefix: RawPath; gap: PartGap }[];
  truncated: boolean;
  totalPatchBytes: number;
  trees: { inside: ReducedTrees; outside: ReducedTrees | null };
}

/** Rows, patches and kept trees of `differences`. `keepAs` null keeps nothing. */
export async function makeGitRecord(
  tools: GitRecordTools,
  differences: readonly Difference[],
  place: WrittenPlace,
  options: { keepAs: string | null; patches: boolean },
): Promise<GitRecord> {
  const { git, store, alternates, signal, limits } = tools;
  const gaps: GitRecord['gaps'] = [];
  const ids: string[] = [];
  for (const { before, after } of differences) {
    if (before?.known === 'object') ids.push(before.entry.id);
    if (after?.known === 'object') ids.push(after.entry.id);
  }
  // The trees are written while it is made sure that everything they name is there: nearly always it is.
  const early = writeReducedTrees(git, store, insideObjects(differences), { signal });
  early.catch(() => {});
  const sizes = await sizesOf(git, store, ids, { alternates, signal });

  const bySide = { inside: new Map<RawPath, Difference>(), outside: new Map<RawPath, Difference>() };
  const countable: { inside: TreeDifference[]; outside: TreeDifference[] } = { inside: [], outside: [] };
  const unread: Difference[] = [];
  for (const difference of differences) {
    const where = difference.outside ? 'outside' : 'inside';
    const before = entryOf(difference.before, sizes);
    const after = entryOf(difference.after, sizes);
    if (before === undefined || after === undefined) {
      unread.push(difference);
      continue;
    }
    bySide[where].set(difference.path, difference);
    countable[where].push({ path: difference.path, before, after });
  }

  const lost = unread.filter(({ before, after }) => isLost(before, sizes) || isLost(after, sizes));
  if (lost.length > 0) {
    const detail = 'their content went with the repository';
    gaps.push({ prefix: NO_PATH, gap: { reason: 'file_unreadable', detail, paths: lost.map(({ path }) => path) } });
  }
  const trees: GitRecord['trees'] = { inside: { before: emptyTree(store), after: emptyTree(store) }, outside: null };
  const all: DeltaFile[] = [];
  const budget: PatchBudget = { left: limits.changePatchBytes, total: 0, leftOut: 0 };
  const kept: Record<string, string> = {};
  const work: Promise<unknown>[] = [];
  for (const where of ['inside', 'outside'] as const) {
    const list = countable[where];
    if (list.length === 0) continue;
    const asPlanned = where === 'inside' && lost.length === 0;
    const reduced = await (asPlanned ? early : writeReducedTrees(git, store, list, { signal }));
    if (where === 'inside') trees.inside = reduced;
    else trees.outside = reduced;
    kept[`${where}-before`] = reduced.before;
    kept[`${where}-after`] = reduced.after;
    const surroundings = { sizes, place, limits, store, differences: bySide[where] };
    work.push(
      countFiles(tools, reduced, surroundings, options.patches ? budget : null).then((counted) => {
        if (counted.renamesLimited) gaps.push({ prefix: NO_PATH, gap: { reason: 'rename_limit' } });
        all.push(...counted.files);
      }),
    );
  }
  if (options.keepAs !== null && Object.keys(kept).length > 0) {
    work.push(keepTrees(git, store, options.keepAs, kept, { alternates, signal }));
  }
  await early.catch(() => {});
  // One failing must not leave the other at work in a directory that is given free.
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  all.push(...unreadFiles(unread, sizes, place, store));
  if (budget.leftOut > 0) gaps.push({ prefix: NO_PATH, gap: { reason: 'patch_limit', count: budget.leftOut } });
  all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const files = all.slice(0, limits.storedRows);
  const rest = all.slice(limits.storedRows);
  if (rest.length > 0) gaps.push({ prefix: NO_PATH, gap: { reason: 'list_limit', count: rest.length } });
  return {
    files,
    unlisted: totalsOf(rest.map((file) => ({ ...file, origin: file.movedByGit ? 'git' : 'command' }))),
    gaps,
    truncated: rest.length > 0 || files.some((file) => file.truncated),
    totalPatchBytes: budget.total,
    trees,
  };
}

/** The differences inside the record's root whose both sides are objects. */
function insideObjects(differences: readonly Difference[]): TreeDifference[] {
  const entry = (side: DifferenceSide | null) =>
    side === null ? null : side.known === 'object' ? side.entry : undefined;
  return differences.flatMap(({ path, outside, before: old, after: now }) => {
    const [before, after] = [entry(old), entry(now)];
    return outside || before === undefined || after === undefined ? [] : [{ path, before, after }];
  });
}

/** What is left of the bytes that all patches of a change may take. */
interface PatchBudget {
  left: number;
  total: number;
  /** Rows whose patch found no room. */
  leftOut: number;
}

/**
 * The rows of two trees, with patches while `budget` lasts. Similar files are paired as far as time allows; when it does
 * not, renames of equal content are not told either, and it says so.
 */
async function countFiles(
  tools: GitRecordTools,
  trees: ReducedTrees,
  surroundings: Surroundings,
  budget: PatchBudget | null,
): Promise<{ files: DeltaFile[]; renamesLimited: boolean }> {
  try {
    return await countOnce(tools, trees, surroundings, budget, true);
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_timeout') throw error;
    return { ...(await countOnce(tools, trees, surroundings, budget, false)), renamesLimited: true };
  }
}

async function countOnce(
  tools: GitRecordTools,
  trees: ReducedTrees,
  surroundings: Surroundings,
  budget: PatchBudget | null,
  renames: boolean,
): Promise<{ files: DeltaFile[]; renamesLimited: boolean }> {
  const { git, store, limits, alternates, signal } = tools;
  const { differences } = surroundings;
  const fileOf = new Map<CountedDifference, DeltaFile>();
  const fileFor = (row: CountedDifference): DeltaFile => {
    const known = fileOf.get(row);
    if (known) return known;
    const old = row.oldPath === null ? null : (differences.get(row.oldPath) as Difference);
    const file = countedFile(row, differences.get(row.path) as Difference, old, surroundings);
    fileOf.set(row, file);
    return file;
  };
  const lineEnds = new Map<CountedDifference, { file: DeltaFile; lines: number }>();
  const undecided: CountedDifference[] = [];
  const take = ({ row, bytes, complete }: RowPatch) => {
    const file = fileFor(row);
    const mayBeLineEnds = !file.binary && row.oldPath === null && row.additions > 0 && row.additions === row.deletions;
    if (!mayBeLineEnds && (file.oversized || (budget as PatchBudget).left === 0)) {
      if (!file.oversized) leaveOut(file, budget as PatchBudget);
      return;
    }
    const text = bytes.toString();
    if (mayBeLineEnds) {
      const lines = complete ? changedLineEnds(parseUnifiedPatch(text).hunks) : null;
      if (lines !== null) lineEnds.set(row, { file, lines });
      else if (!complete) undecided.push(row);
    }
    if (!file.oversized) addPatch(file, boundPatch(text, limits.patchBytes, complete), budget as PatchBudget);
  };
  const counted = await countDifferences(git, store, trees.before, trees.after, {
    renames,
    patches: budget === null ? null : { maxBytes: limits.patchBytes + 1, take },
    alternates,
    signal,
  });
  if (undecided.length > 0) {
    const equal = await equalButForLineEnds(git, store, trees, { alternates, signal });
    for (const row of undecided) {
      if (equal.has(row.path)) lineEnds.set(row, { file: fileFor(row), lines: row.additions });
    }
  }
  await noteLineEnds(git, store, lineEnds, { alternates, signal });
  return { files: counted.rows.map(fileFor), renamesLimited: counted.renamesLimited };
}

function leaveOut(file: DeltaFile, budget: PatchBudget): void {
  file.truncated = true;
  budget.leftOut += 1;
}

/** Gives a row its patch where there is room; a smaller one that comes later may still find some. */
function addPatch(file: DeltaFile, bound: BoundedPatch | null, budget: PatchBudget): void {
  if (bound === null || bound.bytes > budget.left) {
    leaveOut(file, budget);
    return;
  }
  file.patch = bound.patch;
  file.patchBytes = bound.bytes;
  file.truncated = bound.truncated;
  budget.left -= bound.bytes;
  budget.total += bound.bytes;
}

/** The object of a side; null where the side is absent, undefined where its content is not at hand. */
function entryOf(side: DifferenceSide | null, sizes: Map<string, number>) {
  if (side === null) return null;
  return side.known === 'object' && sizes.has(side.entry.id) ? side.entry : undefined;
}

function isLost(side: DifferenceSide | null, sizes: Map<string, number>): boolean {
  return side?.known === 'object' && !sizes.has(side.entry.id);
}

function kindOf(mode: string | null): EntryKind | null {
  if (mode === null) return null;
  if (mode === '120000') return 'symlink';
  return mode === '160000' ? 'submodule' : 'file';
}

interface Surroundings {
  sizes: Map<string, number>;
  place: WrittenPlace;
  limits: Limits;
  store: PrivateGitDir;
  /** By path below the root of the trees. */
  differences: ReadonlyMap<RawPath, Difference>;
}

function countedFile(
  row: CountedDifference,
  difference: Difference,
  oldDifference: Difference | null,
  { sizes, place, limits, store }: Surroundings,
): DeltaFile {
  const sizeBefore = row.before ? (sizes.get(row.before.id) ?? null) : null;
  const sizeAfter = row.after ? (sizes.get(row.after.id) ?? null) : null;
  const large = Math.max(sizeBefore ?? 0, sizeAfter ?? 0) > limits.fileBytes;
  return {
    ...place.names(difference),
    ...renaming(row.before !== null, row.after !== null, oldDifference && place.names(oldDifference).path),
    additions: row.additions,
    deletions: row.deletions,
    binary: row.binary,
    truncated: false,
    oversized: large && row.before?.id !== row.after?.id,
    sizeBefore,
    sizeAfter,
    modeBefore: row.before?.mode ?? null,
    modeAfter: row.after?.mode ?? null,
    kindBefore: kindOf(row.before?.mode ?? null),
    kindAfter: kindOf(row.after?.mode ?? null),
    lineEndings: null,
    ignored: difference.ignored && (oldDifference?.ignored ?? true),
    evidence: difference.evidence,
    patch: null,
    patchBytes: 0,
    contentBefore: row.before && contentRef(store, row.before.id),
    contentAfter: row.after && contentRef(store, row.after.id),
    movedByGit: difference.movedByGit && (oldDifference?.movedByGit ?? true),
  };
}

const contentRef = (store: PrivateGitDir, id: string) => `git:${store.key}:${id}`;

function renaming(before: boolean, after: boolean, oldPath: string | null) {
  if (oldPath !== null) return { changeType: 'renamed' as const, oldPath };
  return {
    changeType: before ? (after ? ('modified' as const) : ('deleted' as const)) : ('added' as const),
    oldPath: null,
  };
}

/** Rows of files that nobody read whole: no counts, and a rename only where it is the same file moved. */
function unreadFiles(
  unread: readonly Difference[],
  sizes: Map<string, number>,
  place: WrittenPlace,
  store: PrivateGitDir,
): DeltaFile[] {
  const gone = unread.filter(({ before, after }) => before?.known === 'fingerprint' && after === null);
  const paired = new Set<Difference>();
  const files: DeltaFile[] = [];
  for (const difference of unread) {
    const { before, after } = difference;
    const origin =
      before === null && after?.known === 'fingerprint'
        ? gone.find(
            (other) =>
              !paired.has(other) &&
              other.before?.known === 'fingerprint' &&
              isMoved(other.before.fingerprint, after.fingerprint),
          )
        : undefined;
    if (origin) paired.add(origin);
    const old = origin ? origin.before : before;
    files.push({
      ...place.names(difference),
      ...renaming(old !== null, after !== null, origin ? place.names(origin).path : null),
      additions: 0,
      deletions: 0,
      binary: false,
      truncated: false,
      oversized: true,
      ...sideFacts('Before', old, sizes, store),
      ...sideFacts('After', after, sizes, store),
      lineEndings: null,
      ignored: difference.ignored,
      evidence: difference.evidence,
      patch: null,
      patchBytes: 0,
      movedByGit: difference.movedByGit,
    } as DeltaFile);
  }
  return files.filter((_, index) => !paired.has(unread[index] as Difference));
}

function sideFacts(
  name: 'Before' | 'After',
  side: DifferenceSide | null,
  sizes: Map<string, number>,
  store: PrivateGitDir,
): Record<string, unknown> {
  let size: number | null = null;
  let mode: string | null = null;
  let content: string | null = null;
  if (side?.known === 'object') {
    size = sizes.get(side.entry.id) ?? null;
    mode = side.entry.mode;
    if (size !== null) content = contentRef(store, side.entry.id);
  } else if (side?.known === 'fingerprint') {
    size = side.fingerprint.size;
    mode = side.fingerprint.mode;
  } else if (side?.known === 'nothing') {
    size = side.size;
    mode = side.mode;
  }
  return {
    [`size${name}`]: size,
    [`mode${name}`]: mode,
    [`kind${name}`]: side === null ? null : (kindOf(mode) ?? 'file'),
    [`content${name}`]: content,
  };
}
