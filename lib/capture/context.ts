/** What every part of capture shares: settings, the door to git, and where things are kept. */
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ignore from 'ignore';
import type { CaptureSettings, KeptFile } from './capture';
import { type FileCaptures, fileCaptures } from './file-captures';
import { type PlainBodies, plainBodies } from './filesystem/plain-bodies';
import { type Gate, gate } from './gate';
import { type Git, openGit } from './git/git-command';
import type { PrivateGitDir } from './git/private-git-dir';
import { type RepositoryFinder, repositoryFinder } from './git/repository-finder';
import { onDisk, type RawPath } from './raw-path';
import { isWithin } from './resolve-workspace';

export interface CaptureContext {
  settings: CaptureSettings;
  /** Where capture keeps everything: `git/` private directories, `copies/` file contents, `plain/` folders without git. */
  folder: string;
  git: Git;
  findRepository: RepositoryFinder;
  copies: FileCaptures;
  users: { home: string; xdgConfigHome: string | undefined };
  /** Bodies of records that are made without git. */
  plain: PlainBodies;
  /** Where the manifests of a folder are kept on a computer without git. */
  plainDirOf(key: string): string;
  /** The private directory of a key. */
  storeOf(part: { key: string; top: string; objectFormat: 'sha1' | 'sha256' }): PrivateGitDir;
  /** Keeps those who clean a private directory apart from those who use it. */
  gateOf(key: string): Gate;
  /** When capture was opened, ms. */
  openedAt: number;
  /** Whether the content of a file must never be stored. `top` is absolute, `path` below it. */
  isPrivate(top: string, path: RawPath): boolean;
  /** Whether the content of a row must not be served. */
  isPrivateRow(file: Pick<KeptFile, 'path' | 'oldPath'>): boolean;
  /** Says that a folder is a workspace: private paths are relative to it. */
  workspaceOpened(root: string): void;
}

export function captureContext(settings: CaptureSettings): CaptureContext {
  const folder = join(settings.dataDir, 'capture');
  const emptyHome = join(folder, 'home');
  mkdirSync(emptyHome, { recursive: true, mode: 0o700 });
  const users = { home: settings.home, xdgConfigHome: settings.xdgConfigHome };
  const git = openGit({
    path: settings.path ?? process.env.PATH ?? '/usr/bin:/bin',
    ...users,
    emptyHome,
    timeoutMs: settings.limits.gitMs,
  });
  const patterns = ignore({ allowRelativePaths: true }).add(settings.privatePaths);
  const hasPrivatePaths = settings.privatePaths.length > 0;
  const workspaces = new Set<string>();
  /** Patterns are relative to a workspace; a repository may hold several. */
  const isPrivateFile = (file: string) => {
    for (const root of workspaces) {
      const below = isWithin(file, root) ? relative(root, file) : '';
      if (below !== '' && patterns.ignores(below)) return true;
    }
    return false;
  };
  const isPrivate = (top: string, path: RawPath) => hasPrivatePaths && isPrivateFile(onDisk(top, path).toString());
  const copies = fileCaptures(settings, join(folder, 'copies'), (file) => hasPrivatePaths && isPrivateFile(file));
  const gates = new Map<string, Gate>();
  return {
    openedAt: Date.now(),
    gateOf(key) {
      const known = gates.get(key) ?? gate();
      gates.set(key, known);
      return known;
    },
    settings,
    folder,
    git,
    findRepository: repositoryFinder(git),
    copies,
    plain: plainBodies(join(folder, 'plain', 'kept'), (ref) => copies.bytesOf(ref)),
    plainDirOf: (key) => join(folder, 'plain', key),
    users,
    storeOf: ({ key, top, objectFormat }) => ({ key, dir: join(folder, 'git', key), top, objectFormat }),
    isPrivate,
    isPrivateRow: ({ path, oldPath }) =>
      hasPrivatePaths && [path, oldPath ?? path].some((one) => !one.startsWith('/') && patterns.ignores(one)),
    workspaceOpened: (root) => workspaces.add(root),
  };
}
