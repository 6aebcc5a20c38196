/** Writes a row of a record as one line of text, so that what was expected and what came can be compared and read. */
import type { ChangedFile, ChangeSummary } from '@/lib/domain/change';
import { KIND_LETTER, MINUS, shortMode } from '@/lib/domain/change-words';
import type { Wire } from '@/lib/domain/events';

export type WireFile = Wire<ChangedFile>;
export type WireSummary = Wire<ChangeSummary>;

/**
 * `M a +1 −0`, `R old.ts → new.ts +0 −0`, `M x.bin binary`, `A leak +1 −0 link`, `M .env +1 −1 ignored`, `M big too large`,
 * `M run.sh +0 −0 mode 644 → 755`; who did it stands at the end where it is not a command of the run: `M b +1 −0 [git]`.
 */
export function rowText(file: WireFile): string {
  const path = file.change_type === 'renamed' ? `${file.old_path} → ${file.path}` : file.path;
  const parts = [KIND_LETTER[file.change_type], path];
  const neverCounted = file.oversized && file.additions + file.deletions === 0;
  if (file.binary) parts.push('binary');
  else if (!neverCounted) parts.push(`+${file.additions} ${MINUS}${file.deletions}`);
  if (file.oversized) parts.push('too large');
  if (file.truncated && !file.oversized) parts.push('truncated');
  parts.push(...kindNotes(file));
  if (isEmpty(file)) parts.push('empty');
  if (file.line_endings) {
    const { before, after, lines } = file.line_endings;
    parts.push(`line endings ${before} → ${after} (${lines})`);
  }
  if (file.ignored) parts.push('ignored');
  if (file.origin !== 'command') parts.push(`[${file.origin}]`);
  return parts.join(' ');
}

function kindNotes(file: WireFile): string[] {
  const { kind_before: before, kind_after: after, mode_before: modeBefore, mode_after: modeAfter } = file;
  if (before === 'submodule' || after === 'submodule') return ['submodule'];
  if (before === 'symlink' || after === 'symlink') {
    if (before === null || after === null || before === after) return ['link'];
    return [after === 'symlink' ? 'became a link' : 'no longer a link'];
  }
  if (before !== null && after !== null && modeBefore !== null && modeAfter !== null && modeBefore !== modeAfter) {
    return [`mode ${shortMode(modeBefore)} → ${shortMode(modeAfter)}`];
  }
  return [];
}

function isEmpty(file: WireFile): boolean {
  if (file.change_type === 'added') return file.size_after === 0;
  if (file.change_type === 'deleted') return file.size_before === 0;
  return false;
}

/** Rows one a line, at most a few more than are `expected`. */
export function rowsText(rows: readonly WireFile[], expected: number): string {
  const most = Math.max(12, expected + 6);
  const lines = rows.slice(0, most).map(rowText);
  if (rows.length > most) lines.push(`… ${rows.length - most} more`);
  return lines.length === 0 ? 'no rows' : lines.join('\n');
}
