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

/** One gap a reason and detail, its paths relative to the workspace by `place`. */
export function gatherGaps(
  gaps: readonly { prefix: RawPath; gap: PartGap }[],
  place: (path: RawPath) => RawPath,
): Gap[] {
  const gathered = new Map<string, { reason: GapReason; detail?: string; paths: RawPath[]; count: number }>();
  for (const { prefix, gap } of gaps) {
    const key = `${gap.reason}\0${gap.detail ?? ''}`;
    const known = gathered.get(key) ?? {
      reason: gap.reason,
      ...(gap.detail === undefined ? {} : { detail: gap.detail }),
      paths: [],
      count: 0,
    };
    const paths = gap.paths ?? [];
    for (const path of paths.slice(0, NAMED + 1)) known.paths.push(place(joinRaw(prefix, path)));
    known.count += gap.count ?? paths.length;
    gathered.set(key, known);
  }
  return [...gathered.values()].map(({ reason, detail, paths, count }) => {
    const names = paths.slice(0, NAMED).map((path) => writeRaw(path).path);
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
