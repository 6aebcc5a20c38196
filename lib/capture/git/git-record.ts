/** Makes the rows of a change from its differences: lines counted by git, bounded patches, and the bodies kept. */

import { boundPatch } from '@/lib/domain/bounded-patch';
import { type ChangeTotals, type DeltaFile, type EntryKind, totalsOf } from '@/lib/domain/change';
import type { Limits } from '@/lib/domain/limits';
import { changedLineEnds } from '@/lib/domain/line-endings';
import { parseUnifiedPatch } from '@/lib/domain/unified-patch';
import type { Difference, DifferenceSide } from '../difference';
import { isMoved } from '../filesystem/fingerprint';
import type { PartGap } from '../part-gap';
import { NO_PATH, type RawPath } from '../raw-path';
import type { WrittenPlace } from '../written-place';
import {
  type CountedDifference,
  type CountedDifferences,
  countDifferences,
  sizesOf,
  type TreeDifference,
} from './diff-trees';
import { type Git, isGitFailure } from './git-command';
import { equalButForLineEnds, noteLineEnds } from './line-ends';
import { readPatches } from './patches';
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
  const rows: { row: CountedDifference; difference: Difference; oldDifference: Difference | null }[] = [];
  const patched: { trees: ReducedTrees; rows: CountedDifference[] }[] = [];
  for (const where of ['inside', 'outside'] as const) {
    const list = countable[where];
    if (list.length === 0) continue;
    const reduced = await writeReducedTrees(git, store, list, { alternates, signal });
    if (where === 'inside') trees.inside = reduced;
    else trees.outside = reduced;
    if (options.keepAs !== null) {
      const all = { [`${where}-before`]: reduced.before, [`${where}-after`]: reduced.after };
      await keepTrees(git, store, options.keepAs, all, { alternates, signal });
    }
    const counted = await count(tools, reduced);
    if (counted.renamesLimited) gaps.push({ prefix: NO_PATH, gap: { reason: 'rename_limit' } });
    patched.push({ trees: reduced, rows: counted.rows });
    for (const row of counted.rows) {
      rows.push({
        row,
        difference: bySide[where].get(row.path) as Difference,
        oldDifference: row.oldPath === null ? null : (bySide[where].get(row.oldPath) as Difference),
      });
    }
  }

  const fileOf = new Map<CountedDifference, DeltaFile>();
  const all: DeltaFile[] = [];
  for (const { row, difference, oldDifference } of rows) {
    const file = countedFile(row, difference, oldDifference, { sizes, place, limits, store });
    fileOf.set(row, file);
    all.push(file);
  }
  all.push(...unreadFiles(unread, sizes, place, store));
  const patches = options.patches ? await addPatches(tools, patched, fileOf) : { leftOut: 0, total: 0 };
  if (patches.leftOut > 0) gaps.push({ prefix: NO_PATH, gap: { reason: 'patch_limit', count: patches.leftOut } });
  all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const files = all.slice(0, limits.storedRows);
  const rest = all.slice(limits.storedRows);
  if (rest.length > 0) gaps.push({ prefix: NO_PATH, gap: { reason: 'list_limit', count: rest.length } });
  return {
    files,
    unlisted: totalsOf(rest.map((file) => ({ ...file, origin: file.movedByGit ? 'git' : 'command' }))),
    gaps,
    truncated: rest.length > 0 || files.some((file) => file.truncated),
    totalPatchBytes: patches.total,
    trees,
  };
}

/** Similar files are paired as far as time allows; when it does not, renames of equal content still are. */
async function count(tools: GitRecordTools, trees: ReducedTrees): Promise<CountedDifferences> {
  const { git, store, signal } = tools;
  try {
    return await countDifferences(git, store, trees.before, trees.after, { signal });
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_timeout') throw error;
    const counted = await countDifferences(git, store, trees.before, trees.after, { renames: false, signal });
    return { ...counted, renamesLimited: true };
  }
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

/** Adds the patches that fit, and the line-ending notes that follow from whole ones. */
async function addPatches(
  tools: GitRecordTools,
  patched: readonly { trees: ReducedTrees; rows: CountedDifference[] }[],
  fileOf: Map<CountedDifference, DeltaFile>,
): Promise<{ leftOut: number; total: number }> {
  const { git, store, limits, signal } = tools;
  let total = 0;
  let leftOut = 0;
  for (const { trees, rows } of patched) {
    const lineEnds = new Map<CountedDifference, { file: DeltaFile; lines: number }>();
    const undecided: CountedDifference[] = [];
    await readPatches(
      git,
      store,
      trees,
      rows,
      limits.patchBytes + 1,
      ({ row, bytes, complete }) => {
        const file = fileOf.get(row) as DeltaFile;
        const text = bytes.toString();
        if (!file.binary && row.oldPath === null && row.additions > 0 && row.additions === row.deletions) {
          const lines = complete ? changedLineEnds(parseUnifiedPatch(text).hunks) : null;
          if (lines !== null) lineEnds.set(row, { file, lines });
          else if (!complete) undecided.push(row);
        }
        if (file.oversized) return undefined;
        const bound = boundPatch(text, limits.patchBytes, complete);
        if (bound === null || total + bound.bytes > limits.changePatchBytes) {
          file.truncated = true;
          leftOut += 1;
          return undefined;
        }
        file.patch = bound.patch;
        file.patchBytes = bound.bytes;
        file.truncated = bound.truncated;
        total += bound.bytes;
        return undefined;
      },
      { signal },
    );
    if (undecided.length > 0) {
      const equal = await equalButForLineEnds(git, store, trees, signal);
      for (const row of undecided) {
        if (equal.has(row.path)) lineEnds.set(row, { file: fileOf.get(row) as DeltaFile, lines: row.additions });
      }
    }
    await noteLineEnds(git, store, lineEnds, signal);
  }
  return { leftOut, total };
}
