/** The plainest judge of what changed: two full copies of a folder, compared file by file. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** One file as a copy holds it: kind, x bit and content in one string. */
export type Copy = Map<string, string>;

/** Copies all files of a folder into memory, without `.git` and without empty folders. */
export function copyFolder(root: string): Copy {
  const copy: Copy = new Map();
  const walk = (folder: string) => {
    for (const name of readdirSync(join(root, folder))) {
      if (name === '.git') continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink()) copy.set(path, `link ${readlinkSync(join(root, path))}`);
      else if (stats.isFile()) {
        copy.set(path, `${stats.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(root, path), 'latin1')}`);
      }
    }
  };
  walk('');
  return copy;
}

/** What git holds eligible in a work tree now: tracked, or not ignored, or ignored and in no ignored folder. */
export function eligiblePaths(root: string): Set<string> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
      .split('\0')
      .filter((part) => part !== '');
  const paths = new Set(git('ls-files', '-z', '-c', '-o', '--exclude-standard'));
  for (const entry of git('status', '--porcelain', '-z', '-uall', '--ignored=matching', '--no-renames')) {
    if (!entry.startsWith('!! ') || entry.endsWith('/')) continue;
    const path = entry.slice(3);
    // git names the files of an ignored folder one by one where that holds a tracked one too.
    if (foldersOf(path).some((folder) => ignores(root, folder))) continue;
    const file = join(root, path);
    if (lstatSync(file).isSymbolicLink() || !readFileSync(file).includes(0)) paths.add(path);
  }
  return paths;
}

/** The folders that hold a path, the topmost first. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

/** Whether an ignore rule covers a path, whatever is tracked. What is a folder must be there: git looks. */
export function ignores(root: string, path: string): boolean {
  try {
    execFileSync('git', ['check-ignore', '-q', '--no-index', `./${path}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A path that differs, and how. */
export type Verdict = Map<string, 'A' | 'M' | 'D'>;

/** What changed between two copies, of the paths that `covers` holds. `same` says when two contents are one. */
export function judge(
  before: Copy,
  after: Copy,
  covers: (path: string) => boolean,
  same: (a: string, b: string) => boolean = (a, b) => a === b,
): Verdict {
  const verdict: Verdict = new Map();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (!covers(path)) continue;
    const [old, now] = [before.get(path), after.get(path)];
    if (old === undefined) verdict.set(path, 'A');
    else if (now === undefined) verdict.set(path, 'D');
    else if (!same(old, now)) verdict.set(path, 'M');
  }
  return verdict;
}
