/** Reads the first bytes of blobs, however large they are. */
import { lines } from './diff-trees';
import type { Git } from './git-command';
import type { PrivateGitDir } from './private-git-dir';

/** The first `length` bytes of each blob that is there, by id. */
export async function blobHeads(
  git: Git,
  store: PrivateGitDir,
  ids: Iterable<string>,
  length: number,
): Promise<Map<string, Buffer>> {
  const heads = new Map<string, Buffer>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return heads;
  let header = '';
  let id: string | null = null;
  let left = 0;
  let head: Buffer[] = [];
  let kept = 0;
  await git.run({
    gitDir: store.dir,
    args: ['cat-file', '--batch', '--buffer'],
    input: lines(wanted),
    onOutput: (chunk) => {
      let rest = chunk;
      while (rest.length > 0) {
        if (id === null) {
          const end = rest.indexOf(0x0a);
          header += rest.toString('latin1', 0, end < 0 ? rest.length : end);
          rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1);
          if (end < 0) continue;
          const [name, type, size] = header.split(' ') as [string, string, string | undefined];
          header = '';
          if (type === 'missing' || size === undefined) continue;
          [id, left, head, kept] = [name, Number(size), [], 0];
        }
        const part = rest.subarray(0, left);
        if (kept < length) {
          head.push(Buffer.from(part.subarray(0, length - kept)));
          kept += part.length;
        }
        left -= part.length;
        rest = rest.subarray(part.length);
        if (left === 0 && rest.length > 0) {
          heads.set(id, Buffer.concat(head));
          id = null;
          // The line end after the content.
          rest = rest.subarray(1);
        }
      }
      return undefined;
    },
  });
  return heads;
}
