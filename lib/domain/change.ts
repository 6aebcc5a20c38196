/** What changed: the record of one run, one tool call or one stretch between runs. A summary carries no bodies. */
import type { ChangeId, FileId, RunId, SessionId, ToolCallId } from './ids';
import type { WorkspaceKind } from './workspace';

export type ChangeSource = 'run' | 'tool' | 'drift';
export type ChangeType = 'added' | 'modified' | 'deleted' | 'renamed';
export type EntryKind = 'file' | 'symlink' | 'submodule';
/** Who did it (DESIGN §3 rule 8). */
export type Origin = 'tool' | 'command' | 'git' | 'other';
/** What proves it: a comparison of snapshots, or of whole-file captures. */
export type Evidence = 'snapshot' | 'capture';

export const GAP_REASONS = [
  'baseline_late',
  'baseline_missing',
  'checkpoint_expired',
  'scan_limit',
  'time_limit',
  'file_unreadable',
  'file_too_large',
  'skipped_by_default',
  'nested_repository_unreadable',
  'git_refused',
  'git_missing',
  'workspace_missing',
  'whole_folder_off',
  'delta_failed',
  'list_limit',
  'patch_limit',
  'rename_limit',
] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** Something that the record does not cover, and why. Unknown is not unchanged. */
export interface Gap {
  reason: GapReason;
  path?: string;
  detail?: string;
  count?: number;
}

/** Gaps that make a change of a run although no file is listed (DESIGN §3 rule 10). */
const TELLING_GAPS: ReadonlySet<GapReason> = new Set([
  'baseline_missing',
  'delta_failed',
  'workspace_missing',
  'git_refused',
  'whole_folder_off',
  'scan_limit',
  'time_limit',
  'checkpoint_expired',
]);

export interface LineEndings {
  before: 'lf' | 'crlf' | 'mixed';
  after: 'lf' | 'crlf' | 'mixed';
  /** Lines whose ending differs. */
  lines: number;
}

interface ChangedFileFacts {
  /** Relative to the workspace with `/`; `../` above it in the same repository; absolute elsewhere; see `writePath`. */
  path: string;
  pathQuoted: boolean;
  displayPath: string;
  additions: number;
  deletions: number;
  binary: boolean;
  /** The stored patch was cut or left out by a limit. */
  truncated: boolean;
  /** Content that nobody read in whole: counts are 0 and mean nothing, or there is no patch. */
  oversized: boolean;
  sizeBefore: number | null;
  sizeAfter: number | null;
  /** As git writes it: `100644`, `100755`, `120000`, `160000`. */
  modeBefore: string | null;
  modeAfter: string | null;
  kindBefore: EntryKind | null;
  kindAfter: EntryKind | null;
  /** Set when both sides are equal but for line ends. */
  lineEndings: LineEndings | null;
  /** An ignore rule covers it at both ends. */
  ignored: boolean;
  evidence: Evidence[];
}

type Renaming =
  | { changeType: 'renamed'; oldPath: string }
  | { changeType: Exclude<ChangeType, 'renamed'>; oldPath: null };

/** One path in a change. */
export type ChangedFile = ChangedFileFacts & Renaming & { id: FileId; origin: Origin; toolCallIds: ToolCallId[] };

/**
 * Where the bytes of one side are kept, written and read by `lib/capture` alone:
 * `git:<directory key>:<blob id>` or `copy:<sha-256>`. Null on a side that is absent or was never read.
 */
export type ContentRef = string;

/** One path in a delta: a changed file before anybody asked who did it. */
export type DeltaFile = ChangedFileFacts &
  Renaming & {
    patch: string | null;
    patchBytes: number;
    contentBefore: ContentRef | null;
    contentAfter: ContentRef | null;
    /** Clean at the start, equal to HEAD at the end, and no commit step of the span touched it. */
    movedByGit: boolean;
  };

export type GitAction = 'commit' | 'checkout' | 'pull' | 'merge' | 'rebase' | 'reset' | 'stash' | 'other';

export interface GitMove {
  action: GitAction;
  from: string;
  to: string;
  fromName: string | null;
  toName: string | null;
  commits: number;
}

export interface GitSummary {
  headBefore: string | null;
  headAfter: string | null;
  branchBefore: string | null;
  branchAfter: string | null;
  /** Rows of origin `git`. */
  movedCount: number;
  moves: GitMove[];
}

/** Counts over every row but those of origin `git`, listed or not. */
export interface ChangeTotals {
  changedCount: number;
  addedCount: number;
  modifiedCount: number;
  deletedCount: number;
  renamedCount: number;
  binaryCount: number;
  additions: number;
  deletions: number;
}

export interface ChangeSummary extends ChangeTotals {
  changeId: ChangeId;
  sessionId: SessionId;
  runId: RunId;
  source: ChangeSource;
  toolCallId: ToolCallId | null;
  /** Grows when a later record supersedes this one. */
  generation: number;
  workspace: string;
  workspaceKind: WorkspaceKind;
  startedAt: number | null;
  finishedAt: number | null;
  truncated: boolean;
  totalPatchBytes: number;
  createdAt: number;
  gaps: Gap[];
  /** Other runs that went on in this workspace at the same time. */
  overlaps: RunId[];
  /** Of a tool call's change: other calls that went on meanwhile and share what changed. */
  sharedWith: ToolCallId[];
  git: GitSummary | null;
  files: ChangedFile[];
}

/** A change as pages show it: a record, or the runs of a session joined, first state to last (made when asked for). */
export type ShownChange = Omit<ChangeSummary, 'source'> & { source: ChangeSource | 'session' };

/** A changed file with its body. */
export type ChangedFileBody = ChangedFile & { patch: string | null; patchBytes: number; expired: boolean };

/** The totals of `files`: rows that came with git are not the run's work and do not count. */
export function totalsOf(
  files: Iterable<Pick<ChangedFile, 'changeType' | 'additions' | 'deletions' | 'binary' | 'origin'>>,
): ChangeTotals {
  const totals: ChangeTotals = {
    changedCount: 0,
    addedCount: 0,
    modifiedCount: 0,
    deletedCount: 0,
    renamedCount: 0,
    binaryCount: 0,
    additions: 0,
    deletions: 0,
  };
  for (const file of files) {
    if (file.origin === 'git') continue;
    totals.changedCount += 1;
    totals[`${file.changeType}Count`] += 1;
    if (file.binary) totals.binaryCount += 1;
    totals.additions += file.additions;
    totals.deletions += file.deletions;
  }
  return totals;
}

const TOTALS: readonly (keyof ChangeTotals)[] = [
  'changedCount',
  'addedCount',
  'modifiedCount',
  'deletedCount',
  'renamedCount',
  'binaryCount',
  'additions',
  'deletions',
];

/** The totals that a larger record carries. */
export function totalsIn(record: ChangeTotals): ChangeTotals {
  return totalsBy((key) => record[key]);
}

/** The sum of two totals, field by field. */
export function addTotals(a: ChangeTotals, b: ChangeTotals): ChangeTotals {
  return totalsBy((key) => a[key] + b[key]);
}

function totalsBy(count: (key: keyof ChangeTotals) => number): ChangeTotals {
  return Object.fromEntries(TOTALS.map((key) => [key, count(key)])) as Record<keyof ChangeTotals, number>;
}

/** Whether there is a change to show at all (DESIGN §3 rule 10). */
export function isChange(change: { fileCount: number; git: Pick<GitSummary, 'moves'> | null; gaps: Gap[] }): boolean {
  return (
    change.fileCount > 0 ||
    (change.git?.moves.some((move) => move.action !== 'commit') ?? false) ||
    change.gaps.some((gap) => TELLING_GAPS.has(gap.reason))
  );
}
