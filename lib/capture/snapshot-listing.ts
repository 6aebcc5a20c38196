/** Lists a snapshot the way seed 003 does: each path with its size, time and a hash of its first bytes. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { comparePaths } from '@/lib/domain/workspace';
import type { Snapshot } from './capture';
import type { CaptureContext } from './context';
import { inParallel } from './filesystem/stat-files';
import { NO_DETAILS, ownFile, readDetails } from './git/private-git-dir';
import { joinRaw, onDisk, type RawPath, writeRaw } from './raw-path';
import { workspaceSnapshot } from './workspace-snapshot';

export interface ListedFile {
  path: string;
  size: number;
  mtimeNs: bigint;
  /** FNV-1a, 64 bits, of the first 4,096 bytes as they are now on disk; 0 where they cannot be read. */
  headHash: bigint;
}

const HEAD_BYTES = 4_096;
/** One file of `ls-files --debug -z`. */
const LISTED =
  /([^\0]+)\0 {2}ctime: [\d:]+\n {2}mtime: (\d+):(\d+)\n {2}dev: [^\n]*\n {2}uid: [^\n]*\n {2}size: (\d+)\tflags: \w+\n/g;

export async function listSnapshot(context: CaptureContext, snapshot: Snapshot): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for (const part of workspaceSnapshot(snapshot).parts) {
    const store = context.storeOf(part);
    const found: { path: RawPath; size: number; mtimeNs: bigint }[] = [];
    let text = '';
    await context.git.run({
      gitDir: store.dir,
      workTree: store.top,
      indexFile: ownFile(store, `snapshots/${part.heldAs}.index`),
      args: ['ls-files', '-z', '--debug'],
      onOutput: (chunk) => {
        text += chunk.toString('latin1');
        let end = 0;
        for (const match of text.matchAll(LISTED)) {
          const [whole, path, seconds, nanoseconds, size] = match as unknown as [
            string,
            string,
            string,
            string,
            string,
          ];
          const mtimeNs = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
          found.push({ path: path as RawPath, size: Number(size), mtimeNs });
          end = match.index + whole.length;
        }
        text = text.slice(end);
        return undefined;
      },
    });
    const { large } = part.details === null ? NO_DETAILS : await readDetails(store, part.details);
    for (const [path, { size, mtimeNs }] of Object.entries(large)) {
      found.push({ path: path as RawPath, size, mtimeNs: BigInt(mtimeNs) });
    }
    await inParallel(found.length, (index, done) => {
      const { path, size, mtimeNs } = found[index] as (typeof found)[number];
      hashHead(onDisk(part.top, path))
        .then((headHash) => files.push({ path: writeRaw(joinRaw(part.prefix, path)).path, size, mtimeNs, headHash }))
        .finally(done)
        .catch(() => {});
    });
  }
  return files.sort((a, b) => comparePaths(a.path, b.path));
}

async function hashHead(file: Buffer): Promise<bigint> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return 0n;
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    return fnv1a64(head.subarray(0, bytesRead));
  } catch {
    return 0n;
  } finally {
    await handle.close();
  }
}

export function fnv1a64(bytes: Uint8Array): bigint {
  // In halves of 32 bits: a product of big integers a byte would take a hundred times as long.
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    // Times 0x100000001b3: the low half by 0x1b3 with its carry, the high half by 0x1b3 plus the low half shifted by 8.
    const product = low * 0x1b3;
    const carry = Math.floor(product / 0x1_0000_0000);
    high = (Math.imul(high, 0x1b3) + carry + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}
