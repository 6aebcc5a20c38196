/** Asks git for the object ids of files, one failing costing no other. */
import { writePath } from '@/lib/domain/workspace';
import { type RawPath, rawToBytes } from '../raw-path';
import { lines } from './diff-trees';
import { type Git, isGitFailure } from './git-command';
import type { PrivateGitDir } from './private-git-dir';

/** How many single failures are told apart before the rest of a batch is given up. */
const MAX_FAILURES = 50;

/** The object id of each file by the rules of its path; with `keep` the objects are stored too. */
export async function hashFiles(
  git: Git,
  store: PrivateGitDir,
  paths: readonly RawPath[],
  { keep }: { keep: boolean },
): Promise<{ ids: Map<RawPath, string>; failed: RawPath[] }> {
  const failed: RawPath[] = [];
  let asked = [...paths];
  for (;;) {
    const ids: string[] = [];
    let rest = '';
    try {
      if (asked.length > 0) {
        await git.run({
          gitDir: store.dir,
          workTree: store.top,
          args: ['hash-object', ...(keep ? ['-w'] : []), '--stdin-paths'],
          onlyOwn: keep,
          // Names with line breaks are quoted, which this command understands.
          input: lines(asked.map(quoted)),
          onOutput: (chunk) => {
            const parts = (rest + chunk.toString('latin1')).split('\n');
            rest = parts.pop() as string;
            ids.push(...parts);
            return undefined;
          },
        });
      }
      return { ids: new Map(asked.map((path, at) => [path, ids[at] as string])), failed };
    } catch (error) {
      if (!isGitFailure(error) || error.code !== 'git_failed' || failed.length >= MAX_FAILURES) throw error;
      // git stops at the first file that it cannot read: as many were hashed as it had answered.
      const named = asked[ids.length] as RawPath;
      failed.push(named);
      asked = asked.filter((path) => path !== named);
    }
  }
}

function quoted(path: RawPath): string {
  const written = writePath(rawToBytes(path));
  // As bytes, one code unit each: what is quoted has no others.
  return written.quoted ? Buffer.from(written.path).toString('latin1') : path;
}
