/** Takes a snapshot of a workspace: of its own work tree, and of every repository found inside it. */
import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Snapshot, WorkspaceLocation } from './capture';
import type { CaptureContext } from './context';
import { failureWords } from './failure-words';
import { dropManifest, writeManifest } from './filesystem/plain-snapshot';
import { isGitFailure } from './git/git-command';
import { dropSnapshot, holdSnapshot, writeDetails } from './git/private-git-dir';
import type { TreeSnapshot } from './git/work-tree';
import { gatherGaps, type PartGap } from './part-gap';
import { joinRaw, NO_PATH, onDisk, type RawPath, rawFromText } from './raw-path';
import type { OpenWorkTree, WorkTrees } from './work-trees';
import { type PartSnapshot, type WorkspaceSnapshot, workspaceSnapshot } from './workspace-snapshot';

/** Repositories inside a workspace that are looked at; past it a gap says how many were not. */
const MAX_NESTED = 200;
/** Of those, how many are looked at together. */
const NESTED_AT_ONCE = 4;

/** Milliseconds for which a work tree that git could not look through in time is not tried again. */
const REST_MS = 10 * 60_000;
const TOO_SLOW = 'git could not look through it in time';

/** The workspace's place below the record's root, which is the repository's top or the workspace itself. */
export function workspaceWithin(location: Pick<WorkspaceLocation, 'root' | 'repository'>): RawPath {
  return rawFromText(location.repository === null ? '' : relative(location.repository, location.root));
}

interface Taking {
  context: CaptureContext;
  trees: WorkTrees;
  snapshot: WorkspaceSnapshot;
  gaps: { prefix: RawPath; gap: PartGap }[];
  nested: number;
}

/** Never throws for what it finds on disk: what it cannot cover is a gap, and a prefix in `uncovered`. */
export async function takeSnapshot(
  context: CaptureContext,
  trees: WorkTrees,
  location: WorkspaceLocation,
): Promise<WorkspaceSnapshot> {
  const snapshot: WorkspaceSnapshot = {
    id: randomBytes(12).toString('base64url'),
    root: location.root,
    startedAt: Date.now(),
    finishedAt: 0,
    fileCount: 0,
    gaps: [],
    parts: [],
    uncovered: [],
  };
  context.workspaceOpened(location.root);
  const taking: Taking = { context, trees, snapshot, gaps: [], nested: 0 };
  if (location.wholeFolder) {
    uncovered(taking, NO_PATH, { reason: 'whole_folder_off' });
  } else if ((await stat(location.root).catch(() => null)) === null) {
    // Nothing is left, and that is known: every file of the baseline is deleted.
    taking.gaps.push({ prefix: NO_PATH, gap: { reason: 'workspace_missing' } });
    if (location.repository !== null && (await stat(location.repository).catch(() => null)) !== null) {
      await takeRoot(taking, location);
    }
  } else {
    await takeRoot(taking, location);
  }
  snapshot.gaps = gatherGaps(taking.gaps);
  snapshot.finishedAt = Date.now();
  return snapshot;
}

function uncovered(taking: Taking, prefix: RawPath, gap: PartGap): void {
  taking.gaps.push({ prefix, gap });
  taking.snapshot.uncovered.push(prefix);
}

async function takeRoot(taking: Taking, location: WorkspaceLocation): Promise<void> {
  const { trees } = taking;
  const top = location.repository ?? location.root;
  if (location.repository !== null) {
    const repository = await trees.repositoryAt(top);
    if (!('refused' in repository) && repository.top === top) {
      const tree = trees.ofRepository(repository);
      const failure = tree.restsUntil > Date.now() ? TOO_SLOW : await takePart(taking, tree, NO_PATH);
      if (failure === null) return;
      taking.gaps.push({ prefix: NO_PATH, gap: { reason: 'git_refused', detail: failure } });
    } else {
      const detail = 'refused' in repository ? repository.refused : 'another repository took its place';
      taking.gaps.push({ prefix: NO_PATH, gap: { reason: 'git_refused', detail } });
    }
  }
  if (location.without) taking.gaps.push({ prefix: NO_PATH, gap: location.without });
  if ((await taking.context.git.version()) === null) {
    await takePlain(taking, top);
    return;
  }
  const failure = await takePart(taking, await trees.ofFolder(top), NO_PATH);
  if (failure !== null) uncovered(taking, NO_PATH, { reason: 'git_refused', detail: failure });
}

/** A folder on a computer without git. */
async function takePlain(taking: Taking, top: string): Promise<void> {
  const { snapshot, gaps } = taking;
  try {
    const { key, folder, queue } = await taking.trees.ofPlainFolder(top);
    const taken = await queue.share();
    await writeManifest(folder.dir, snapshot.id, taken.manifest);
    folder.memory.held.set(snapshot.id, folder.memory.count);
    gaps.push(...taken.gaps.map((gap) => ({ prefix: NO_PATH, gap })));
    snapshot.fileCount += taken.fileCount;
    snapshot.parts.push({
      prefix: NO_PATH,
      kind: 'plain',
      key,
      top,
      objectFormat: 'sha1',
      gitDir: null,
      tree: '',
      rules: '',
      heldAs: snapshot.id,
      details: null,
      head: null,
    });
  } catch (error) {
    uncovered(taking, NO_PATH, { reason: 'git_missing', detail: failureWords(error) });
  }
}

/** A work tree's snapshot, held. */
interface Held {
  taken: TreeSnapshot;
  part: PartSnapshot;
}

async function takeAndHold(taking: Taking, tree: OpenWorkTree, prefix: RawPath): Promise<Held> {
  const taken = await tree.queue.share();
  return { taken, part: await hold(tree, taking.snapshot.id, prefix, taken) };
}

/**
 * Returns why it could not be taken, or null. `ahead` is its snapshot where that was begun already. Repositories that
 * were found inside the last time are looked at beside it, not after it.
 */
async function takePart(
  taking: Taking,
  tree: OpenWorkTree,
  prefix: RawPath,
  ahead: Held | Promise<Held> = takeAndHold(taking, tree, prefix),
): Promise<string | null> {
  const { snapshot, gaps } = taking;
  const { top } = tree.store;
  const begun = new Map(
    tree.nested.slice(0, NESTED_AT_ONCE).map((folder) => [folder, beginNested(taking, top, prefix, folder)]),
  );
  let nested: readonly RawPath[] = [];
  try {
    const { taken, part } = await ahead;
    snapshot.parts.push(part);
    gaps.push(...taken.gaps.map((gap) => ({ prefix, gap })));
    snapshot.fileCount += taken.fileCount;
    nested = taken.nested;
    tree.nested = nested;
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_timeout') return failureWords(error);
    tree.restsUntil = Date.now() + REST_MS;
    return TOO_SLOW;
  } finally {
    for (const [folder, beginning] of begun) {
      if (!nested.includes(folder)) await letGoUnused(taking, await beginning);
    }
  }
  for (let at = 0; at < nested.length; at += NESTED_AT_ONCE) {
    const batch = nested.slice(at, at + NESTED_AT_ONCE);
    await Promise.all(
      batch.map(async (folder) => takeNested(taking, top, joinRaw(prefix, folder), folder, await begun.get(folder))),
    );
  }
  return null;
}

/** The work tree of a repository inside, with its snapshot where one was begun. */
interface Nested {
  tree: OpenWorkTree;
  ahead?: Held;
}

/** Takes the snapshot of a repository that was inside the last time; null where it must be looked at anew. */
async function beginNested(
  taking: Taking,
  top: string,
  prefix: RawPath,
  folder: RawPath,
): Promise<Required<Nested> | null> {
  try {
    const found = await findNested(taking, top, folder);
    if ('refused' in found) return null;
    return { ...found, ahead: await takeAndHold(taking, found.tree, joinRaw(prefix, folder)) };
  } catch {
    return null;
  }
}

/** The repository was no longer there, or nothing came of the snapshot around it. */
async function letGoUnused(taking: Taking, nested: Nested | null): Promise<void> {
  if (nested === null) return;
  nested.tree.letGo(taking.snapshot.id);
  await dropSnapshot(nested.tree.store, taking.snapshot.id);
}

/** Finds the repository in `folder`, which is below `top` and ends in `/`. */
async function findNested(taking: Taking, top: string, folder: RawPath): Promise<Nested | { refused: string }> {
  // git is asked by a text path: one that no text can carry is left out, and said so.
  const path = onDisk(top, folder.slice(0, -1) as RawPath);
  const text = path.toString();
  if (!Buffer.from(text).equals(path)) return { refused: 'its name is not UTF-8' };
  const real = await realpath(text).catch(() => null);
  const repository = real === null ? null : await taking.trees.repositoryAt(real);
  if (repository !== null && 'refused' in repository) return repository;
  if (repository === null || repository.top !== real) return { refused: 'it cannot be read' };
  return { tree: taking.trees.ofRepository(repository) };
}

/** A repository in `folder` below `top`, which is at `prefix` below the record's root. */
async function takeNested(
  taking: Taking,
  top: string,
  prefix: RawPath,
  folder: RawPath,
  begun: Nested | null | undefined,
): Promise<void> {
  taking.nested += 1;
  const unreadable = (detail: string) =>
    uncovered(taking, prefix, { reason: 'nested_repository_unreadable', paths: [NO_PATH], detail });
  if (taking.nested > MAX_NESTED) {
    unreadable(`more than ${MAX_NESTED} repositories`);
    await letGoUnused(taking, begun ?? null);
    return;
  }
  const nested = begun ?? (await findNested(taking, top, folder));
  const failure = 'refused' in nested ? nested.refused : await takePart(taking, nested.tree, prefix, nested.ahead);
  if (failure !== null) unreadable(failure);
}

async function hold(tree: OpenWorkTree, id: string, prefix: RawPath, taken: TreeSnapshot): Promise<PartSnapshot> {
  const { store, repository } = tree;
  await holdSnapshot(store, id, taken.commit);
  tree.hold(id);
  const { large, ...lists } = taken.details;
  const empty = Object.keys(large).length === 0 && Object.values(lists).every((list) => list.length === 0);
  if (!empty) await writeDetails(store, id, taken.details);
  return {
    prefix,
    kind: tree.kind,
    key: store.key,
    top: store.top,
    objectFormat: store.objectFormat,
    gitDir: repository?.gitDir ?? null,
    tree: taken.tree,
    rules: taken.rules,
    heldAs: id,
    details: empty ? null : id,
    head: taken.head,
  };
}

/** Lets the objects of a snapshot go. */
export async function releaseSnapshot(context: CaptureContext, trees: WorkTrees, snapshot: Snapshot): Promise<void> {
  for (const part of workspaceSnapshot(snapshot).parts) {
    if (part.kind === 'plain') {
      await dropManifest(context.plainDirOf(part.key), snapshot.id);
      trees.openPlain(part.key)?.folder.memory.held.delete(snapshot.id);
      continue;
    }
    await dropSnapshot(context.storeOf(part), snapshot.id);
    trees.open(part.key)?.letGo(snapshot.id);
  }
}
