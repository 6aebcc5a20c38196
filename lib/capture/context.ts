/** What every part of capture shares: settings, the door to git, and where things are kept. */
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ignore from 'ignore';
import type { CaptureSettings, WorkspaceLocation } from './capture';
import { type FileCaptures, fileCaptures } from './file-captures';
import { type PlainBodies, plainBodies } from './filesystem/plain-bodies';
import { type Gate, gate } from './gate';
import { type Git, openGit } from './git/git-command';
import type { PrivateGitDir } from './git/private-git-dir';
import { type RepositoryFinder, repositoryFinder } from './git/repository-finder';
import { type RawPath, rawFromText, rawToBytes } from './raw-path';
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
  /** Whether the content of a file must never be stored or served. `top` is absolute, `path` below it. */
  isPrivate(top: string, path: RawPath): boolean;
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
  const patterns = ignore().add(settings.privatePaths);
  const isPrivate = (_top: string, path: RawPath) =>
    settings.privatePaths.length > 0 && path !== '' && patterns.ignores(rawToBytes(path).toString());
  const isPrivateFile = (location: WorkspaceLocation, path: string) => {
    const top = location.repository ?? location.root;
    return isWithin(path, top) && isPrivate(top, rawFromText(relative(top, path)));
  };
  const copies = fileCaptures(settings, join(folder, 'copies'), isPrivateFile);
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
  };
}
