/** What the eyes offer to the rest of the house: snapshots of a workspace, their comparison, and the bodies kept of it. */
import type { ChangeTotals, ContentRef, DeltaFile, Gap, GapReason, GitSummary } from '@/lib/domain/change';
import type { Limits } from '@/lib/domain/limits';
import type { Comparison } from '@/lib/domain/patch';
import type { WorkspaceKind } from '@/lib/domain/workspace';

/** What capture must know; handed in once, never read from the environment. */
export interface CaptureSettings {
  /** Absolute path of Tidemark's data folder; private git directories and copies live under it (mode 0700). */
  dataDir: string;
  limits: Limits;
  /** Ignore-file patterns, relative to a workspace: paths whose content is never stored or served. */
  privatePaths: string[];
  /** Store no content at all: names, kinds, sizes and counts only. */
  namesOnly: boolean;
  /** Names of directories that the defaults leave out in folders without git, wanted all the same. */
  includeDirs: string[];
  /** Real path of the user's home folder. */
  home: string;
  /** Real paths of temporary folders: files there are captured only inside the workspace's repository. */
  tempDirs: string[];
  /** Where programs (git) are looked for; the value of `PATH` of this process when missing. */
  path?: string;
  /** The user's `XDG_CONFIG_HOME`, where they have one: part of git's configuration is there. */
  xdgConfigHome?: string | undefined;
}

/** Where a workspace is and what it is, found once per opening. */
export interface WorkspaceLocation {
  /** Real path. */
  root: string;
  kind: WorkspaceKind;
  /** Real path of the repository's top level that encloses it, or null. */
  repository: string | null;
  /** There is a repository that cannot be used as one, and why; its files are covered as those of any other folder. */
  without?: { reason: 'git_refused' | 'git_missing'; detail: string };
  /** `/`, the home folder, a temporary folder itself or an ancestor of the data folder: snapshots are off there. */
  wholeFolder: boolean;
}

/**
 * What a workspace held at one instant. Plain JSON, so that it can be stored and compared after a restart.
 * Its objects live until `releaseSnapshot`. Fields beyond these belong to the strategy that took it.
 */
export interface Snapshot {
  id: string;
  root: string;
  /** The instants between which it was taken, ms. */
  startedAt: number;
  finishedAt: number;
  /** Files it covers, for "checkpoint in 0.1 s, 8,781 files". */
  fileCount: number;
  /** What it could not cover. */
  gaps: { reason: GapReason; detail?: string }[];
}

/**
 * A file as it was when a file tool was about to touch it, or at the end (L1). Plain JSON.
 * `path` is absolute, its folder's real path; `Capture.rowPath` says how a row writes it.
 */
export type FileCapture = { path: string; at: number } & (
  | { state: 'absent' }
  | { state: 'file'; content: ContentRef; size: number; mode: string; binary: boolean }
  | { state: 'symlink'; target: string }
  | { state: 'oversized'; size: number; mode: string; fingerprint: string }
  | { state: 'uncovered'; reason: 'not_a_file' | 'unreadable' | 'outside' | 'time_limit' }
);

/** Where the bodies of a change are kept; stored with the change, understood by capture alone. Plain JSON. */
export type KeptBodies = { readonly [key: string]: unknown };

/** The difference of two snapshots, with bodies, in memory. */
export interface Delta {
  workspaceKind: WorkspaceKind;
  /** Ordered by path; at most `limits.storedRows`. */
  files: DeltaFile[];
  /** Totals of the rows past `limits.storedRows`; all zero when there are none. */
  unlisted: ChangeTotals;
  git: Omit<GitSummary, 'movedCount'> | null;
  gaps: Gap[];
  /** A patch was cut or left out, or rows were. */
  truncated: boolean;
  totalPatchBytes: number;
  kept: KeptBodies;
}

export interface CompareOptions {
  /** Under what name the bodies are kept until `forget`: the change id and generation. Null keeps none (a mere listing). */
  keepAs: string | null;
  /** Whether patches are made. */
  patches: boolean;
  /** Whole-file captures of the span: before each path's first touch, and now (DESIGN §3 rule 1). */
  captures: { before: FileCapture; after: FileCapture }[];
  signal?: AbortSignal;
}

/** One row of a change as the store holds it: what the readers of bodies need. */
export type KeptFile = Pick<
  DeltaFile,
  | 'path'
  | 'pathQuoted'
  | 'oldPath'
  | 'changeType'
  | 'binary'
  | 'oversized'
  | 'sizeBefore'
  | 'sizeAfter'
  | 'modeBefore'
  | 'modeAfter'
  | 'kindBefore'
  | 'kindAfter'
  | 'contentBefore'
  | 'contentAfter'
>;

export interface WholePatch {
  /** What `git apply` takes at the repository's root, beginning with `#` lines for what is left out. */
  text: AsyncIterable<Uint8Array>;
  /** The repository's root relative to the workspace: `.` or `../..`. */
  applyFrom: string;
  omitted: number;
}

/** The eyes of the house. All paths are absolute unless said otherwise; nothing here writes outside the data folder. */
export interface Capture {
  /**
   * Finds out what a folder is. Throws `workspace_unavailable` where it is missing, not a directory or unreadable,
   * with a sentence that says which.
   */
  locate(path: string): Promise<WorkspaceLocation>;

  /**
   * Takes a snapshot. Never throws for what it finds on disk: what it cannot cover is a gap.
   * Snapshots of one workspace are queued; a caller may be given one that began after it asked for another caller.
   */
  takeSnapshot(location: WorkspaceLocation, options?: { signal?: AbortSignal }): Promise<Snapshot>;

  /** Lets the objects of a snapshot go. Unknown ids are no error. */
  releaseSnapshot(snapshot: Snapshot): Promise<void>;

  /** Compares two snapshots of one workspace; null for a side that does not exist (baseline missing, snapshots off). */
  compare(
    location: WorkspaceLocation,
    before: Snapshot | null,
    after: Snapshot | null,
    options: CompareOptions,
  ): Promise<Delta>;

  /** Copies one file whole, by content address: `lstat` first, no link followed, no FIFO opened, bounded in time and size. */
  captureFile(location: WorkspaceLocation, path: string): Promise<FileCapture>;

  /** How rows of this workspace write an absolute path (`ChangedFile.path`), so that what tools name and rows meet. */
  rowPath(location: WorkspaceLocation, path: string): string;

  /** The text of a capture's content, or null where it is binary, not UTF-8, oversized, absent or gone. */
  readCaptureText(capture: FileCapture): Promise<string | null>;

  /** One file compared in full. Throws `expired` where the bodies are gone. */
  readComparison(
    kept: KeptBodies,
    file: KeptFile,
    options: { context: number | 'all'; ignoreWhitespace?: boolean; signal?: AbortSignal },
  ): Promise<Comparison>;

  /** The bytes of one side, at most `limits.fileBytes`. Throws `expired`, or `not_found` where that side has none. */
  readContent(kept: KeptBodies, file: KeptFile, side: 'before' | 'after'): Promise<Uint8Array>;

  /** The patch of the whole change or of the given rows. Throws `expired` where the bodies are gone. */
  readPatch(
    kept: KeptBodies,
    location: Pick<WorkspaceLocation, 'root'>,
    files: KeptFile[],
    signal?: AbortSignal,
  ): Promise<WholePatch>;

  /** Lets the bodies kept under a name go; their space comes back with `collect`. */
  forget(keepAs: string, kept: KeptBodies): Promise<void>;

  /** Gives back the space of what was forgotten: a bounded prune of the private directories, off the request path. */
  collect(): Promise<void>;

  /** Seed 003's listing of a snapshot: sorted paths with size, mtime in ns and the FNV-1a-64 of the first 4,096 bytes. */
  listSnapshot(snapshot: Snapshot): Promise<{ path: string; size: number; mtimeNs: bigint; headHash: bigint }[]>;

  /** Whether the file on disk still is what a row says of its end. */
  isCurrent(location: WorkspaceLocation, file: KeptFile): Promise<boolean>;

  /** Bytes of all bodies on disk, by workspace root. */
  usage(): Promise<{ root: string; bytes: number }[]>;

  /**
   * Removes leftovers of a crash and what neither `snapshots` nor `kept` names; then packs, bounded. Off the request
   * path, while runs go on: only what existed when it was called may be removed.
   */
  sweep(live: { snapshots: Snapshot[]; kept: string[] }): Promise<void>;
}
