/** Lists a snapshot the way seed 003 does: each path with its size, time and a hash of its first bytes. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { comparePaths } from '@/lib/domain/workspace';
import { HEAD_BYTES, headHash } from '@/lib/domain/workspace-snapshot';
import type { Snapshot } from './capture';
import type { CaptureContext } from './context';
import { inParallel } from './filesystem/stat-files';
import { NO_DETAILS, ownFile, type PrivateGitDir, readDetails } from './git/private-git-dir';
import { blobHeads } from './git/read-blobs';
import { joinRaw, onDisk, type RawPath, writeRaw } from './raw-path';
import { workspaceSnapshot } from './workspace-snapshot';

export interface ListedFile {
  path: string;
  size: number;
  mtimeNs: bigint;
  /** FNV-1a, 64 bits, of the first 4,096 bytes as the snapshot holds them; 0 above the size limit, and where nobody has them any more. */
  headHash: bigint;
}

/** One file of `ls-files --stage --debug -z`. */
const LISTED =
  /\d{6} ([0-9a-f]+) \d\t([^\0]+)\0 {2}ctime: [\d:]+\n {2}mtime: (\d+):(\d+)\n {2}dev: [^\n]*\n {2}uid: [^\n]*\n {2}size: (\d+)\tflags: \w+\n/g;

/** A file of a snapshot; `id` is null where its content is remembered by fingerprint only. */
interface Found {
  path: RawPath;
  size: number;
  mtimeNs: bigint;
  id: string | null;
}

export async function listSnapshot(context: CaptureContext, snapshot: Snapshot): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for (const part of workspaceSnapshot(snapshot).parts) {
    const store = context.storeOf(part);
    const found = await indexed(context, store, `snapshots/${part.heldAs}.index`);
    const { large } = part.details === null ? NO_DETAILS : await readDetails(store, part.details);
    for (const [path, { size, mtimeNs }] of Object.entries(large)) {
      found.push({ path: path as RawPath, size, mtimeNs: BigInt(mtimeNs), id: null });
    }
    const hashes = await headHashes(context, store, found);
    for (const file of found) {
      const { path, size, mtimeNs } = file;
      files.push({ path: writeRaw(joinRaw(part.prefix, path)).path, size, mtimeNs, headHash: hashes.get(file) ?? 0n });
    }
  }
  return files.sort((a, b) => comparePaths(a.path, b.path));
}

/** What the index of a snapshot holds. */
async function indexed(context: CaptureContext, store: PrivateGitDir, index: string): Promise<Found[]> {
  const found: Found[] = [];
  let text = '';
  await context.git.run({
    gitDir: store.dir,
    workTree: store.top,
    indexFile: ownFile(store, index),
    args: ['ls-files', '-z', '--stage', '--debug'],
    onOutput: (chunk) => {
      text += chunk.toString('latin1');
      let end = 0;
      for (const match of text.matchAll(LISTED)) {
        const [whole, id = '', path = '', seconds = '', nanoseconds = '', size] = match;
        const mtimeNs = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
        found.push({ path: path as RawPath, size: Number(size), mtimeNs, id });
        end = match.index + whole.length;
      }
      text = text.slice(end);
      return undefined;
    },
  });
  return found;
}

/** From the disk where it still holds what the snapshot saw, which costs no process; else from the snapshot itself. */
async function headHashes(
  context: CaptureContext,
  store: PrivateGitDir,
  found: readonly Found[],
): Promise<Map<Found, bigint>> {
  const hashes = new Map<Found, bigint>();
  const elsewhere: Found[] = [];
  const wanted = found.filter(({ size }) => size <= context.settings.limits.fileBytes);
  await inParallel(wanted.length, (index, done) => {
    const file = wanted[index] as Found;
    headOnDisk(onDisk(store.top, file.path), file)
      .then((head) => {
        if (head) hashes.set(file, headHash(head));
        else if (file.id !== null) elsewhere.push(file);
      })
      .finally(done)
      .catch(() => {});
  });
  const heads = await blobHeads(
    context.git,
    store,
    elsewhere.map(({ id }) => id as string),
    HEAD_BYTES,
  );
  for (const file of elsewhere) {
    const head = heads.get(file.id as string);
    if (head) hashes.set(file, headHash(head));
  }
  return hashes;
}

/** The first bytes of a file that is still the one that was seen; null where it is not. */
async function headOnDisk(path: Buffer, { size, mtimeNs }: Found): Promise<Buffer | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || Number(stats.size) !== size || stats.mtimeNs !== mtimeNs) return null;
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return head.subarray(0, bytesRead);
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
