/** Every bound of the product: its name, unit, default and what happens past it (DESIGN §6). */

const KIB = 1024;
const MIB = 1024 * KIB;

export interface Limits {
  /** Files looked at in one snapshot of a folder without git. Past it: gap `scan_limit`. */
  scanFiles: number;
  /** Milliseconds, soft, that one scan of a folder without git may take. Past it: gap `time_limit`. */
  scanMs: number;
  /** Bytes of one file kept where there is no git at all. Past it: metadata only, `oversized`. */
  plainFileBytes: number;
  /** Bytes of one file: hashing untracked files, file captures, each side of a comparison. Past it: `oversized`. */
  fileBytes: number;
  /** Bytes of a tracked file that is still hashed, so that git counts its lines. Past it: `oversized`. */
  trackedFileBytes: number;
  /** Bytes of newly untracked files hashed in one snapshot. Past it: remembered by fingerprint. */
  untrackedBytes: number;
  /** Newly untracked files hashed in one snapshot. Past it: remembered by fingerprint. */
  untrackedFiles: number;
  /** Bytes of an ignored file that is watched though no tool named it. Past it: not watched. */
  ignoredFileBytes: number;
  /** Ignored files watched though no tool named them. Past it: not watched. */
  ignoredFiles: number;
  /** Rows carried by a summary or event. Past it: paged, totals stay true. */
  summaryRows: number;
  /** Rows stored of one change. Past it: gap `list_limit`, totals stay true. */
  storedRows: number;
  /** Bytes of one stored patch. Past it: cut between hunks, `truncated`. */
  patchBytes: number;
  /** Bytes of all stored patches of one change. Past it: later files keep metadata, gap `patch_limit`. */
  changePatchBytes: number;
  /** Bytes of one git listing kept in memory. Past it: streamed totals stay true, gap `list_limit`. */
  listingBytes: number;
  /** Milliseconds one line comparison of an applied hunk may take. Past it: one whole-file hunk, `coarse`. */
  lineDiffMs: number;
  /** Lines of a diff shown to a model or in tool output. Past it: "... (N more lines truncated)". */
  toolDiffLines: number;
  /** Milliseconds one git command may run. Past it: a gap; the run goes on. */
  gitMs: number;
  /** Milliseconds a run waits for its baseline. Past it: the run starts, gap `baseline_late`. */
  baselineWaitMs: number;
  /** Milliseconds without any request after which the run of an outside host becomes `interrupted`. */
  checkpointMs: number;
  /** Days that changes are kept. Past it: bodies, then rows go. */
  retentionDays: number;
  /** Runs kept per session. Past it: the oldest go. */
  retentionRuns: number;
  /** Bytes of bodies kept, database and private git directories together. Past it: oldest first, `expired`. */
  retentionBytes: number;
  /** Bytes of one tool call's output that are kept. Past it: cut with a note. */
  outputBytes: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  scanFiles: 20_000,
  scanMs: 1_000,
  plainFileBytes: 512 * KIB,
  fileBytes: 2 * MIB,
  trackedFileBytes: 64 * MIB,
  untrackedBytes: 256 * MIB,
  untrackedFiles: 20_000,
  ignoredFileBytes: 64 * KIB,
  ignoredFiles: 200,
  summaryRows: 500,
  storedRows: 50_000,
  patchBytes: 128 * KIB,
  changePatchBytes: 512 * KIB,
  listingBytes: 8 * MIB,
  lineDiffMs: 100,
  toolDiffLines: 200,
  gitMs: 30_000,
  baselineWaitMs: 10_000,
  checkpointMs: 30 * 60_000,
  retentionDays: 30,
  retentionRuns: 500,
  retentionBytes: 1024 * MIB,
  outputBytes: MIB,
};
