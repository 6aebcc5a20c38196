/** The disk of one workspace for the file tools: confined to it, no link followed, replaced whole and only if unchanged. */
import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { chmod, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileDoor, FileState } from './file-door';
import { ToolFailure } from './tool-answer';

/** Mode of a new file, before the user's mask. */
const NEW_FILE_MODE = 0o666;

export interface WorkspaceFilesOptions {
  /** Real path of the workspace. */
  root: string;
  /** Largest file that is edited, in bytes. */
  maxBytes: number;
}

export function workspaceFiles({ root, maxBytes }: WorkspaceFilesOptions): FileDoor {
  return {
    async within(path) {
      const { absolute } = locate(root, path);
      await refuseLinks(root, absolute);
      return absolute;
    },

    async read(path) {
      const { absolute, name } = locate(root, path);
      await refuseLinks(root, absolute);
      const stats = await statOf(absolute, name);
      if (!stats) return { path: absolute, name, exists: false };
      if (!stats.isFile()) throw new ToolFailure(`${name} is not a file.`);
      if (stats.size > BigInt(maxBytes)) {
        throw new ToolFailure(`${name} has ${stats.size} bytes; files above ${maxBytes} bytes are not edited.`);
      }
      const handle = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
        (error) => {
          throw failure(error, name, 'read');
        },
      );
      try {
        // What was opened is what the stamp is of, whatever the name points to by now.
        const opened = await handle.stat({ bigint: true });
        if (!opened.isFile()) throw new ToolFailure(`${name} is not a file.`);
        const bytes = await handle.readFile();
        return {
          path: absolute,
          name,
          exists: true,
          bytes,
          stamp: stampOf(opened),
          mode: Number(opened.mode) & 0o7777,
        };
      } finally {
        await handle.close();
      }
    },

    async replace(before, bytes) {
      const { path, name } = before;
      if (bytes.length > maxBytes) {
        throw new ToolFailure(
          `${name} would have ${bytes.length} bytes; files above ${maxBytes} bytes are not written.`,
        );
      }
      // Replacing asks nothing of the file itself: who made it read-only meant it.
      if (before.exists && (before.mode & 0o222) === 0) throw new ToolFailure(`${name} is read-only.`);
      await refuseLinks(root, path);
      const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.new`);
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeDraft(draft, bytes, before);
        await refuseLinks(root, path);
        if (before.exists) {
          const now = await statOf(path, name);
          if (!now || stampOf(now) !== before.stamp) throw changedMeanwhile(name);
          await rename(draft, path);
        } else {
          await placeNew(draft, path, name);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw changedMeanwhile(name);
        throw error instanceof ToolFailure ? error : failure(error, name, 'written');
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

/** A hard link does not replace: a file that somebody made meanwhile stays. */
async function placeNew(draft: string, path: string, name: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    // A disk without hard links: the moment between looking and placing stays open.
    if (await statOf(path, name)) throw changedMeanwhile(name);
    await rename(draft, path);
  }
}

async function writeDraft(draft: string, bytes: Uint8Array, before: FileState): Promise<void> {
  const handle = await open(draft, 'wx', NEW_FILE_MODE);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (before.exists) await chmod(draft, before.mode);
}

/** Where a named file is. Throws where that is not inside the workspace. */
function locate(root: string, path: string): { absolute: string; name: string } {
  if (path.trim() === '' || path.includes('\0')) throw new ToolFailure('The path is empty or not a path.');
  const absolute = resolve(root, path);
  const name = relative(root, absolute);
  if (name === '' || name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)) {
    throw new ToolFailure(`${path} is not a file inside the workspace ${root}.`);
  }
  if (name.split(sep).some((part) => part.toLowerCase() === '.git')) {
    throw new ToolFailure(`${name} belongs to git and is not edited.`);
  }
  return { absolute, name };
}

/** Refuses a path that leads through a link, or is one: it may lead out of the workspace. */
async function refuseLinks(root: string, absolute: string): Promise<void> {
  const parts = relative(root, absolute).split(sep);
  for (let length = 1; length <= parts.length; length += 1) {
    const part = join(root, ...parts.slice(0, length));
    const stats = await statOf(part, parts.slice(0, length).join('/'));
    if (!stats) return;
    if (stats.isSymbolicLink()) {
      throw new ToolFailure(
        `${relative(root, part)} is a symbolic link; links are not followed. Name the file itself.`,
      );
    }
    if (length < parts.length && !stats.isDirectory())
      throw new ToolFailure(`${relative(root, part)} is not a folder.`);
  }
}

async function statOf(path: string, name: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw failure(error, name, 'read');
  }
}

/** Differs when anything about the file differs: another file, another content, another time, another mode. */
function stampOf(stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs, mode } = stats;
  return [dev, ino, size, mtimeNs, ctimeNs, mode].join(' ');
}

function changedMeanwhile(name: string): ToolFailure {
  return new ToolFailure(`${name} changed while it was being edited; nothing was written. Read it again and retry.`);
}

function failure(error: unknown, name: string, what: 'read' | 'written'): ToolFailure {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ENAMETOOLONG: 'its name is too long',
    ELOOP: 'it is a symbolic link',
    ENOTDIR: 'a folder in its path is a file',
  };
  return new ToolFailure(`${name} cannot be ${what}: ${reasons[code ?? ''] ?? code ?? 'unknown reason'}.`);
}
