/** Finds out what a folder is: where it really is, which repository encloses it, and whether snapshots make sense there. */
import { access, constants, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { AppError } from '@/lib/domain/errors';
import type { CaptureSettings, WorkspaceLocation } from './capture';
import { hasDotGit } from './git/repository';
import type { RepositoryFinder } from './git/repository-finder';

/** Locates a workspace. Throws `workspace_unavailable` with a sentence that says what is wrong. */
export async function resolveWorkspace(
  findRepository: RepositoryFinder,
  settings: Pick<CaptureSettings, 'home' | 'tempDirs' | 'dataDir'>,
  path: string,
): Promise<WorkspaceLocation> {
  const root = await realFolder(path);
  const dataDir = await realpath(settings.dataDir).catch(() => settings.dataDir);
  const isWhole = (folder: string) =>
    folder === '/' || folder === settings.home || settings.tempDirs.includes(folder) || isWithin(dataDir, folder);
  const wholeFolder = isWhole(root);
  const found = await findRepository(root);
  if (found.state === 'found' && !wholeFolder && isWhole(found.repository.top)) {
    // Dotfiles kept in a repository of the whole home folder: a folder in it is looked at by itself.
    const detail = 'its repository is a whole folder';
    return { root, kind: 'filesystem', repository: null, wholeFolder, without: { reason: 'git_refused', detail } };
  }
  if (found.state !== 'found' || !isWithin(root, found.repository.top)) {
    const location = { root, kind: 'filesystem' as const, repository: null, wholeFolder };
    if (found.state === 'refused') return { ...location, without: { reason: 'git_refused', detail: found.reason } };
    if (found.state === 'git_missing' && (await hasDotGit(root))) {
      return { ...location, without: { reason: 'git_missing', detail: 'git is not installed' } };
    }
    return location;
  }
  return { root, kind: 'git', repository: found.repository.top, wholeFolder };
}

async function realFolder(path: string): Promise<string> {
  const wrong = (sentence: string, cause?: unknown) =>
    new AppError('workspace_unavailable', sentence, cause === undefined ? undefined : { cause });
  let root: string;
  try {
    root = await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw wrong('The folder cannot be read: permission denied.', error);
    if (code === 'ENOTDIR') throw wrong('A part of the path is a file, not a folder.', error);
    if (code === 'ELOOP') throw wrong('The path is a link that leads to itself.', error);
    throw wrong('There is no such folder.', error);
  }
  if (!(await stat(root)).isDirectory()) throw wrong('This is a file, not a folder.');
  try {
    await access(root, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw wrong('The folder cannot be read: permission denied.', error);
  }
  return root;
}

/** Whether `path` is `folder` or below it, by whole names. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(folder + sep);
}
