/** Snapshots of a folder on a computer without git: a manifest of its files, their contents in copies. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentRef } from '@/lib/domain/change';
import type { Limits } from '@/lib/domain/limits';
import type { PartGap } from '../part-gap';
import { onDisk, type RawPath } from '../raw-path';
import { type Fingerprint, takeFingerprint } from './fingerprint';
import { folderRules, isSkippedClass } from './ignore-rules';
import { readWhole } from './read-whole';
import { coverage, type Uncovered, type WalkedFile, walkFolder } from './walk';

/** What a manifest knows of one file: its content, or, where that was not read, its fingerprint. */
export type PlainEntry =
  | { mode: string; size: number; ref: ContentRef; binary: boolean }
  | { mode: string; size: number; fingerprint: Fingerprint };

export interface Manifest {
  entries: Record<RawPath, PlainEntry>;
  /** Of those, the ones that the root `.gitignore` covers. */
  ignored: RawPath[];
  uncovered: Uncovered[];
  unread: RawPath[];
}

/** What is remembered of a folder between snapshots. */
export interface PlainFolder {
  top: string;
  /** Where manifests are kept. */
  dir: string;
  read: Map<RawPath, { stat: string; newestNs: bigint; at: bigint; entry: PlainEntry }>;
}

export interface PlainTools {
  limits: Limits;
  includeDirs: readonly string[];
  isPrivate(top: string, path: RawPath): boolean;
  /** Stores bytes and returns where. */
  store(bytes: Uint8Array): Promise<ContentRef>;
}

/** Nanoseconds within which a file may change twice and show one time. */
const CLOCK_NS = 2_000_000_000n;
/** Bytes in which a NUL makes a file binary, as git looks. */
const PROBE_BYTES = 8_000;

export async function snapshotPlain(
  tools: PlainTools,
  folder: PlainFolder,
): Promise<{ manifest: Manifest; fileCount: number; gaps: PartGap[] }> {
  const { limits } = tools;
  const at = BigInt(Date.now()) * 1_000_000n;
  const gitignore = await readFile(join(folder.top, '.gitignore'), 'utf8').catch(() => null);
  const rules = folderRules(tools.includeDirs, gitignore);
  const walk = await walkFolder(
    folder.top,
    rules,
    { files: limits.scanFiles, ms: limits.scanMs },
    { intoRepositories: true },
  );
  const gaps: PartGap[] = [];
  if (walk.stoppedBy) gaps.push({ reason: walk.stoppedBy });
  if (walk.unreadable.length > 0) gaps.push({ reason: 'file_unreadable', paths: walk.unreadable });
  if (walk.skipped > 0) gaps.push({ reason: 'skipped_by_default', count: walk.skipped });
  const watched = walk.ignored
    .filter((file) => file.size <= limits.ignoredFileBytes && !isSkippedClass(file.path))
    .slice(0, limits.ignoredFiles);
  const manifest: Manifest = {
    entries: {},
    ignored: watched.map((file) => file.path),
    uncovered: walk.uncovered,
    unread: [],
  };
  let budget = limits.untrackedBytes;
  const present = new Set<RawPath>();
  for (const file of [...walk.files, ...watched]) {
    present.add(file.path);
    const known = folder.read.get(file.path);
    const settled = known && known.stat === file.stat && known.newestNs < known.at - CLOCK_NS;
    const entry = settled ? known.entry : await readEntry(tools, folder, file, budget, known?.entry);
    if (entry === null) {
      manifest.unread.push(file.path);
      continue;
    }
    if (!settled && 'ref' in entry) budget -= file.size;
    folder.read.set(file.path, { stat: file.stat, newestNs: file.newestNs, at, entry });
    manifest.entries[file.path] = entry;
  }
  const covered = coverage(walk.uncovered);
  for (const path of folder.read.keys()) if (!present.has(path) && covered(path)) folder.read.delete(path);
  if (manifest.unread.length > 0) gaps.push({ reason: 'file_unreadable', paths: manifest.unread });
  return { manifest, fileCount: present.size, gaps };
}

async function readEntry(
  tools: PlainTools,
  folder: PlainFolder,
  file: WalkedFile,
  budget: number,
  earlier: PlainEntry | undefined,
): Promise<PlainEntry | null> {
  const path = onDisk(folder.top, file.path);
  const kept =
    file.kind === 'symlink' ||
    (file.size <= Math.min(tools.limits.plainFileBytes, budget) &&
      !isSkippedClass(file.path) &&
      !tools.isPrivate(folder.top, file.path));
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
