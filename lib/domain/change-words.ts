/** How a change is told in words: the same for eyes, screen readers, the terminal and the exports (CONTRACT, "Page"). */
import type { ChangedFile, ChangeType, GapReason, GitMove, ShownChange } from './change';

/** U+2212, the minus that is as wide as a plus. */
export const MINUS = '\u2212';

export const KIND_LETTER: Record<ChangeType, 'A' | 'M' | 'D' | 'R'> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
};

/** `1 file`, `3 files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `812 B`, `4.1 KB`, `212 MB`: 1,024 bytes a step, one decimal below ten. */
export function bytesInWords(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text = unit === 0 || value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
  return `${text} ${units[unit]}`;
}

/** `644` of `100644`. */
export function shortMode(mode: string): string {
  return mode.slice(-3);
}

/** A change of permission bits alone, as `['644', '755']`, or null. */
export function modeChange(file: ChangedFile): [before: string, after: string] | null {
  const { modeBefore, modeAfter, kindBefore, kindAfter } = file;
  if (modeBefore === null || modeAfter === null || modeBefore === modeAfter) return null;
  if (kindBefore !== 'file' || kindAfter !== 'file') return null;
  return [shortMode(modeBefore), shortMode(modeAfter)];
}

export function isLink(file: ChangedFile): boolean {
  return file.kindBefore === 'symlink' || file.kindAfter === 'symlink';
}

export function isSubmodule(file: ChangedFile): boolean {
  return file.kindBefore === 'submodule' || file.kindAfter === 'submodule';
}

/** An empty file came, or went. */
export function isEmptyFile(file: ChangedFile): boolean {
  if (file.binary || file.oversized || isLink(file) || isSubmodule(file)) return false;
  if (file.additions + file.deletions > 0) return false;
  if (file.changeType === 'added') return file.sizeAfter === 0;
  if (file.changeType === 'deleted') return file.sizeBefore === 0;
  return false;
}

/** Whether `+n −m` says something true of the row. */
export function hasCounts(file: ChangedFile): boolean {
  if (file.oversized && file.additions + file.deletions === 0) return false;
  if (file.binary || file.lineEndings !== null || isEmptyFile(file)) return false;
  if (file.additions + file.deletions > 0) return true;
  // A kept patch may still be missing here (names only); what is known to have no line change says so in words.
  return file.changeType !== 'renamed' && modeChange(file) === null && !isSubmodule(file);
}

const ENDING = { lf: 'LF', crlf: 'CRLF', mixed: 'mixed' } as const;
const BINARY_WORD: Record<ChangeType, string> = {
  added: 'binary added',
  modified: 'binary changed',
  deleted: 'binary deleted',
  renamed: 'binary changed',
};

/** A note on a row: what stands there, and what is said where they differ. */
export interface RowNote {
  shown: string;
  spoken: string;
}

function note(shown: string, spoken = shown): RowNote {
  return { shown, spoken };
}

/** `4.1 → 3.6 KB` where both sides are known, else the one that is; null where neither is. */
export function sizesInWords(file: Pick<ChangedFile, 'sizeBefore' | 'sizeAfter'>): RowNote | null {
  const { sizeBefore, sizeAfter } = file;
  if (sizeBefore !== null && sizeAfter !== null && sizeBefore !== sizeAfter) {
    const [before, after] = [bytesInWords(sizeBefore), bytesInWords(sizeAfter)];
    return note(`${before} → ${after}`, `${before} to ${after}`);
  }
  const size = sizeAfter ?? sizeBefore;
  return size === null ? null : note(bytesInWords(size));
}

/** What a row says besides kind, path and counts, in the order in which it says it. */
export function rowNotes(file: ChangedFile): RowNote[] {
  const notes: RowNote[] = [];
  const mode = modeChange(file);
  const sizes = sizesInWords(file);
  if (file.binary) {
    const same = file.changeType === 'renamed' && file.sizeBefore === file.sizeAfter && !file.truncated;
    const word = same ? 'binary' : BINARY_WORD[file.changeType];
    notes.push(sizes ? note(`${word} · ${sizes.shown}`, `${word}, ${sizes.spoken}`) : note(word));
  } else if (file.oversized) {
    notes.push(sizes ? note(`too large · ${sizes.shown}`, `too large to compare, ${sizes.spoken}`) : note('too large'));
  } else if (file.lineEndings) {
    const { before, after, lines } = file.lineEndings;
    const count = counted(lines, 'line');
    notes.push(
      note(
        `line endings ${ENDING[before]} → ${ENDING[after]} (${count})`,
        `line endings ${ENDING[before]} to ${ENDING[after]}, ${count}`,
      ),
    );
  } else if (isEmptyFile(file)) {
    notes.push(note('empty'));
  }
  if (isSubmodule(file)) notes.push(note('submodule'));
  else if (isLink(file)) notes.push(note(linkWord(file)));
  if (mode) notes.push(note(`mode ${mode[0]} → ${mode[1]}`, `mode ${mode[0]} to ${mode[1]}`));
  if (file.truncated && !file.oversized && !file.binary) notes.push(note('diff truncated'));
  if (file.changeType === 'renamed' && !file.binary && !file.oversized && file.additions + file.deletions === 0) {
    notes.push(note('no line changes'));
  }
  return notes;
}

function linkWord(file: ChangedFile): string {
  if (file.changeType === 'modified' && file.kindBefore !== file.kindAfter) {
    return file.kindAfter === 'symlink' ? 'became a link' : 'no longer a link';
  }
  return 'link';
}

/** `12 additions, 4 deletions`; what is zero is left out; null where there is nothing to count. */
export function countsInWords(file: Pick<ChangedFile, 'additions' | 'deletions'>): string | null {
  const parts = [];
  if (file.additions > 0) parts.push(counted(file.additions, 'addition'));
  if (file.deletions > 0) parts.push(counted(file.deletions, 'deletion'));
  return parts.length > 0 ? parts.join(', ') : null;
}

/** `+12 −4`. */
export function countsInSigns(file: Pick<ChangedFile, 'additions' | 'deletions'>): string {
  return `+${file.additions} ${MINUS}${file.deletions}`;
}

/** `src/Login.vue`, `old.ts to new.ts`. */
function spokenPath(file: ChangedFile): string {
  return file.changeType === 'renamed' ? `${file.oldPath} to ${file.displayPath}` : file.displayPath;
}

/** The accessible name of a row: `modified src/Login.vue, 12 additions, 4 deletions`. */
export function rowName(file: ChangedFile): string {
  const parts = [`${file.changeType} ${spokenPath(file)}`];
  if (hasCounts(file)) parts.push(countsInWords(file) ?? 'no line changes');
  for (const { spoken } of rowNotes(file)) parts.push(spoken);
  if (!hasCounts(file) && modeChange(file) && file.changeType === 'modified' && !file.binary && !file.oversized) {
    parts.push('no line changes');
  }
  if (file.ignored) parts.push('ignored file');
  return parts.join(', ');
}

/** The row as one line of text, as the terminal prints it: `M src/Login.vue +12 −4`, `R old.ts → new.ts`. */
export function rowLine(file: ChangedFile): string {
  const path = file.changeType === 'renamed' ? `${file.oldPath} → ${file.displayPath}` : file.displayPath;
  const parts = [KIND_LETTER[file.changeType], path];
  if (hasCounts(file)) parts.push(countsInSigns(file));
  return [...parts, ...rowNotes(file).map(({ shown }) => shown)].join(' ');
}

/** Gaps that mean that nothing at all could be compared. */
const NOTHING_COMPARED: ReadonlySet<GapReason> = new Set([
  'baseline_missing',
  'checkpoint_expired',
  'workspace_missing',
  'delta_failed',
  'whole_folder_off',
]);

/** The title of a change block, and its accessible name where it stands alone. */
export function changeTitle(change: Pick<ShownChange, 'source' | 'changedCount' | 'git' | 'gaps'>): string {
  const moved = change.git?.movedCount ?? 0;
  if (change.source === 'drift') {
    return change.changedCount > 0 || moved === 0
      ? `Changed outside runs: ${counted(change.changedCount, 'file')}`
      : `Changed outside runs: ${counted(moved, 'file')} came with git`;
  }
  if (change.changedCount > 0) return `Changed ${counted(change.changedCount, 'file')}`;
  if (moved > 0) return `No files changed, ${moved} came with git`;
  if (change.gaps.some((gap) => NOTHING_COMPARED.has(gap.reason))) return 'Changes not recorded';
  return 'No files changed';
}

/** `main → other`, `main 3f2c1a9 → 81be004`, `2 commits made`. */
export function moveInWords(move: GitMove): string {
  const short = (id: string) => id.slice(0, 7);
  if (move.action === 'commit') return `${counted(move.commits, 'commit')} made`;
  if (move.fromName !== null && move.toName !== null && move.fromName !== move.toName) {
    return `${move.fromName} → ${move.toName}`;
  }
  const name = move.toName ?? move.fromName;
  const ids = `${short(move.from)} → ${short(move.to)}`;
  return name === null ? ids : `${name} ${ids}`;
}

const MOVE_COMMAND: Record<GitMove['action'], string> = {
  commit: 'git commit',
  checkout: 'git checkout',
  pull: 'git pull',
  merge: 'git merge',
  rebase: 'git rebase',
  reset: 'git reset',
  stash: 'git stash',
  other: 'git',
};

/** The command that made the move, as people know it. */
export function moveCommand(move: GitMove): string {
  return MOVE_COMMAND[move.action];
}

/** What a change compares with what, in words. */
export function comparedWith(change: Pick<ShownChange, 'source' | 'git'>): string {
  switch (change.source) {
    case 'run':
      return 'compared with the start of this run';
    case 'tool':
      return 'compared with the moment before this call';
    case 'drift':
      return 'compared with the end of the run before';
    case 'session':
      return 'compared with the start of the first run of this session';
  }
}
