/** A group of a patch as `react-diff-view` draws it: its hunks, and the pieces of the lines that need more than text. */
import type { ChangeData, HunkData, HunkTokens, TokenNode } from 'react-diff-view';
import { drawnText, oddPieces, type Piece } from './drawn-lines';
import type { Group, Grouping, Separator } from './patch-groups';
import { ADDED, CONTEXT, type PatchLines } from './patch-lines';

/** A hunk with what is drawn above it, and below it where it ends the file's last group. */
export interface DrawnHunk extends HunkData {
  separator: Separator | null;
  closing: Separator | null;
  section: string;
  /** Set on the first hunk of a group: the accessible name of its table. */
  label?: string;
}

/** The hunks of one group. Line numbers are those of the file. */
export function drawnHunks(lines: PatchLines, { order }: Grouping, group: Group): DrawnHunk[] {
  return group.segments.map(({ hunk, from, to, separator }, index) => {
    const changes: ChangeData[] = [];
    for (let at = from; at < to; at += 1) changes.push(drawnChange(lines, order[at]!));
    const first = order[from]!;
    return {
      content: '',
      oldStart: lines.oldNumbers[first]!,
      newStart: lines.newNumbers[first]!,
      oldLines: changes.length,
      newLines: changes.length,
      changes,
      separator,
      closing: index === group.segments.length - 1 ? group.closing : null,
      section: lines.hunks[hunk]?.section ?? '',
    };
  });
}

function drawnChange({ texts, types, oldNumbers, newNumbers }: PatchLines, line: number): ChangeData {
  const content = drawnText(texts[line]!);
  const type = types[line];
  if (type === CONTEXT) {
    const [oldLineNumber, newLineNumber] = [oldNumbers[line]!, newNumbers[line]!];
    return { type: 'normal', isNormal: true, oldLineNumber, newLineNumber, content };
  }
  if (type === ADDED) return { type: 'insert', isInsert: true, lineNumber: newNumbers[line]!, content };
  return { type: 'delete', isDelete: true, lineNumber: oldNumbers[line]!, content };
}

/** The key by which `react-diff-view` marks a line's cells: unique in a file. */
export function keyOfLine({ types, oldNumbers, newNumbers }: PatchLines, line: number): string {
  const type = types[line];
  if (type === CONTEXT) return `N${oldNumbers[line]}`;
  return type === ADDED ? `I${newNumbers[line]}` : `D${oldNumbers[line]}`;
}

/**
 * The tokens of a group: coloured where `colours` holds its lines (in drawing order), else only what plain text cannot
 * show; null where plain text shows everything.
 */
export function drawnTokens(
  lines: PatchLines,
  { order }: Grouping,
  group: Group,
  colours: readonly (Piece[] | null)[] | null,
): HunkTokens | null {
  const tokens: HunkTokens = { old: [], new: [] };
  let any = false;
  for (let at = group.first; at < group.last; at += 1) {
    const line = order[at]!;
    const pieces = colours?.[at - group.first] ?? oddPieces(lines.texts[line]!);
    if (pieces === null) continue;
    any = true;
    const nodes = nodesOf(pieces, line);
    const [old, young] = [lines.oldNumbers[line]!, lines.newNumbers[line]!];
    if (old > 0) tokens.old[old - 1] = nodes;
    if (young > 0) tokens.new[young - 1] = nodes;
  }
  return any ? tokens : null;
}

/** Pieces as the renderer's nodes; neighbours that belong to one edit stand in one mark. */
function nodesOf(pieces: Piece[], line: number): TokenNode[] {
  const nodes: TokenNode[] = [];
  let edit: TokenNode | null = null;
  for (const { text, kind, edit: edited } of pieces) {
    const node: TokenNode = kind === '' ? { type: 'text', value: text } : { type: kind, value: text, line };
    if (!edited) {
      edit = null;
      nodes.push(node);
    } else if (edit === null) {
      edit = { type: 'edit', children: [node] };
      nodes.push(edit);
    } else edit.children!.push(node);
  }
  return nodes;
}
