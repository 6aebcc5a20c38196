/** Reads blobs in pieces as git gives them, however large they are. */
import { lines } from './diff-trees';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';

export interface BlobReader {
  take(part: Buffer): void;
  end(): void;
}

/** Reads each blob that is there, once. `begin` says who takes its bytes; parts are good until the next one. */
export async function readBlobs(
  git: Git,
  store: PrivateGitDir,
  ids: Iterable<string>,
  begin: (id: string) => BlobReader,
  options: { alternates?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return;
  let header = '';
  let reader: BlobReader | null = null;
  let left = 0;
  await git.run({
    gitDir: store.dir,
    args: ['cat-file', '--batch', '--buffer'],
    input: lines(wanted),
    onOutput: (chunk) => {
      let rest = chunk;
      while (rest.length > 0) {
        if (reader === null) {
          const end = rest.indexOf(0x0a);
          header += rest.toString('latin1', 0, end < 0 ? rest.length : end);
          rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1);
          if (end < 0) continue;
          const [id, type, size] = header.split(' ') as [string, string, string | undefined];
          header = '';
          if (type === 'missing' || size === undefined) continue;
          left = Number(size);
          reader = begin(id);
        }
        const part = rest.subarray(0, left);
        reader.take(part);
        left -= part.length;
        rest = rest.subarray(part.length);
        if (left === 0 && rest.length > 0) {
          reader.end();
          reader = null;
          // The line end after the content.
          rest = rest.subarray(1);
        }
      }
      return undefined;
    },
    ...options,
  });
}

/** The first `length` bytes of each blob that is there, by id. */
export async function blobHeads(
  git: Git,
  store: PrivateGitDir,
  ids: Iterable<string>,
  length: number,
): Promise<Map<string, Buffer>> {
  const heads = new Map<string, Buffer>();
  await readBlobs(git, store, ids, (id) => {
    const head: Buffer[] = [];
    let kept = 0;
    return {
      take(part) {
        if (kept >= length) return;
        head.push(Buffer.from(part.subarray(0, length - kept)));
        kept += part.length;
      },
      end: () => heads.set(id, Buffer.concat(head)),
    };
  });
  return heads;
}
