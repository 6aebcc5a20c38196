/** Copies single files whole, by content address, around the calls that touch them (evidence layer L1). */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@/lib/domain/errors';
import type { CaptureSettings, FileCapture, WorkspaceLocation } from './capture';
import { type Fingerprint, takeFingerprint } from './filesystem/fingerprint';
import { isWithin } from './resolve-workspace';

/** Milliseconds that a capture may take: a file on a disk that hangs costs the call no more. */
const CAPTURE_MS = 2_000;
/** Bytes in which a NUL makes a file binary, as git looks. */
const PROBE_BYTES = 8_000;

export interface FileCaptures {
  capture(location: WorkspaceLocation, path: string): Promise<FileCapture>;
  read(capture: FileCapture): Promise<string | null>;
  /** The bytes of a copy, or null where it is gone. */
  bytesOf(ref: string): Promise<Buffer | null>;
  /** Stores bytes and returns their content reference. */
  store(bytes: Uint8Array): Promise<string>;
  /** Every copy there is. */
  all(): Promise<string[]>;
  sizeOf(ref: string): Promise<number>;
  /** When a copy was last captured by this process, ms; 0 when it was not. */
  capturedAt(ref: string): number;
  remove(ref: string): Promise<void>;
}

export function fileCaptures(
  settings: Pick<CaptureSettings, 'limits' | 'tempDirs' | 'namesOnly'>,
  folder: string,
  isPrivate: (file: string) => boolean,
): FileCaptures {
  const copyPath = (ref: string) => {
    const hash = /^copy:([0-9a-f]{64})$/.exec(ref)?.[1];
    return hash === undefined ? null : join(folder, hash.slice(0, 2), hash);
  };

  const captured = new Map<string, number>();

  async function store(bytes: Uint8Array): Promise<string> {
    const ref = copyRef(bytes);
    const target = copyPath(ref) as string;
    const known = await stat(target).catch(() => null);
    if (known?.size === bytes.length) return ref;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const temporary = `${target}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, target);
    } catch (error) {
      await unlink(temporary).catch(() => {});
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC'
        ? new AppError('storage_full', 'There is no room left in the data folder.', { cause: error })
        : error;
    }
    return ref;
  }

  async function bytesOf(ref: string): Promise<Buffer | null> {
    const file = copyPath(ref);
    return file === null ? null : readFile(file).catch(() => null);
  }

  async function take(location: WorkspaceLocation, path: string, at: number): Promise<FileCapture> {
    const real = await canonical(path);
    const inside =
      isWithin(real, location.root) || (location.repository !== null && isWithin(real, location.repository));
    if (!inside && settings.tempDirs.some((temporary) => isWithin(real, temporary))) {
      return { path: real, at, state: 'uncovered', reason: 'outside' };
    }
    const uncovered = (reason: 'not_a_file' | 'unreadable'): FileCapture => ({
      path: real,
      at,
      state: 'uncovered',
      reason,
    });
    let stats: Awaited<ReturnType<typeof lstat>>;
    try {
      stats = await lstat(real);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? { path: real, at, state: 'absent' } : uncovered('unreadable');
    }
    if (stats.isSymbolicLink()) return { path: real, at, state: 'symlink', target: await readlink(real) };
    if (!stats.isFile()) return uncovered('not_a_file');
    const mode = stats.mode & 0o100 ? '100755' : '100644';
    if (stats.size > settings.limits.fileBytes || settings.namesOnly || isPrivate(real)) {
      const fingerprint = await takeFingerprint(real, undefined);
      if (fingerprint === null) return uncovered('unreadable');
      return { path: real, at, state: 'oversized', size: stats.size, mode, fingerprint: JSON.stringify(fingerprint) };
    }
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
    if (handle === null) return uncovered('unreadable');
    try {
      if (!(await handle.stat()).isFile()) return uncovered('not_a_file');
      const bytes = await handle.readFile();
      const content = await store(bytes);
      captured.set(content, at);
      return { path: real, at, state: 'file', content, size: bytes.length, mode, binary: isBinary(bytes) };
    } finally {
      await handle.close();
    }
  }

  return {
    store,
    async all() {
      const refs: string[] = [];
      for (const part of await readdir(folder).catch(() => [] as string[])) {
        for (const name of await readdir(join(folder, part)).catch(() => [] as string[])) refs.push(`copy:${name}`);
      }
      return refs;
    },
    async sizeOf(ref) {
      const file = copyPath(ref);
      return file === null ? 0 : ((await stat(file).catch(() => null))?.size ?? 0);
    },
    capturedAt: (ref) => captured.get(ref) ?? 0,
    async remove(ref) {
      captured.delete(ref);
      await rm(join(folder, ref.slice(5, 7), ref.slice(5)), { force: true });
    },
    async capture(location, path) {
      const at = Date.now();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<FileCapture>((resolve) => {
        timer = setTimeout(() => resolve({ path, at, state: 'uncovered', reason: 'time_limit' }), CAPTURE_MS);
      });
      try {
        return await Promise.race([take(location, path, at), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    async read(capture) {
      if (capture.state !== 'file' || capture.binary) return null;
      const bytes = await bytesOf(capture.content);
      if (bytes === null) return null;
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        return null;
      }
    },
    bytesOf,
  };
}

/** The reference of a content, by what it is. */
export function copyRef(bytes: Uint8Array): string {
  return `copy:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The path with every folder on the way resolved, its last name as it is; folders that do not exist yet stay as written. */
async function canonical(path: string): Promise<string> {
  const missing: string[] = [basename(path)];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => null);
    if (real !== null) return join(real, ...missing);
    if (dirname(folder) === folder) return path;
    missing.unshift(basename(folder));
  }
}

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, PROBE_BYTES).includes(0);
}

/** Whether two captures are of one content, kind and mode. Content that nobody read is never known to be the same. */
export function sameCapture(a: FileCapture, b: FileCapture): boolean {
  if (a.state === 'file' && b.state === 'file') return a.content === b.content && a.mode === b.mode;
  if (a.state === 'symlink' && b.state === 'symlink') return a.target === b.target;
  if (a.state === 'oversized' && b.state === 'oversized') return a.fingerprint === b.fingerprint;
  return a.state === 'absent' && b.state === 'absent';
}

export function fingerprintOf(capture: Extract<FileCapture, { state: 'oversized' }>): Fingerprint {
  return JSON.parse(capture.fingerprint) as Fingerprint;
}
