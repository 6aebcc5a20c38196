/** What a part of a workspace could not cover, while its paths are still relative to that part. */
import type { Gap, GapReason } from '@/lib/domain/change';
import { joinRaw, type RawPath, writeRaw } from './raw-path';

export interface PartGap {
  reason: GapReason;
  paths?: readonly RawPath[];
  detail?: string;
  count?: number;
}

/** Paths that a gap names in words; the rest is counted. */
const NAMED = 5;

/** Paths of one reason that a snapshot keeps by name, so that the same path at both ends counts once. */
const KEPT = 1_000;

/** What all parts of a workspace could not cover for one reason. Plain JSON. */
export interface GatheredGap {
  reason: GapReason;
  detail?: string;
  /** Relative to the workspace's root part. */
  paths: RawPath[];
  /** How many more there are than `paths` names. */
  more: number;
}

/** One gap a reason and detail. */
export function gatherGaps(gaps: readonly { prefix: RawPath; gap: PartGap }[]): GatheredGap[] {
  const gathered = new Map<string, GatheredGap>();
  for (const { prefix, gap } of gaps) {
    const known = knownGap(gathered, gap);
    const paths = gap.paths ?? [];
    const kept = paths.slice(0, Math.max(0, KEPT - known.paths.length));
    for (const path of kept) known.paths.push(joinRaw(prefix, path));
    known.more += (gap.count ?? paths.length) - kept.length;
  }
  return [...gathered.values()];
}

/** The gaps of two ends as one: what both could not cover counts once. */
export function mergeGaps(before: readonly GatheredGap[], after: readonly GatheredGap[]): GatheredGap[] {
  const merged = new Map<string, GatheredGap>();
  for (const gap of [...before, ...after]) {
    const known = knownGap(merged, gap);
    known.paths = [...new Set([...known.paths, ...gap.paths])];
    known.more = Math.max(known.more, gap.more);
  }
  return [...merged.values()];
}

function knownGap(gaps: Map<string, GatheredGap>, { reason, detail }: Pick<PartGap, 'reason' | 'detail'>): GatheredGap {
  const key = `${reason}\0${detail ?? ''}`;
  const known = gaps.get(key) ?? { reason, ...(detail === undefined ? {} : { detail }), paths: [], more: 0 };
  gaps.set(key, known);
  return known;
}

/** Gaps in the words of a record, their paths relative to the workspace by `place`. */
export function wordGaps(gaps: readonly GatheredGap[], place: (path: RawPath) => RawPath): Gap[] {
  return gaps.map(({ reason, detail, paths, more }) => {
    const count = paths.length + more;
    const names = paths.slice(0, NAMED).map((path) => writeRaw(place(path)).path);
    const listed = names.length > 1 ? `${names.join(', ')}${count > names.length ? ', …' : ''}` : undefined;
    const words = [detail, listed].filter((part) => part !== undefined).join(': ');
    return {
      reason,
      ...(names.length === 1 && count <= 1 ? { path: names[0] as string } : {}),
      ...(words === '' ? {} : { detail: words }),
      ...(count > 0 ? { count } : {}),
    };
  });
}
