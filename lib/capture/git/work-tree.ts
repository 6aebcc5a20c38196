/** What a snapshot of a work tree is, and what is remembered of the work tree between two of them. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limits } from '@/lib/domain/limits';
import type { Fingerprint } from '../filesystem/fingerprint';
import type { PartGap } from '../part-gap';
import type { RawPath } from '../raw-path';
import type { Git } from './git-command';
import type { WatchedFolders } from './ignored-files';
import {
  ownFile,
  type PrivateGitDir,
  preparePrivateGitDir,
  type SnapshotDetails,
  writeAtomically,
} from './private-git-dir';
import { type SkippedFiles, signatureOf } from './private-index';
import { type HeadState, type MeaningSettings, type Repository, readMeaning } from './repository';

/** A work tree at one instant. */
export interface TreeSnapshot {
  tree: string;
  /** The commit that holds the tree. */
  commit: string;
  /** Null in a folder without a repository. */
  head: HeadState | null;
  fileCount: number;
  /** Name of the ignore rules that are no file of the tree: see `outerRules`. */
  rules: string;
  details: SnapshotDetails;
  /** Folders with a repository of their own, each ending in `/`. */
  nested: RawPath[];
  gaps: PartGap[];
}

export interface SnapshotTools {
  git: Git;
  limits: Limits;
  users: { home: string; xdgConfigHome: string | undefined };
  /** No content is stored at all. */
  namesOnly: boolean;
  hasPrivatePaths: boolean;
  /** Whether a path's content must never be stored. */
  isPrivate(store: PrivateGitDir, path: RawPath): boolean;
}

/** What is remembered of a private directory between snapshots; the directory itself is the rest. */
export interface WorkTree {
  store: PrivateGitDir;
  repository: Repository;
  meaning: { settings: MeaningSettings; signature: string; rules: string } | null;
  /** What the index was seeded with and writing needs (`lendSeed`), until it is lent. */
  toLend: { tree: string | null; contents: string[] } | null;
  /** Signature of the user's index at the last reconciling. */
  usersIndex: string;
  /** What the user's index listed when ours was brought in line with it, and our tree after that; null before that is left. */
  inLine: { theirs: string; ours: string | null } | null;
  /** Tree and commit of the private index as we left it; null when that is not known. */
  left: { tree: string; commit: string } | null;
  large: Map<RawPath, Fingerprint>;
  /** Covered, though a rule ignores it and the user's index has it not: with the number of the snapshot that found it so. */
  ignored: Map<RawPath, number>;
  /** Of those, the small ones that are watched. */
  watched: Set<RawPath>;
  /** Went away, with the number of the snapshot that found it so, as long as a snapshot is held that knows it. */
  gone: Map<RawPath, number>;
  /** Ignored files that stand on their own and are not watched. */
  unwatched: RawPath[];
  folders: WatchedFolders;
  learning: Promise<void>;
  /** Skipped and absent: looked for again before each snapshot. */
  skipped: SkippedFiles;
  /** git may choose line ends by what a file holds: unless it is known that no attribute and no setting says so. */
  autoLineEnds: boolean;
  /** Paths with a filter, of which only small files are read. */
  filtered: Set<RawPath>;
  /** Snapshots that are held, with their number. */
  held: Map<string, number>;
  /** Number of the last snapshot. */
  count: number;
  opened: boolean;
}

export function newWorkTree(store: PrivateGitDir, repository: Repository): WorkTree {
  return {
    store,
    repository,
    meaning: null,
    toLend: null,
    usersIndex: '',
    inLine: null,
    left: null,
    large: new Map(),
    ignored: new Map(),
    watched: new Set(),
    gone: new Map(),
    unwatched: [],
    folders: { changedAt: null, settled: false, ignored: new Set() },
    learning: Promise.resolve(),
    skipped: { paths: [], probes: [] },
    autoLineEnds: true,
    filtered: new Set(),
    held: new Map(),
    count: 0,
    opened: false,
  };
}

/** Writes the private configuration again when one of the files that decide meaning changed. Returns whether one did. */
export async function configure(tools: SnapshotTools, workTree: WorkTree): Promise<boolean> {
  const { repository, store } = workTree;
  const info = ['exclude', 'attributes'].map((name) => join(repository.commonDir, 'info', name));
  const sign = async (settings: MeaningSettings) => {
    const files = [...settings.sources, ...info, settings.core.excludesfile ?? '', settings.core.attributesfile ?? ''];
    return (await Promise.all(files.map(signatureOf))).join();
  };
  if (workTree.meaning && workTree.meaning.signature === (await sign(workTree.meaning.settings))) return false;
  const settings = await readMeaning(tools.git, repository, tools.users);
  const signature = await sign(settings);
  await preparePrivateGitDir(store, { repository, meaning: settings });
  workTree.meaning = { settings, signature, rules: await keepOuterRules(store, repository, settings) };
  return true;
}

/** The ignore rules that are no file of a work tree, as a snapshot found them. */
export interface OuterRules {
  /** Of the user's excludes file. */
  excludes: string;
  /** Of the repository's `info/exclude`. */
  info: string;
}

const rulesFile = (store: PrivateGitDir, name: string) => ownFile(store, `rules/${name}.json`);

/** Keeps the rules by content and returns their name. */
async function keepOuterRules(
  store: PrivateGitDir,
  repository: Repository,
  settings: MeaningSettings,
): Promise<string> {
  const read = (file: string) => readFile(file, 'latin1').catch(() => '');
  const rules: OuterRules = {
    excludes: await read(settings.core.excludesfile ?? ''),
    info: await read(join(repository.commonDir, 'info', 'exclude')),
  };
  const text = JSON.stringify(rules);
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  await mkdir(ownFile(store, 'rules'), { recursive: true, mode: 0o700 });
  await writeAtomically(rulesFile(store, name), text);
  return name;
}

/** The rules that a snapshot names, or null where they are gone. */
export async function outerRules(store: PrivateGitDir, name: string): Promise<OuterRules | null> {
  const text = await readFile(rulesFile(store, name), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as OuterRules);
}
