/** Looks at many files without opening them, a bounded number at a time. */
import { access, constants, lstat, type Stats } from 'node:fs';
import { onDisk, type RawPath } from '../raw-path';

/** Calls in flight: enough to keep the thread pool busy. */
const IN_FLIGHT = 64;

export type Seen =
  | { kind: 'file'; stats: Stats; readable: boolean }
  | { kind: 'symlink' | 'directory' | 'other'; stats: Stats }
  | { kind: 'absent' }
  | { kind: 'unreadable' };

/** `lstat`s every path below `root`, and asks of each regular file whether it may be read. Results come in any order. */
export function statFiles(
  root: string,
  paths: readonly RawPath[],
  visit: (path: RawPath, seen: Seen, index: number) => void,
): Promise<void> {
  return inParallel(paths.length, (index, done) => {
    const path = paths[index] as RawPath;
    const file = onDisk(root, path);
    lstat(file, (error, stats) => {
      if (error) {
        const gone = error.code === 'ENOENT' || error.code === 'ENOTDIR';
        visit(path, { kind: gone ? 'absent' : 'unreadable' }, index);
        done();
      } else if (stats.isFile()) {
        access(file, constants.R_OK, (refused) => {
          visit(path, { kind: 'file', stats, readable: !refused }, index);
          done();
        });
      } else {
        visit(path, { kind: kindOf(stats), stats }, index);
        done();
      }
    });
  });
}

function kindOf(stats: Stats): 'symlink' | 'directory' | 'other' {
  if (stats.isSymbolicLink()) return 'symlink';
  return stats.isDirectory() ? 'directory' : 'other';
}

/** Runs `start` for 0 to `count` − 1, at most `IN_FLIGHT` at once; `start` may call `done` at once or later. */
export function inParallel(count: number, start: (index: number, done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    let next = 0;
    let live = 0;
    let pumping = false;
    const pump = () => {
      if (pumping) return;
      pumping = true;
      while (live < IN_FLIGHT && next < count) {
        live += 1;
        start(next++, () => {
          live -= 1;
          pump();
        });
      }
      pumping = false;
      if (live === 0 && next >= count) resolve();
    };
    pump();
  });
}
