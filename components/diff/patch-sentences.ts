/** What an opened file says where lines alone would not tell, or where there are none: never an empty box. */
import type { ChangedFileBody } from '@/lib/domain/change';
import { bytesInWords, isEmptyFile, isLink, isSubmodule, modeChange, sizesInWords } from '@/lib/domain/change-words';
import { ADDED, countChanged, type PatchLines, REMOVED } from './patch-lines';

export interface Sentence {
  /** `note` explains, `warning` asks for care. */
  kind: 'note' | 'warning';
  text: string;
}

export interface PatchStory {
  sentences: Sentence[];
  /** Whether the patch's lines are drawn below, may be drawn on demand, or do not exist. */
  lines: 'shown' | 'folded' | 'none';
  /** Whether a whole comparison can bring more than is kept: told on the button. */
  more: 'load' | 'none';
}

const PATCH_KEPT = 'Only the beginning of this patch was kept.';

/**
 * The story of one file, from its row and the lines that are there. `compared` tells that they come from a whole
 * comparison: then none is missing, though some may be left out on request.
 */
export function patchStory(file: ChangedFileBody, lines: PatchLines, compared = false): PatchStory {
  const sentences: Sentence[] = [];
  const say = (text: string, kind: Sentence['kind'] = 'note') => sentences.push({ kind, text });
  const none = (): PatchStory => ({ sentences, lines: 'none', more: 'none' });

  const mode = modeChange(file);
  if (file.changeType === 'renamed') say(`Renamed from ${file.oldPath}.`);
  if (mode) {
    const executable = !(Number.parseInt(mode[0], 8) & 0o111) && (Number.parseInt(mode[1], 8) & 0o111) !== 0;
    say(`File mode changed: ${mode[0]} → ${mode[1]}${executable ? ', now executable' : ''}.`);
  }
  if (file.expired) {
    say('The content of this change is no longer kept: it was older than the limits allow. Names and counts remain.');
    return none();
  }
  if (file.binary) {
    const word = { added: 'added', deleted: 'deleted', modified: 'changed', renamed: 'changed' }[file.changeType];
    say(`Binary file ${word}${inSizes(file)}.`);
    return none();
  }
  if (file.oversized) {
    say(`Too large to compare${inSizes(file)}.`);
    if (file.additions + file.deletions === 0) say('Its content was not read, so its lines are not counted.');
    return none();
  }
  if (isSubmodule(file)) {
    say(`${submoduleWord(file)}${pointers(lines, (text) => text.replace(/^Subproject commit /, '').slice(0, 12))}.`);
    return { sentences, lines: 'none', more: 'none' };
  }
  if (isLink(file)) linkSentences(file, lines, say);
  if (isEmptyFile(file)) {
    say(file.changeType === 'added' ? 'An empty file was added.' : 'An empty file was deleted.');
    return none();
  }

  const shown = countChanged(lines);
  const shownLines = shown.additions + shown.deletions;
  const allLines = file.additions + file.deletions;
  if (compared && shownLines === 0) return { sentences, lines: 'shown', more: 'none' };
  if (allLines === 0 && shownLines === 0) {
    if (!file.truncated) say('No line changed.');
    return none();
  }
  if (file.lineEndings) {
    const name = { lf: 'LF', crlf: 'CRLF', mixed: 'mixed' };
    const { before, after, lines: count } = file.lineEndings;
    say(
      `Only line endings changed: ${name[before]} → ${name[after]}, in ${count} ${count === 1 ? 'line' : 'lines'}. The text is the same.`,
    );
    return { sentences, lines: shownLines > 0 ? 'folded' : 'none', more: 'none' };
  }
  if (shownLines === 0) {
    say(
      file.truncated
        ? 'The patch was left out, since the patches of this change reached their limit.'
        : 'The content of this file is not kept; only its counts are.',
    );
    return { sentences, lines: 'none', more: file.truncated ? 'load' : 'none' };
  }
  if (!compared && shownLines < allLines) {
    say(`${PATCH_KEPT} Showing ${shownLines} of ${allLines} changed lines.`, 'warning');
    return { sentences, lines: 'shown', more: 'load' };
  }
  const ending = finalNewline(lines);
  if (ending) say(ending);
  if (file.patch?.includes('\ufffd')) {
    say('This file is not UTF-8: bytes that cannot be shown stand as \ufffd.', 'warning');
  }
  if (lines.crlf) say('Lines end in CRLF.');
  return { sentences, lines: 'shown', more: 'none' };
}

/** `, 4.1 KB before, 3.6 KB after`. */
function inSizes(file: ChangedFileBody): string {
  const { sizeBefore, sizeAfter } = file;
  if (sizeBefore !== null && sizeAfter !== null) {
    return `: ${bytesInWords(sizeBefore)} before, ${bytesInWords(sizeAfter)} after`;
  }
  const size = sizesInWords(file);
  return size === null ? '' : `: ${size.shown}`;
}

function submoduleWord(file: ChangedFileBody): string {
  if (file.changeType === 'added') return 'Submodule added';
  if (file.changeType === 'deleted') return 'Submodule removed';
  return 'Submodule moved to another commit';
}

/** `: a → b` out of the one line that stands on each side. */
function pointers(lines: PatchLines, show: (text: string) => string): string {
  const { before, after } = sides(lines);
  if (before !== null && after !== null) return `: ${show(before)} → ${show(after)}`;
  const one = after ?? before;
  return one === null ? '' : `: ${show(one)}`;
}

function sides({ texts, types }: PatchLines): { before: string | null; after: string | null } {
  const at = (type: number) => {
    const found = texts.filter((_, index) => types[index] === type);
    return found.length > 0 ? found.join('\n') : null;
  };
  return { before: at(REMOVED), after: at(ADDED) };
}

function linkSentences(
  file: ChangedFileBody,
  lines: PatchLines,
  say: (text: string, kind?: Sentence['kind']) => void,
): void {
  const { before, after } = sides(lines);
  const [was, is] = [file.kindBefore === 'symlink', file.kindAfter === 'symlink'];
  if (was && is) say(`Link target changed${pointers(lines, (target) => target)}.`);
  else if (is && after !== null) say(`${file.kindBefore === null ? 'Link' : 'Became a link'} → ${after}`);
  else if (was && before !== null) say(`${file.kindAfter === null ? 'Link' : 'Was a link'} → ${before}`);
  if (is && after !== null && leavesWorkspace(file.path, after)) {
    say('This link leads out of the workspace.', 'warning');
  }
}

/** Whether a link at `path` with this target leads above the workspace's root. Targets are text; nothing is followed. */
export function leavesWorkspace(path: string, target: string): boolean {
  if (target.startsWith('/')) return true;
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return path.startsWith('../') || path.startsWith('/');
}

/** Where nothing but the newline at the very end came or went. */
function finalNewline(lines: PatchLines): string | null {
  if (lines.noNewlineBefore === lines.noNewlineAfter) return null;
  const { before, after } = sides(lines);
  if (before === null || before !== after) return null;
  return lines.noNewlineBefore
    ? 'Only the newline at the end of the file was added.'
    : 'Only the newline at the end of the file was removed.';
}
