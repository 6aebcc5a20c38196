/** Keeps the data folder small: what nobody needs any more goes, and says how much is left. */
import type { Dirent } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from './capture';
import type { CaptureContext } from './context';
import { dropManifest, type Manifest, readManifest } from './filesystem/plain-snapshot';
import {
  dropSnapshot,
  heldSnapshots,
  objectsOf,
  ownFile,
  type PrivateGitDir,
  removeUnfinished,
} from './git/private-git-dir';
import { collectObjects, keptName, keptRecords, letTreesGo } from './git/reduced-trees';
import type { WorkTrees } from './work-trees';

/** Milliseconds for which a copied file is kept though no record holds it: a run that goes on may need it. */
const COPY_MS = 86_400_000;

/** Every private directory that is on disk. */
async function stores(context: CaptureContext): Promise<PrivateGitDir[]> {
  const found: PrivateGitDir[] = [];
  for (const key of await readdir(join(context.folder, 'git')).catch(() => [] as string[])) {
    const dir = join(context.folder, 'git', key);
    const config = await readFile(join(dir, 'config'), 'utf8').catch(() => null);
    const top = await readFile(join(dir, 'tidemark', 'top'), 'utf8').catch(() => null);
    if (config === null || top === null) continue;
    found.push(context.storeOf({ key, top, objectFormat: config.includes('sha256') ? 'sha256' : 'sha1' }));
  }
  return found;
}

/** Bytes of all bodies that changes keep, by root of their work tree. What snapshots in use hold is not among them. */
export async function usage(context: CaptureContext): Promise<{ root: string; bytes: number }[]> {
  const byRoot = new Map<string, number>();
  for (const store of await stores(context)) {
    const bytes = await bytesBelow(join(objectsOf(store), 'pack'));
    if (bytes > 0) byRoot.set(store.top, (byRoot.get(store.top) ?? 0) + bytes);
  }
  let copies = 0;
  for (const ref of await context.plain.held()) copies += await context.copies.sizeOf(ref);
  if (copies > 0) byRoot.set('', copies);
  return [...byRoot].map(([root, bytes]) => ({ root, bytes }));
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [] as Dirent[])) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? await bytesBelow(path) : ((await stat(path).catch(() => null))?.size ?? 0);
  }
  return bytes;
}

/** Gives back the space of what was let go. */
export async function collect(context: CaptureContext, trees: WorkTrees): Promise<void> {
  for (const store of await stores(context)) {
    await context.gateOf(store.key).alone(() => collectObjects(context.git, store));
  }
  await removeCopies(context, trees, Date.now() - COPY_MS);
}

/**
 * Removes what neither a live snapshot nor a live record names, of what existed when it was called; directories of which
 * nothing is left and whose work tree is gone go altogether.
 */
export async function sweep(
  context: CaptureContext,
  trees: WorkTrees,
  live: { snapshots: Snapshot[]; kept: string[] },
): Promise<void> {
  const snapshots = new Set(live.snapshots.map((snapshot) => snapshot.id));
  const kept = new Set(live.kept.map(keptName));
  const found: { store: PrivateGitDir; held: string[]; records: string[] }[] = [];
  for (const store of await stores(context)) {
    found.push({ store, held: await heldSnapshots(store), records: await keptRecords(store) });
  }
  const [plainHeld, plainNames] = await Promise.all([plainSnapshots(context), context.plain.names()]);
  for (const { store, held, records } of found) {
    await context.gateOf(store.key).alone(async () => {
      for (const id of held) {
        if (snapshots.has(id)) continue;
        await dropSnapshot(store, id);
        trees.open(store.key)?.letGo(id);
      }
      for (const name of records) if (!kept.has(name)) await letTreesGo(store, name);
      await removeUnfinished(store);
      await removeScratch(store);
      const unused = held.every((id) => !snapshots.has(id)) && records.every((name) => !kept.has(name));
      const gone = (await stat(store.top).catch(() => null)) === null;
      if (unused && gone && !trees.open(store.key)) await rm(store.dir, { recursive: true, force: true });
      else await collectObjects(context.git, store);
    });
  }
  for (const { dir, id } of plainHeld) if (!snapshots.has(id)) await dropManifest(dir, id);
  for (const name of plainNames) if (!kept.has(name)) await context.plain.drop(name);
  await removeCopies(context, trees, context.openedAt);
}

/** Removes scratch files that a killed process left. */
async function removeScratch(store: PrivateGitDir): Promise<void> {
  for (const name of await readdir(ownFile(store, '.')).catch(() => [] as string[])) {
    if (/\.reduced(?:\.lock)?$|\.new$|^rules-/.test(name))
      await rm(ownFile(store, name), { recursive: true, force: true });
  }
}

/** The manifests of snapshots that were taken without git and are held. */
async function manifests(context: CaptureContext): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const { dir, id } of await plainSnapshots(context)) {
    const manifest = await readManifest(dir, id);
    if (manifest) found.push(manifest);
  }
  return found;
}

async function plainSnapshots(context: CaptureContext): Promise<{ dir: string; id: string }[]> {
  const found: { dir: string; id: string }[] = [];
  for (const key of await readdir(context.plainDirOf('')).catch(() => [] as string[])) {
    const dir = context.plainDirOf(key);
    for (const name of await readdir(join(dir, 'snapshots')).catch(() => [] as string[])) {
      if (name.endsWith('.json')) found.push({ dir, id: name.slice(0, -'.json'.length) });
    }
  }
  return found;
}

/**
 * Removes copies that nothing holds: no record, no snapshot, no folder that is open, and no run that goes on, which is
 * known by when they were last captured.
 */
async function removeCopies(context: CaptureContext, trees: WorkTrees, before: number): Promise<void> {
  const held = await context.plain.held();
  for (const manifest of await manifests(context)) {
    for (const entry of Object.values(manifest.entries)) if ('ref' in entry) held.add(entry.ref);
  }
  for (const ref of trees.openRefs()) held.add(ref);
  for (const ref of await context.copies.all()) {
    if (!held.has(ref) && context.copies.capturedAt(ref) < before) await context.copies.remove(ref);
  }
}
