/** Asks git which files of a work tree differ from the private index, and which it does not know. */
import { type RawPath, rawFromBytes } from '../raw-path';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';

export interface WorkTreeStatus {
  /** In the index, and other on disk: content, kind, mode, or gone. With the object that the index has. */
  changed: Map<RawPath, string>;
  untracked: RawPath[];
  /** Folders with a repository of their own, each ending in `/`. */
  nested: RawPath[];
  /** The index holds what HEAD does not, or the other way round. */
  staged: boolean;
  /** Folders and files that git could not look into. */
  unreadable: RawPath[];
  /** More was found than one listing may hold. */
  overflowed: boolean;
  /**
   * No folder in which something was created, removed or renamed since the index was last written: git's untracked cache
   * answered for each of them. False where git does not say (before 2.36).
   */
  sameFolders: boolean;
}

const ARGS = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=all', '--no-renames'];

/**
 * Runs `status` in the private directory. It may write the index (refreshed stats, the untracked cache), which is what
 * makes the next one cheap. `maxBytes` bounds what is kept of its answer.
 */
export async function readStatus(
  git: Git,
  store: PrivateGitDir,
  options: { maxBytes: number; signal?: AbortSignal | undefined },
): Promise<WorkTreeStatus> {
  const status: WorkTreeStatus = {
    changed: new Map(),
    untracked: [],
    nested: [],
    staged: false,
    unreadable: [],
    overflowed: false,
    sameFolders: false,
  };
  let kept = 0;
  let trace = '';
  const records = splitRecords((record) => {
    const kind = record.charCodeAt(0);
    if (kind === QUESTION) {
      const path = record.slice(2) as RawPath;
      (path.endsWith('/') ? status.nested : status.untracked).push(path);
    } else if (kind === ONE || kind === UNMERGED) {
      if (record[2] !== '.') status.staged = true;
      // `u` has one more mode and two more ids before the path than `1`.
      if (kind === UNMERGED || record[3] !== '.') {
        const path = afterFields(record, kind === ONE ? 8 : 10) as RawPath;
        status.changed.set(path, kind === ONE ? upToSpace(afterFields(record, 7)) : '');
      }
    }
    kept += record.length;
    return kept <= options.maxBytes;
  });
  const answer = await git.run({
    gitDir: store.dir,
    workTree: store.top,
    args: ARGS,
    onOutput: records,
    onTrace: (chunk) => {
      trace += chunk.toString('latin1');
    },
    signal: options.signal,
  });
  status.sameFolders = /"category":"read_directory","key":"opendir","value":"?0"?\}/.test(trace);
  status.overflowed = kept > options.maxBytes;
  status.unreadable = unreadablePaths(answer.stderr);
  return status;
}

const ONE = 0x31;
const QUESTION = 0x3f;
const UNMERGED = 0x75;

function afterFields(record: string, fields: number): string {
  let at = 0;
  for (let field = 0; field < fields; field += 1) at = record.indexOf(' ', at) + 1;
  return record.slice(at);
}

const upToSpace = (text: string): string => text.slice(0, text.indexOf(' '));

/** Turns chunks of NUL-separated output into calls of `take`, one a record, bytes as code units. */
export function splitRecords(take: (record: string) => boolean | undefined): (chunk: Buffer) => boolean | undefined {
  let rest = '';
  return (chunk) => {
    const parts = (rest + chunk.toString('latin1')).split('\0');
    rest = parts.pop() as string;
    for (const part of parts) if (take(part) === false) return false;
    return undefined;
  };
}

/** The paths that git's warnings name: `warning: could not open directory 'x/': Permission denied`. */
export function unreadablePaths(stderr: Buffer): RawPath[] {
  const paths = new Set<RawPath>();
  const text = rawFromBytes(stderr);
  for (const match of text.matchAll(/(?:could not open directory|unable to access) '([\s\S]*?)': [A-Z]/g)) {
    paths.add((match[1] as string).replace(/\/$/, '') as RawPath);
  }
  return [...paths];
}
