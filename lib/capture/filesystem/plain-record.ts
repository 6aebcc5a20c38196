/** Makes the rows of a change on a computer without git: lines counted and patches made by comparing copies. */
import { boundPatch } from '@/lib/domain/bounded-patch';
import { type ChangeTotals, type DeltaFile, type EntryKind, totalsOf } from '@/lib/domain/change';
import type { Limits } from '@/lib/domain/limits';
import { diffLines, type LineDiff } from '@/lib/domain/line-diff';
import { changedLineEnds, LineEndCount } from '@/lib/domain/line-endings';
import { countLines } from '@/lib/domain/patch';
import { comparePaths } from '@/lib/domain/workspace';
import type { Difference, DifferenceSide } from '../difference';
import type { PartGap } from '../part-gap';
import { NO_PATH, type RawPath } from '../raw-path';
import type { WrittenPlace } from '../written-place';
import { isMoved } from './fingerprint';
import { gitPatch } from './plain-patch';
import { pairRenames } from './similar-files';

/** Milliseconds that one comparison may hold the event loop. */
const LINE_DIFF_MS = 40;
const PROBE_BYTES = 8_000;

export interface PlainRecordTools {
  limits: Limits;
  /** The bytes of a copy, or null where it is gone. */
  bytesOf(ref: string): Promise<Buffer | null>;
}

export interface PlainRecord {
  files: DeltaFile[];
  unlisted: ChangeTotals;
  gaps: { prefix: RawPath; gap: PartGap }[];
  truncated: boolean;
  totalPatchBytes: number;
}

/** One path with what both sides hold. */
interface Pair {
  difference: Difference;
  before: DifferenceSide | null;
  after: DifferenceSide | null;
  origin: Difference | null;
}

export async function makePlainRecord(
  tools: PlainRecordTools,
  differences: readonly Difference[],
  place: WrittenPlace,
  options: { patches: boolean },
): Promise<PlainRecord> {
  const { limits } = tools;
  const gaps: PlainRecord['gaps'] = [];
  const paired = await pairMoved(tools, differences);
  if (paired.limited) gaps.push({ prefix: NO_PATH, gap: { reason: 'rename_limit' } });
  const all: DeltaFile[] = [];
  const budget = { left: limits.changePatchBytes, total: 0, leftOut: 0 };
  for (const pair of paired.pairs) {
    all.push(await rowOf(tools, pair, place, options.patches ? budget : null));
    await new Promise(setImmediate);
  }
  if (budget.leftOut > 0) gaps.push({ prefix: NO_PATH, gap: { reason: 'patch_limit', count: budget.leftOut } });
  all.sort((a, b) => comparePaths(a.path, b.path));
  const files = all.slice(0, limits.storedRows);
  const rest = all.slice(limits.storedRows);
  if (rest.length > 0) gaps.push({ prefix: NO_PATH, gap: { reason: 'list_limit', count: rest.length } });
  return {
    files,
    unlisted: totalsOf(
      rest.map((file) => ({ ...file, origin: file.movedByGit ? ('git' as const) : ('command' as const) })),
    ),
    gaps,
    truncated: rest.length > 0 || files.some((file) => file.truncated),
    totalPatchBytes: budget.total,
  };
}

async function pairMoved(
  tools: PlainRecordTools,
  differences: readonly Difference[],
): Promise<{ pairs: Pair[]; limited: boolean }> {
  const contents = async (side: 'before' | 'after') => {
    const other = side === 'before' ? 'after' : 'before';
    const found: { id: Difference; content: string }[] = [];
    for (const difference of differences) {
      const present = difference[side];
      if (difference[other] !== null || present?.known !== 'copy' || present.mode === '120000') continue;
      found.push({ id: difference, content: (await tools.bytesOf(present.ref))?.toString('latin1') ?? '' });
    }
    return found;
  };
  const [gone, came] = [await contents('before'), await contents('after')];
  const { pairs: renames, limited } = pairRenames(gone, came);
  for (const difference of differences) {
    const { after } = difference;
    if (difference.before !== null || after?.known !== 'fingerprint') continue;
    const from = differences.find(
      (other) =>
        other.after === null &&
        other.before?.known === 'fingerprint' &&
        isMoved(other.before.fingerprint, after.fingerprint),
    );
    if (from) renames.set(difference, from);
  }
  const origins = new Set(renames.values());
  const pairs = differences
    .filter((difference) => !origins.has(difference))
    .map((difference): Pair => {
      const origin = renames.get(difference) ?? null;
      return { difference, before: origin ? origin.before : difference.before, after: difference.after, origin };
    });
  return { pairs, limited };
}

async function rowOf(
  tools: PlainRecordTools,
  { difference, before, after, origin }: Pair,
  place: WrittenPlace,
  budget: { left: number; total: number; leftOut: number } | null,
): Promise<DeltaFile> {
  const [old, now] = await Promise.all([contentOf(tools, before), contentOf(tools, after)]);
  const unread = old === undefined || now === undefined;
  const binary = !unread && (isBinary(old) || isBinary(now));
  const same = !unread && old !== null && now !== null && old.equals(now);
  const diff = unread || binary || same ? null : compare(old, now);
  const counts = diff ? countLines(diff.hunks) : { additions: 0, deletions: 0 };
  const file: DeltaFile = {
    ...place.names(difference),
    ...(origin
      ? { changeType: 'renamed' as const, oldPath: place.names(origin).path }
      : {
          changeType: before ? (after ? ('modified' as const) : ('deleted' as const)) : ('added' as const),
          oldPath: null,
        }),
    ...counts,
    binary: binary && !same,
    truncated: false,
    oversized: unread,
    ...facts('Before', before, old),
    ...facts('After', after, now),
    lineEndings: null,
    ignored: difference.ignored,
    evidence: difference.evidence,
    patch: null,
    patchBytes: 0,
    movedByGit: difference.movedByGit && (origin?.movedByGit ?? true),
  } as DeltaFile;
  if (diff && !origin && old && now) file.lineEndings = lineEndingsOf(diff, old, now);
  if (unread || budget === null) return file;
  const text = gitPatch({
    path: difference.path,
    oldPath: origin?.path ?? null,
    modeBefore: file.modeBefore,
    modeAfter: file.modeAfter,
    diff,
    sameContent: same,
  });
  const bound = boundPatch(text, tools.limits.patchBytes);
  if (bound === null || bound.bytes > budget.left) {
    budget.leftOut += 1;
    return { ...file, truncated: true };
  }
  budget.left -= bound.bytes;
  budget.total += bound.bytes;
  return { ...file, patch: bound.patch, patchBytes: bound.bytes, truncated: bound.truncated };
}

/** Null where the side is absent, undefined where its content is not at hand. */
async function contentOf(tools: PlainRecordTools, side: DifferenceSide | null): Promise<Buffer | null | undefined> {
  if (side === null) return null;
  if (side.known !== 'copy') return undefined;
  return (await tools.bytesOf(side.ref)) ?? undefined;
}

const isBinary = (bytes: Buffer | null) => bytes?.subarray(0, PROBE_BYTES).includes(0) ?? false;

function compare(before: Buffer | null, after: Buffer | null): LineDiff {
  const text = (bytes: Buffer | null) => bytes?.toString() ?? '';
  return diffLines(text(before), text(after), { context: 3, timeoutMs: LINE_DIFF_MS });
}

function lineEndingsOf(diff: LineDiff, before: Buffer, after: Buffer): DeltaFile['lineEndings'] {
  const lines = diff.coarse ? null : changedLineEnds(diff.hunks);
  if (lines === null) return null;
  const kind = (bytes: Buffer) => {
    const count = new LineEndCount();
    count.add(bytes);
    return count.kind;
  };
  return { before: kind(before), after: kind(after), lines };
}

function kindOf(mode: string | null): EntryKind | null {
  if (mode === null) return null;
  return mode === '120000' ? 'symlink' : 'file';
}

function facts(
  name: 'Before' | 'After',
  side: DifferenceSide | null,
  bytes: Buffer | null | undefined,
): Record<string, unknown> {
  let size: number | null = null;
  let mode: string | null = null;
  let content: string | null = null;
  if (side?.known === 'copy') {
    mode = side.mode;
    size = bytes?.length ?? null;
    content = side.ref;
  } else if (side?.known === 'fingerprint') {
    ({ size, mode } = side.fingerprint);
  } else if (side?.known === 'nothing') {
    ({ size, mode } = side);
  }
  return {
    [`size${name}`]: size,
    [`mode${name}`]: mode,
    [`kind${name}`]: side === null ? null : (kindOf(mode) ?? 'file'),
    [`content${name}`]: content,
  };
}
