/** Makes what is no ordinary file: sockets, files that come and go, files that only another user may not read. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { mustRun } from '../commands';
import { Skip } from '../skip';
import type { Stage } from '../stage';

/** Numeric id of a user that owns nothing. */
export const STRANGER = 54_321;

/** Does `work` while a socket lies at `path`. */
export async function listenOn(path: string, work: () => Promise<void>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  try {
    await work();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Makes and removes a file again and again until it is stopped. */
export function flicker(path: string): () => Promise<void> {
  let going = true;
  const done = (async () => {
    for (let at = 0; going; at += 1) {
      writeFileSync(path, `${at}\n`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      rmSync(path, { force: true });
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return async () => {
    going = false;
    await done;
  };
}

/**
 * Gives the situation a server that runs as another user, since nothing is unreadable for root; the folder becomes that
 * user's. Skips where such a server cannot come up.
 */
export async function asAnother(t: Stage, folder: string): Promise<void> {
  const dataDir = t.freePath('data');
  const run = (...args: string[]) => mustRun(args[0] as string, args.slice(1), { cwd: '/', env: t.scratch.env });
  await run('mkdir', dataDir);
  await run('chown', '-R', `${STRANGER}:${STRANGER}`, folder, dataDir);
  for (const path of [t.scratch.base, t.folderPath]) chmodSync(path, 0o755);
  try {
    await t.ownServer({ dataDir, uid: STRANGER });
  } catch {
    throw new Skip('run as root, and no server of another user can read the build');
  }
}
