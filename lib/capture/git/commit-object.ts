/** Writes the commit that holds a snapshot's tree, without a process: HEAD must be a commit for `status` to compare with. */
import { createHash } from 'node:crypto';
import { link, mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { objectsOf, type PrivateGitDir } from './private-git-dir';

const compress = promisify(deflate);

/** The same tree is always the same commit. Returns its id. */
export async function writeCommit(store: PrivateGitDir, tree: string): Promise<string> {
  const who = 'tidemark <tidemark> 0 +0000';
  const body = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nsnapshot\n`;
  const object = Buffer.from(`commit ${body.length}\0${body}`, 'latin1');
  const id = createHash(store.objectFormat).update(object).digest('hex');
  const folder = join(objectsOf(store), id.slice(0, 2));
  const file = join(folder, id.slice(2));
  if ((await stat(file).catch(() => null)) !== null) return id;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `tmp_obj_${process.pid}`);
  await writeFile(temporary, await compress(object), { mode: 0o400 });
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(temporary);
  return id;
}
