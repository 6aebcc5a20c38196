/** Puts the eyes together: one private directory a work tree, one queue a directory, and the record of what differs. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ignore from 'ignore';
import { AppError } from '@/lib/domain/errors';
import type {
  Capture,
  CaptureSettings,
  CompareOptions,
  Delta,
  KeptBodies,
  Snapshot,
  WorkspaceLocation,
} from './capture';
import { findDifferences } from './differences';
import { fileCaptures } from './file-captures';
import { openGit } from './git/git-command';
import { makeGitRecord } from './git/git-record';
import { type GitKept, gitKept, patchable, readGitComparison, readGitContent, readGitPatch } from './git/kept-bodies';
import {
  dropSnapshot,
  holdSnapshot,
  objectsOf,
  type PrivateGitDir,
  preparePrivateGitDir,
  writeDetails,
} from './git/private-git-dir';
import { letTreesGo } from './git/reduced-trees';
import { findRepository, isStill, privateKey, type Repository } from './git/repository';
import { snapshotTree, type TreeSnapshot, type WorkTree } from './git/snapshot-tree';
import { gatherGaps, type PartGap } from './part-gap';
import { NO_PATH, type RawPath, rawFromText, rawToBytes } from './raw-path';
import { resolveWorkspace } from './resolve-workspace';
import { type WorkQueue, workQueue } from './work-queue';
import { type PartSnapshot, type WorkspaceSnapshot, workspaceSnapshot } from './workspace-snapshot';
import { writtenPlace } from './written-place';

/** A work tree that snapshots are taken of, and its queue. */
interface OpenWorkTree {
  workTree: WorkTree;
  queue: WorkQueue<TreeSnapshot>;
}

export function openCapture(settings: CaptureSettings): Capture {
  const { limits, home } = settings;
  const folder = join(settings.dataDir, 'capture');
  const emptyHome = join(folder, 'home');
  mkdirSync(emptyHome, { recursive: true, mode: 0o700 });
  const users = { home, xdgConfigHome: settings.xdgConfigHome };
  const git = openGit({
    path: settings.path ?? process.env.PATH ?? '/usr/bin:/bin',
    ...users,
    emptyHome,
    timeoutMs: limits.gitMs,
  });
  const privatePaths = ignore().add(settings.privatePaths);
  const isPrivate = (path: RawPath): boolean =>
    settings.privatePaths.length > 0 && privatePaths.ignores(rawToBytes(path).toString());
  const captures = fileCaptures(settings, join(folder, 'copies'), (location, path) => {
    const within = relative(location.root, path);
    return within !== '' && !within.startsWith('..') && isPrivate(rawFromText(within));
  });
  const open = new Map<string, OpenWorkTree>();
  const found = new Map<string, Repository>();

  const storeOf = (part: Pick<PartSnapshot, 'key' | 'top' | 'objectFormat'>): PrivateGitDir => ({
    key: part.key,
    dir: join(folder, 'git', part.key),
    top: part.top,
    objectFormat: part.objectFormat,
  });

  function workTreeOf(repository: Repository): OpenWorkTree {
    const key = privateKey(repository.top, repository.identity);
    const known = open.get(key);
    if (known) return known;
    const workTree: WorkTree = {
      store: storeOf({ key, top: repository.top, objectFormat: repository.objectFormat }),
      repository,
      meaning: null,
      usersIndex: '',
      ignoreRules: '',
      left: null,
      large: new Map(),
      ignored: new Set(),
      watched: new Set(),
      skipped: [],
      held: new Set(),
      swept: false,
    };
    const tools = { git, limits, users, isPrivate: (_store: PrivateGitDir, path: RawPath) => isPrivate(path) };
    const made = { workTree, queue: workQueue(() => snapshotTree(tools, workTree)) };
    open.set(key, made);
    return made;
  }

  async function repositoryOf(location: WorkspaceLocation): Promise<Repository | string> {
    const known = found.get(location.root);
    if (known && (await isStill(known))) return known;
    found.delete(location.root);
    const now = await findRepository(git, location.root);
    if (now.state !== 'found') return now.state === 'refused' ? now.reason : 'the repository is gone';
    found.set(location.root, now.repository);
    return now.repository;
  }

  async function takeSnapshot(location: WorkspaceLocation): Promise<WorkspaceSnapshot> {
    const snapshot: WorkspaceSnapshot = {
      id: randomBytes(12).toString('base64url'),
      root: location.root,
      startedAt: Date.now(),
      finishedAt: 0,
      fileCount: 0,
      gaps: [],
      parts: [],
    };
    const gaps: { prefix: RawPath; gap: PartGap }[] = [];
    if (location.wholeFolder) {
      gaps.push({ prefix: NO_PATH, gap: { reason: 'whole_folder_off' } });
    } else if ((await stat(location.root).catch(() => null)) === null) {
      gaps.push({ prefix: NO_PATH, gap: { reason: 'workspace_missing' } });
    } else if (location.kind === 'git') {
      await addRepository(snapshot, location, gaps);
    } else {
      gaps.push({ prefix: NO_PATH, gap: { reason: 'git_missing' } });
    }
    const place = writtenPlace(workspaceWithin(location), home);
    snapshot.gaps = gatherGaps(gaps, (path) => rawFromText(place.names({ path, outside: false }).path));
    snapshot.finishedAt = Date.now();
    return snapshot;
  }

  async function addRepository(
    snapshot: WorkspaceSnapshot,
    location: WorkspaceLocation,
    gaps: { prefix: RawPath; gap: PartGap }[],
  ): Promise<void> {
    const repository = await repositoryOf(location);
    if (typeof repository === 'string') {
      gaps.push({ prefix: NO_PATH, gap: { reason: 'git_refused', detail: repository } });
      return;
    }
    const { workTree, queue } = workTreeOf(repository);
    try {
      const taken = await queue.share();
      gaps.push(...taken.gaps.map((gap) => ({ prefix: NO_PATH, gap })));
      snapshot.fileCount += taken.fileCount;
      snapshot.parts.push(await hold(snapshot.id, workTree, taken));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      gaps.push({ prefix: NO_PATH, gap: { reason: 'git_refused', detail } });
    }
  }

  async function hold(id: string, workTree: WorkTree, taken: TreeSnapshot): Promise<PartSnapshot> {
    const { store, repository } = workTree;
    await holdSnapshot(store, id, taken.commit);
    workTree.held.add(id);
    const { large, ...lists } = taken.details;
    const empty = Object.keys(large).length === 0 && Object.values(lists).every((list) => list.length === 0);
    if (!empty) await writeDetails(store, id, taken.details);
    return {
      prefix: NO_PATH,
      kind: 'repository',
      key: store.key,
      top: store.top,
      objectFormat: store.objectFormat,
      gitDir: repository.gitDir,
      tree: taken.tree,
      details: empty ? null : id,
      head: taken.head,
    };
  }

  /** The workspace's place below the record's root. */
  function workspaceWithin(location: Pick<WorkspaceLocation, 'root' | 'repository'>): RawPath {
    return rawFromText(location.repository === null ? '' : relative(location.repository, location.root));
  }

  /** Where the record of a workspace is made: its own private directory, or one for records alone. */
  async function recordStore(location: WorkspaceLocation, parts: readonly PartSnapshot[]): Promise<PrivateGitDir> {
    const part = parts.find((one) => one.prefix === '');
    if (part) return storeOf(part);
    const key = createHash('sha256').update('record\0').update(location.root).digest('hex').slice(0, 32);
    const store = storeOf({ key, top: location.root, objectFormat: 'sha1' });
    await preparePrivateGitDir(store, null);
    return store;
  }

  async function compare(
    location: WorkspaceLocation,
    before: Snapshot | null,
    after: Snapshot | null,
    options: CompareOptions,
  ): Promise<Delta> {
    const [from, to] = [before && workspaceSnapshot(before), after && workspaceSnapshot(after)];
    const gaps: { prefix: RawPath; gap: PartGap }[] = [];
    const place = writtenPlace(workspaceWithin(location), home);
    const store = await recordStore(location, [...(to?.parts ?? []), ...(from?.parts ?? [])]);
    const compared =
      from !== null && to !== null ? await findDifferences({ git, storeOf }, from, to, options.signal) : null;
    if (compared) gaps.push(...compared.gaps);
    const alternates = (compared?.objects ?? []).filter((objects) => objects !== objectsOf(store));
    const record = await makeGitRecord(
      { git, limits, store, alternates, signal: options.signal },
      compared?.differences ?? [],
      place,
      { keepAs: options.keepAs, patches: options.patches && !settings.namesOnly },
    );
    gaps.push(...record.gaps);
    const kept: GitKept = {
      engine: 'git',
      key: store.key,
      top: store.top,
      objectFormat: store.objectFormat,
      workspace: workspaceWithin(location),
      ...record.trees,
    };
    const ownGaps = gatherGaps(gaps, (path) => rawFromText(place.names({ path, outside: false }).path));
    return {
      workspaceKind: location.kind,
      files: record.files,
      unlisted: record.unlisted,
      git: compared?.git ?? null,
      gaps: [...mergeGaps(from?.gaps ?? [], to?.gaps ?? []), ...ownGaps],
      truncated: record.truncated,
      totalPatchBytes: record.totalPatchBytes,
      kept: kept as unknown as KeptBodies,
    };
  }

  const keptTools = (kept: GitKept) => ({ git, store: storeOf(kept), fileBytes: limits.fileBytes, home });
  const need = (kept: KeptBodies): GitKept => {
    const known = gitKept(kept);
    if (known === null) throw new AppError('expired', 'The content of this change is no longer kept.');
    return known;
  };

  return {
    locate: (path) => resolveWorkspace(git, settings, path),
    takeSnapshot: (location, options) => untilAborted(takeSnapshot(location), options?.signal),
    async releaseSnapshot(snapshot) {
      for (const part of workspaceSnapshot(snapshot).parts) {
        await dropSnapshot(storeOf(part), snapshot.id);
        open.get(part.key)?.workTree.held.delete(snapshot.id);
      }
    },
    compare,
    captureFile: (location, path) => captures.capture(location, path),
    readCaptureText: (capture) => captures.read(capture),
    readComparison: async (kept, file, options) => readGitComparison(keptTools(need(kept)), file, options),
    readContent: async (kept, file, side) => readGitContent(keptTools(need(kept)), file, side),
    async readPatch(kept, _location, files, signal) {
      const known = need(kept);
      const { rows, omitted } = patchable(files);
      const head = omitted.map(({ file, why }) => `# not in this patch: ${file.path} (${why})\n`).join('');
      const body = readGitPatch(keptTools(known), known, rows, signal);
      // The first piece is fetched here, so that a body that is gone is an error and no broken patch.
      const first = await body.next();
      return {
        text: (async function* () {
          if (head !== '') yield Buffer.from(head);
          if (first.done) return;
          yield first.value;
          yield* body;
        })(),
        applyFrom:
          known.workspace === ''
            ? '.'
            : known.workspace
                .split('/')
                .map(() => '..')
                .join('/'),
        omitted: omitted.length,
      };
    },
    async forget(keepAs, kept) {
      const known = gitKept(kept);
      if (known === null) return;
      await letTreesGo(storeOf(known), keepAs);
    },
    async collect() {},
    async listSnapshot() {
      return [];
    },
    async isCurrent() {
      return false;
    },
    async usage() {
      return [];
    },
    async sweep() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    },
  };
}

/** Gaps of both ends, each once. */
function mergeGaps(before: Snapshot['gaps'], after: Snapshot['gaps']): Snapshot['gaps'] {
  const key = (gap: Snapshot['gaps'][number]) => JSON.stringify(gap);
  const known = new Set(after.map(key));
  return [...before.filter((gap) => !known.has(key(gap))), ...after];
}

/** Stops waiting when the caller does; the work goes on for those who share it. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
