/** Snapshots of a folder on a computer without git: a manifest of its files, their contents in copies. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentRef } from '@/lib/domain/change';
import type { Limits } from '@/lib/domain/limits';
import type { PartGap } from '../part-gap';
import { onDisk, type RawPath } from '../raw-path';
import { type Fingerprint, takeFingerprint } from './fingerprint';
import { type FolderMemory, isUnchanged, scanFolder } from './folder-scan';
import { isSkippedClass } from './ignore-rules';
import { readWhole } from './read-whole';
import type { Uncovered, WalkedFile } from './walk';

/** What a manifest knows of one file: its content, or, where that was not read, its fingerprint. */
export type PlainEntry =
  | { mode: string; size: number; ref: ContentRef; binary: boolean }
  | { mode: string; size: number; fingerprint: Fingerprint };

export interface Manifest {
  entries: Record<RawPath, PlainEntry>;
  /** Of those, the ones that the root `.gitignore` covers. */
  ignored: RawPath[];
  /** Of those, the small ones that are watched. */
  watched: RawPath[];
  uncovered: Uncovered[];
  unread: RawPath[];
}

/** What is remembered of a folder between snapshots. */
export interface PlainFolder {
  /** Where manifests are kept. */
  dir: string;
  memory: FolderMemory;
  entries: Map<RawPath, PlainEntry>;
}

export interface PlainTools {
  limits: Limits;
  includeDirs: readonly string[];
  isPrivate(top: string, path: RawPath): boolean;
  /** Stores bytes and returns where. */
  store(bytes: Uint8Array): Promise<ContentRef>;
}

/** Bytes in which a NUL makes a file binary, as git looks. */
const PROBE_BYTES = 8_000;

export async function snapshotPlain(
  tools: PlainTools,
  folder: PlainFolder,
): Promise<{ manifest: Manifest; fileCount: number; gaps: PartGap[] }> {
  const { limits, includeDirs } = tools;
  const { memory, entries } = folder;
  const scan = await scanFolder(memory, { limits, includeDirs, intoRepositories: true });
  const manifest: Manifest = {
    entries: {},
    ignored: scan.ignored,
    watched: scan.watched,
    uncovered: scan.uncovered,
    unread: [],
  };
  let budget = limits.untrackedBytes;
  for (const file of scan.files) {
    const known = entries.get(file.path);
    const settled = known !== undefined && isUnchanged(file, memory.read.get(file.path));
    const entry = settled ? known : await readEntry(tools, memory.top, file, budget, known);
    if (entry === null) {
      manifest.unread.push(file.path);
      continue;
    }
    if (!settled && 'ref' in entry) budget -= file.size;
    memory.read.set(file.path, { stat: file.stat, newestNs: file.newestNs, at: scan.at });
    entries.set(file.path, entry);
    manifest.entries[file.path] = entry;
  }
  for (const path of scan.gone) {
    memory.read.delete(path);
    entries.delete(path);
  }
  const { unread } = manifest;
  const gaps = unread.length > 0 ? [...scan.gaps, { reason: 'file_unreadable' as const, paths: unread }] : scan.gaps;
  return { manifest, fileCount: scan.files.length, gaps };
}

async function readEntry(
  tools: PlainTools,
  top: string,
  file: WalkedFile,
  budget: number,
  earlier: PlainEntry | undefined,
): Promise<PlainEntry | null> {
  const path = onDisk(top, file.path);
  const kept =
    file.kind === 'symlink' ||
    (file.size <= Math.min(tools.limits.plainFileBytes, budget) &&
      !isSkippedClass(file.path) &&
      !tools.isPrivate(top, file.path));
  if (!kept) {
    const before = earlier && 'fingerprint' in earlier ? earlier.fingerprint : undefined;
    const fingerprint = await takeFingerprint(path, before);
    return fingerprint && { mode: fingerprint.mode, size: fingerprint.size, fingerprint };
  }
  const bytes = await readWhole(path, file.kind, tools.limits.plainFileBytes);
  if (bytes === null) return null;
  const ref = await tools.store(bytes);
  return { mode: file.mode, size: bytes.length, ref, binary: bytes.subarray(0, PROBE_BYTES).includes(0) };
}

const manifestFile = (dir: string, id: string) => join(dir, 'snapshots', `${id}.json`);

export async function writeManifest(dir: string, id: string, manifest: Manifest): Promise<void> {
  await mkdir(join(dir, 'snapshots'), { recursive: true, mode: 0o700 });
  const temporary = `${manifestFile(dir, id)}.${randomBytes(4).toString('hex')}.new`;
  await writeFile(temporary, JSON.stringify(manifest), { mode: 0o600 });
  await rename(temporary, manifestFile(dir, id));
}

export async function readManifest(dir: string, id: string): Promise<Manifest | null> {
  const text = await readFile(manifestFile(dir, id), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Manifest);
}

export function dropManifest(dir: string, id: string): Promise<void> {
  return rm(manifestFile(dir, id), { force: true });
}
