/** Counts the lines of a change without storing a content: one side from the user's own objects, the other from the disk. */
import type { CaptureContext } from './context';
import type { Difference, DifferenceSide } from './difference';
import { readWhole } from './filesystem/read-whole';
import type { PrivateGitDir } from './git/private-git-dir';
import { onDisk } from './raw-path';

/**
 * The differences with contents that can be asked for by reference while the record is made, and the door to them. What
 * is neither in the user's repository nor on disk as it was is not known.
 */
export function inMemory(
  context: CaptureContext,
  store: PrivateGitDir,
  root: string,
  alternates: readonly string[],
  differences: readonly Difference[],
): { differences: Difference[]; bytesOf(ref: string): Promise<Buffer | null> } {
  const { git, settings } = context;
  const places = new Map<string, { id: string; mode: string; path: Buffer }>();
  const refer = (difference: Difference, side: DifferenceSide | null, name: string): DifferenceSide | null => {
    if (side?.known !== 'object') return side;
    const ref = `memory:${name}:${difference.path}`;
    const path = difference.outside ? onDisk('/', difference.path) : onDisk(root, difference.path);
    places.set(ref, { ...side.entry, path });
    return { known: 'copy', ref, mode: side.entry.mode, size: 0 };
  };
  return {
    differences: differences.map((difference) => ({
      ...difference,
      before: refer(difference, difference.before, 'before'),
      after: refer(difference, difference.after, 'after'),
    })),
    async bytesOf(ref) {
      const place = places.get(ref);
      if (!place) return null;
      const max = settings.limits.fileBytes;
      const stored = await git
        .run({ gitDir: store.dir, args: ['cat-file', 'blob', place.id], alternates, maxOutputBytes: max })
        .catch(() => null);
      if (stored && !stored.overflowed) return stored.stdout;
      const bytes = await readWhole(place.path, place.mode === '120000' ? 'symlink' : 'file', max);
      if (bytes === null) return null;
      const text = place.path.toString();
      const conversion = place.mode === '120000' ? '--no-filters' : `--path=${text}`;
      const hashed = await git
        .run({ gitDir: store.dir, workTree: store.top, args: ['hash-object', '--stdin', conversion], input: bytes })
        .catch(() => null);
      return hashed?.stdout.toString().trim() === place.id ? bytes : null;
    },
  };
}
