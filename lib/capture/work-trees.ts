/** Keeps the work trees that snapshots are taken of: one state and one queue for each private directory. */
import { stat } from 'node:fs/promises';
import type { CaptureContext } from './context';
import { copyRef } from './file-captures';
import { newFolderMemory } from './filesystem/folder-scan';
import { type Manifest, type PlainFolder, snapshotPlain } from './filesystem/plain-snapshot';
import type { PrivateGitDir } from './git/private-git-dir';
import { privateKey, type Repository } from './git/repository';
import { lendPending } from './git/seed-index';
import { type FolderTree, snapshotFolder } from './git/snapshot-folder';
import { snapshotTree } from './git/snapshot-tree';
import { newWorkTree, type TreeSnapshot } from './git/work-tree';
import type { PartGap } from './part-gap';
import type { RawPath } from './raw-path';
import { type WorkQueue, workQueue } from './work-queue';

/** A work tree that is open, whichever way its files are found. */
export interface OpenWorkTree {
  kind: 'repository' | 'folder';
  store: PrivateGitDir;
  repository: Repository | null;
  queue: WorkQueue<TreeSnapshot>;
  /** git ran out of time here: until then (ms) it is not tried again. */
  restsUntil: number;
  /** Folders with repositories of their own that the last snapshot found, each ending in `/`. */
  nested: readonly RawPath[];
  /** Remembers that a snapshot is held: what it covers stays covered. */
  hold(id: string): void;
  letGo(id: string): void;
}

/** A folder on a computer without git. */
export interface OpenPlainFolder {
  key: string;
  folder: PlainFolder;
  queue: WorkQueue<{ manifest: Manifest; fileCount: number; gaps: PartGap[] }>;
}

export interface WorkTrees {
  /** The repository whose work tree is `folder` or holds it, or why there is none in words. */
  repositoryAt(folder: string): Promise<Repository | { refused: string }>;
  ofRepository(repository: Repository): OpenWorkTree;
  ofFolder(folder: string): Promise<OpenWorkTree>;
  ofPlainFolder(folder: string): Promise<OpenPlainFolder>;
  /** Copies that open folders of a computer without git count on. */
  openRefs(): string[];
  /** The open work tree of a key, if any. */
  open(key: string): OpenWorkTree | undefined;
  openPlain(key: string): OpenPlainFolder | undefined;
}

export function workTrees(context: CaptureContext): WorkTrees {
  const { git, settings, users, storeOf, isPrivate } = context;
  const open = new Map<string, OpenWorkTree>();
  const plainFolders = new Map<string, OpenPlainFolder>();
  const plainTools = {
    limits: settings.limits,
    includeDirs: settings.includeDirs,
    isPrivate,
    store: (bytes: Uint8Array) => (settings.namesOnly ? Promise.resolve(copyRef(bytes)) : context.copies.store(bytes)),
  };
  const tools = {
    git,
    limits: settings.limits,
    users,
    includeDirs: settings.includeDirs,
    namesOnly: settings.namesOnly,
    hasPrivatePaths: settings.privatePaths.length > 0,
    isPrivate: (store: PrivateGitDir, path: Parameters<typeof isPrivate>[1]) => isPrivate(store.top, path),
  };

  return {
    open: (key) => open.get(key),
    openPlain: (key) => plainFolders.get(key),
    openRefs: () =>
      [...plainFolders.values()].flatMap(({ folder }) =>
        [...folder.entries.values()].flatMap((entry) => ('ref' in entry ? [entry.ref] : [])),
      ),
    async repositoryAt(folder) {
      const found = await context.findRepository(folder);
      if (found.state === 'found') return found.repository;
      return { refused: found.state === 'refused' ? found.reason : 'there is no repository any more' };
    },
    ofRepository(repository) {
      const key = privateKey(repository.top, repository.identity);
      const known = open.get(key);
      if (known) return known;
      const workTree = newWorkTree(
        storeOf({ key, top: repository.top, objectFormat: repository.objectFormat }),
        repository,
      );
      const queue = workQueue(async () => {
        const snapshot = await context.gateOf(key).together(() => snapshotTree(tools, workTree));
        // What the next one may need, while nobody waits.
        if (workTree.toLend !== null) queue.alone(lend).catch(() => {});
        return snapshot;
      });
      const lend = () => context.gateOf(key).together(() => lendPending(tools.git, workTree));
      const made: OpenWorkTree = {
        kind: 'repository',
        store: workTree.store,
        repository,
        queue,
        restsUntil: 0,
        nested: [],
        hold: (id) => workTree.held.set(id, workTree.count),
        letGo: (id) => workTree.held.delete(id),
      };
      open.set(key, made);
      return made;
    },
    async ofFolder(top) {
      const stats = await stat(top);
      const key = privateKey(top, `folder:${stats.dev}:${stats.ino}`);
      const known = open.get(key);
      if (known) return known;
      const folder: FolderTree = {
        store: storeOf({ key, top, objectFormat: 'sha1' }),
        memory: newFolderMemory(top),
        large: new Map(),
        left: null,
      };
      const made: OpenWorkTree = {
        kind: 'folder',
        store: folder.store,
        repository: null,
        queue: workQueue(() => context.gateOf(key).together(() => snapshotFolder(tools, folder))),
        restsUntil: 0,
        nested: [],
        hold: (id) => folder.memory.held.set(id, folder.memory.count),
        letGo: (id) => folder.memory.held.delete(id),
      };
      open.set(key, made);
      return made;
    },
    async ofPlainFolder(top) {
      const stats = await stat(top);
      const key = privateKey(top, `plain:${stats.dev}:${stats.ino}`);
      const known = plainFolders.get(key);
      if (known) return known;
      const folder: PlainFolder = { dir: context.plainDirOf(key), memory: newFolderMemory(top), entries: new Map() };
      const made: OpenPlainFolder = { key, folder, queue: workQueue(() => snapshotPlain(plainTools, folder)) };
      plainFolders.set(key, made);
      return made;
    },
  };
}
