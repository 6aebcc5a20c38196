/** Finds which paths differ between two manifests of a folder. */
import type { Difference, DifferenceSide } from './difference';
import { type PlainEntry, readManifest } from './filesystem/plain-snapshot';
import { coverage } from './filesystem/walk';
import type { RawPath } from './raw-path';
import type { PartSnapshot } from './workspace-snapshot';

/** Compares two manifests; a side without one is empty. A path that one end did not look at is neither new nor gone. */
export async function comparePlain(
  dirOf: (key: string) => string,
  before: PartSnapshot | null,
  after: PartSnapshot | null,
): Promise<Difference[]> {
  const [old, now] = await Promise.all(
    [before, after].map((part) => (part === null ? null : readManifest(dirOf(part.key), part.heldAs))),
  );
  const covered = [old, now].map((manifest) => coverage(manifest?.uncovered ?? []));
  const unread = new Set([...(old?.unread ?? []), ...(now?.unread ?? [])]);
  const ignored = { before: new Set(old?.ignored), after: new Set(now?.ignored) };
  const watched = new Set([...(old?.watched ?? []), ...(now?.watched ?? [])]);
  const differences: Difference[] = [];
  for (const path of new Set([
    ...Object.keys(old?.entries ?? {}),
    ...Object.keys(now?.entries ?? {}),
  ]) as Set<RawPath>) {
    if (unread.has(path) || !covered.every((covers) => covers(path))) continue;
    const [from, to] = [old?.entries[path], now?.entries[path]];
    const isIgnored = (!from || ignored.before.has(path)) && (!to || ignored.after.has(path));
    if (isIgnored && !watched.has(path)) continue;
    differences.push({
      path,
      outside: false,
      before: sideOf(from),
      after: sideOf(to),
      movedByGit: false,
      ignored: isIgnored,
      evidence: ['snapshot'],
    });
  }
  return differences;
}

function sideOf(entry: PlainEntry | undefined): DifferenceSide | null {
  if (entry === undefined) return null;
  if ('fingerprint' in entry) return { known: 'fingerprint', fingerprint: entry.fingerprint };
  return { known: 'copy', ref: entry.ref, mode: entry.mode, size: entry.size };
}
