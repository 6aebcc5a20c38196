/** The compact list of a change as a terminal shows it: the header, one row a file, and what is not covered. */
import type { ChangedFile, ChangeSummary, ChangeType } from '@/lib/domain/change';
import {
  changeTitle,
  counted,
  countsInSigns,
  hasCounts,
  KIND_LETTER,
  MINUS,
  moveInWords,
  rowNotes,
} from '@/lib/domain/change-words';
import { gapsInWords } from '@/lib/domain/gap-words';
import { harmless, type Paint, type Style } from './screen';

/** Rows printed before the rest is only counted. */
const MAX_ROWS = 50;
/** Columns that a path may take before the counts stop standing in line. */
const MAX_PATH_COLUMNS = 60;

const LETTER_STYLE: Record<ChangeType, Style> = { added: 'green', modified: 'yellow', deleted: 'red', renamed: 'cyan' };

/** The lines of the list; the first says how many files changed. */
export function changeLines(change: ChangeSummary, paint: Paint): string[] {
  const rows = change.files.filter(({ origin }) => origin !== 'git');
  const totals = rows.length > 0 ? `  ${paintCounts(change, paint)}` : '';
  const lines = [`${paint('bold', changeTitle(change))}${totals}`];
  const shown = rows.slice(0, MAX_ROWS);
  const width = Math.min(MAX_PATH_COLUMNS, Math.max(0, ...shown.map((file) => pathOf(file).length)));
  for (const file of shown) {
    const words = [];
    if (hasCounts(file)) words.push(paintCounts(file, paint));
    words.push(...rowNotes(file).map((note) => paint('dim', note.shown)));
    if (file.ignored) words.push(paint('dim', 'ignored'));
    const path = pathOf(file);
    lines.push(
      `${paint(LETTER_STYLE[file.changeType], KIND_LETTER[file.changeType])} ${words.length > 0 ? `${path.padEnd(width)}  ${words.join('  ')}` : path}`,
    );
  }
  const more = change.changedCount - shown.length;
  if (more > 0) lines.push(paint('dim', `… and ${counted(more, 'more file')}`));
  for (const move of change.git?.moves ?? []) {
    const files = change.git?.movedCount ?? 0;
    const along = move.action !== 'commit' && files > 0 ? `, ${counted(files, 'file')} came with git` : '';
    lines.push(paint('dim', `${harmless(moveInWords(move))}${along}`));
  }
  const gaps = gapsInWords(change.gaps);
  if (gaps !== null) lines.push(paint('yellow', harmless(gaps)));
  return lines;
}

function pathOf(file: ChangedFile): string {
  return harmless(file.changeType === 'renamed' ? `${file.oldPath} → ${file.displayPath}` : file.displayPath);
}

function paintCounts(counts: { additions: number; deletions: number }, paint: Paint): string {
  const [added, removed] = countsInSigns(counts).split(' ') as [string, string];
  return `${paint(added === '+0' ? 'dim' : 'green', added)} ${paint(removed === `${MINUS}0` ? 'dim' : 'red', removed)}`;
}
