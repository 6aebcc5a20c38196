/** Reads, when a record needs them, the small files that a snapshot only remembered because there were too many at once. */
import { lstat } from 'node:fs/promises';
import type { CaptureContext } from './context';
import type { Difference } from './difference';
import { isFingerprintOf } from './filesystem/fingerprint';
import { isSkippedClass } from './filesystem/ignore-rules';
import { hashFiles } from './git/hash-files';
import type { PrivateGitDir } from './git/private-git-dir';
import { onDisk, type RawPath } from './raw-path';

/**
 * Turns the end of each difference that is known by fingerprint alone, small, and still on disk as it was, into an object
 * of `store`: then its lines can be counted. Within the budget of one record.
 */
export async function readSmallFiles(
  context: CaptureContext,
  store: PrivateGitDir,
  root: string,
  differences: readonly Difference[],
  byGitRules: boolean,
): Promise<void> {
  const { limits, namesOnly } = context.settings;
  if (namesOnly) return;
  const wanted = new Map<RawPath, Difference>();
  let budget = limits.untrackedBytes;
  for (const difference of differences) {
    const { after, before, path, outside } = difference;
    if (after?.known !== 'fingerprint' || before !== null || outside) continue;
    const { size } = after.fingerprint;
    if (size > limits.fileBytes || size > budget || wanted.size >= limits.storedRows) continue;
    // In a folder without git skipped classes are listed without content; where git's rules hold, nothing is skipped.
    if (context.isPrivate(root, path) || (!byGitRules && isSkippedClass(path))) continue;
    if (!(await isStill(root, difference))) continue;
    budget -= size;
    wanted.set(path, difference);
  }
  if (wanted.size === 0) return;
  const { ids } = await hashFiles(context.git, { ...store, top: root }, [...wanted.keys()], { keep: true });
  for (const [path, id] of ids) {
    const difference = wanted.get(path) as Difference;
    // Read in full only counts when nothing was written meanwhile.
    if (difference.after?.known !== 'fingerprint' || !(await isStill(root, difference))) continue;
    difference.after = { known: 'object', entry: { mode: difference.after.fingerprint.mode, id } };
  }
}

async function isStill(root: string, { path, after }: Difference): Promise<boolean> {
  const stats = await lstat(onDisk(root, path), { bigint: true }).catch(() => null);
  return stats !== null && after?.known === 'fingerprint' && isFingerprintOf(stats, after.fingerprint);
}
