/** Changes a private index, and turns it into a tree. */
import { open } from 'node:fs/promises';
import { nulSeparated, type RawPath } from '../raw-path';
import { writeCommit } from './commit-object';
import { type Git, isGitFailure } from './git-command';
import { updateNamesOnly } from './names-only-update';
import { type PrivateGitDir, setHead } from './private-git-dir';
import { removeFromIndex } from './private-index';

/** How many single failures are told apart before the rest of a batch is given up. */
const MAX_FAILURES = 50;
/** Files that one command reads: its time limit is meant for a command that hangs, not for a slow disk. */
const BATCH = 4_000;

/**
 * Removes and adds paths; with `namesOnly` no content is stored. One that git cannot read costs no other: it is left out and
 * returned, the rest is tried again.
 */
export async function updateIndex(
  git: Git,
  store: PrivateGitDir,
  gone: readonly RawPath[],
  reading: readonly RawPath[],
  namesOnly: boolean,
): Promise<RawPath[]> {
  // Removals first: a file may have become a folder, or a folder a link, beyond which git would not look.
  await removeFromIndex(git, store, gone);
  if (namesOnly) return reading.length === 0 ? [] : updateNamesOnly(git, store, reading);
  const failed: RawPath[] = [];
  for (let at = 0; at < reading.length; at += BATCH) {
    failed.push(...(await readBatch(git, store, reading.slice(at, at + BATCH))));
  }
  return failed;
}

/** Returns the paths that could not be read. */
async function readBatch(git: Git, store: PrivateGitDir, reading: readonly RawPath[]): Promise<RawPath[]> {
  const failed: RawPath[] = [];
  let paths = [...reading];
  while (paths.length > 0) {
    try {
      await git.run({
        gitDir: store.dir,
        workTree: store.top,
        args: ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'],
        onlyOwn: true,
        input: nulSeparated(paths),
      });
      break;
    } catch (error) {
      if (!isGitFailure(error) || error.code !== 'git_failed') throw error;
      const named = unprocessedPath(error.stderr);
      if (named === null || !paths.includes(named) || failed.length >= MAX_FAILURES) throw error;
      failed.push(named);
      paths = paths.filter((path) => path !== named);
    }
  }
  return failed;
}

function unprocessedPath(stderr: Buffer): RawPath | null {
  const match = /^fatal: Unable to process path ([\s\S]*)\n$/m.exec(stderr.toString('latin1'));
  return match ? (match[1] as RawPath) : null;
}

/** Writes the tree of the private index, unless it is known, and points HEAD at it. What it names may be borrowed. */
export async function leaveTree(
  git: Git,
  store: PrivateGitDir,
  known: string | null,
): Promise<{ tree: string; commit: string }> {
  const tree = known ?? (await writeTree(git, store));
  const commit = await writeCommit(store, tree);
  await setHead(store, commit);
  return { tree, commit };
}

async function writeTree(git: Git, store: PrivateGitDir): Promise<string> {
  const answer = await git.run({
    gitDir: store.dir,
    // It writes the index too, and without its work tree git would take the untracked cache for another one's.
    workTree: store.top,
    args: ['write-tree', '--missing-ok'],
    onlyOwn: true,
  });
  return answer.stdout.toString().trim();
}

/** The number of entries that an index file says it has. */
export async function countEntries(index: string): Promise<number> {
  const handle = await open(index).catch(() => null);
  if (handle === null) return 0;
  try {
    const header = Buffer.alloc(12);
    const { bytesRead } = await handle.read(header, 0, 12, 0);
    return bytesRead === 12 && header.toString('latin1', 0, 4) === 'DIRC' ? header.readUInt32BE(8) : 0;
  } finally {
    await handle.close();
  }
}
