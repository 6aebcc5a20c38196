/** What a record does not cover, in sentences a person can act on. */

import type { Gap } from './change';
import { bytesInWords, counted } from './change-words';

/** One gap in words; begins in lower case, since it follows "Not covered:". */
export function gapInWords(gap: Gap): string {
  const files = counted(gap.count ?? 1, 'file');
  const where = gap.path ?? files;
  const detail = gap.detail ? ` (${gap.detail})` : '';
  switch (gap.reason) {
    case 'baseline_late':
      return `the first snapshot was still being taken when the run began${detail}`;
    case 'baseline_missing':
      return `there is no snapshot from before the run${detail}`;
    case 'checkpoint_expired':
      return `the run was silent for too long and its snapshot expired${detail}`;
    case 'scan_limit':
      return `the folder holds more files than one snapshot looks at${count(gap)}${detail}`;
    case 'time_limit':
      return `taking the snapshot ran out of time${count(gap)}${detail}`;
    case 'file_unreadable':
      return gap.path === undefined
        ? `could not read (${gap.count ?? 1})${detail}`
        : `could not read ${where}${detail}`;
    case 'file_too_large':
      return `${where} ${(gap.count ?? 1) === 1 ? 'is' : 'are'} too large to compare${sizeDetail(gap)}`;
    case 'skipped_by_default':
      return gap.path === undefined
        ? `${counted(gap.count ?? 1, 'folder')} that hold what tools make, such as ${gap.detail ?? 'node_modules'}`
        : `${gap.path} is left out by default${detail}`;
    case 'nested_repository_unreadable':
      return `the repository inside ${gap.path ?? 'this folder'} could not be read${detail}`;
    case 'git_refused':
      return `git refused this repository, so files were compared without it${detail}`;
    case 'git_missing':
      return `compared without git${detail}`;
    case 'workspace_missing':
      return `the workspace folder was gone at the end${detail}`;
    case 'whole_folder_off':
      return `this folder is too broad to watch whole; only files that the agent's tools named are recorded${detail}`;
    case 'delta_failed':
      return `the comparison failed${detail}`;
    case 'list_limit':
      return `more files changed than are listed; the totals are true${count(gap)}${detail}`;
    case 'patch_limit':
      return `${files} without a stored patch, since the run's patches reached their limit${detail}`;
    case 'rename_limit':
      return `too many files to look for renames among; they show as deleted and added${detail}`;
  }
}

function count(gap: Gap): string {
  return gap.count === undefined ? '' : ` (${counted(gap.count, 'file')} not covered)`;
}

/** A detail that is a number of bytes is told as a size. */
function sizeDetail(gap: Gap): string {
  if (!gap.detail) return '';
  return /^\d+$/.test(gap.detail) ? ` (${bytesInWords(Number(gap.detail))})` : ` (${gap.detail})`;
}

/** All gaps in one readable line, `Not covered: …; …`, or null where there are none. */
export function gapsInWords(gaps: readonly Gap[]): string | null {
  return gaps.length === 0 ? null : `Not covered: ${gaps.map(gapInWords).join('; ')}`;
}
