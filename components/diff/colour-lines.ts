/** Colours and word marks of the lines of one group; runs in the worker, and where there is none, not at all. */
import { refractor } from 'refractor';
import clojure from 'refractor/clojure';
import dart from 'refractor/dart';
import docker from 'refractor/docker';
import elixir from 'refractor/elixir';
import graphql from 'refractor/graphql';
import groovy from 'refractor/groovy';
import haskell from 'refractor/haskell';
import hcl from 'refractor/hcl';
import jsx from 'refractor/jsx';
import nix from 'refractor/nix';
import powershell from 'refractor/powershell';
import protobuf from 'refractor/protobuf';
import scala from 'refractor/scala';
import toml from 'refractor/toml';
import tsx from 'refractor/tsx';
import zig from 'refractor/zig';
import { completePieces, drawnText, type Piece } from './drawn-lines';
import { type EditRange, markWords } from './word-marks';

/** What is asked: lines in the order of the patch (removed before added), hunk by hunk. */
export interface ColourRequest {
  id: number;
  /** A language that Prism knows, or null for word marks alone. */
  language: string | null;
  hunks: { texts: string[]; types: Uint8Array }[];
}

/** Pieces per line, hunk after hunk; null where plain text is all there is. */
export interface ColourAnswer {
  id: number;
  lines: (Piece[] | null)[];
}

for (const syntax of [
  clojure,
  dart,
  docker,
  elixir,
  graphql,
  groovy,
  haskell,
  hcl,
  jsx,
  nix,
  powershell,
  protobuf,
  scala,
  toml,
  tsx,
  zig,
])
  refractor.register(syntax);

const [CONTEXT, ADDED, REMOVED] = [0, 1, 2];

/** Prism's names for what a piece of code is, as one of the five colours. */
const KIND_OF: Record<string, string> = Object.fromEntries(
  Object.entries({
    k: 'keyword atrule rule important builtin boolean null nil module directive doctype statement storage selector-keyword this',
    s: 'string char attr-value regex url template-string string-property template-punctuation raw-string heredoc quoted',
    n: 'number constant symbol unit hexcode color percentage date time',
    c: 'comment prolog cdata doc-comment shebang blockquote',
    t: 'function class-name tag selector property attr-name title key maybe-class-name method heading type-definition annotation decorator',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
);

interface TokenElement {
  type: string;
  value?: string;
  children?: TokenElement[];
  properties?: { className?: unknown };
}

export function colourLines({ language, hunks }: Omit<ColourRequest, 'id'>): (Piece[] | null)[] {
  return hunks.flatMap(({ texts, types }) => colourHunk(texts, types, language));
}

function colourHunk(texts: readonly string[], types: Uint8Array, language: string | null): (Piece[] | null)[] {
  const drawn = texts.map(drawnText);
  const coloured = language === null ? null : colourBothSides(drawn, types, language);
  const edits = markBlocks(drawn, types);
  return texts.map((text, index) => {
    const ranges = edits[index];
    let pieces = coloured?.[index] ?? null;
    if (ranges && ranges.length > 0) pieces = cutAtEdits(pieces ?? [plain(drawn[index]!)], ranges);
    pieces = completePieces(pieces ?? [plain(drawn[index]!)], text);
    return pieces.length === 0 || (pieces.length === 1 && pieces[0]!.kind === '' && !pieces[0]!.edit) ? null : pieces;
  });
}

function plain(text: string): Piece {
  return { text, kind: '', edit: false };
}

/** Both sides are read as they stood, so that a removed line never colours what comes after it. */
function colourBothSides(texts: readonly string[], types: Uint8Array, language: string): (Piece[] | null)[] {
  const lines: (Piece[] | null)[] = texts.map(() => null);
  for (const other of [ADDED, REMOVED]) {
    const indices = [...texts.keys()].filter((index) => types[index] !== other);
    if (other === ADDED && indices.every((index) => types[index] === CONTEXT)) continue;
    const side = colourText(indices.map((index) => texts[index]).join('\n'), language);
    for (const [at, index] of indices.entries()) lines[index] = side[at] ?? null;
  }
  return lines;
}

/** The text's lines as pieces; equal neighbours are joined, since every piece is an element of the page. */
function colourText(text: string, language: string): Piece[][] {
  const lines: Piece[][] = [[]];
  const visit = (node: TokenElement, kind: string): void => {
    if (node.type === 'text') {
      for (const [index, piece] of (node.value ?? '').split('\n').entries()) {
        if (index > 0) lines.push([]);
        const line = lines.at(-1)!;
        const last = line.at(-1);
        if (piece === '') continue;
        if (last?.kind === kind) last.text += piece;
        else line.push({ text: piece, kind, edit: false });
      }
      return;
    }
    const own = kindOf(node.properties?.className) || kind;
    for (const child of node.children ?? []) visit(child, own);
  };
  visit(refractor.highlight(text, language) as TokenElement, '');
  return lines;
}

function kindOf(className: unknown): string {
  if (!Array.isArray(className)) return '';
  for (const name of className) {
    if (typeof name === 'string' && Object.hasOwn(KIND_OF, name)) return KIND_OF[name]!;
  }
  return '';
}

/** Word marks of every block of removed lines that added ones follow. */
function markBlocks(texts: readonly string[], types: Uint8Array): (EditRange[] | undefined)[] {
  const edits: (EditRange[] | undefined)[] = [];
  for (let at = 0; at < texts.length; ) {
    if (types[at] !== REMOVED) {
      at += 1;
      continue;
    }
    const start = at;
    while (types[at] === REMOVED) at += 1;
    const middle = at;
    while (types[at] === ADDED) at += 1;
    const marks = markWords(texts.slice(start, middle), texts.slice(middle, at));
    for (const [index, ranges] of marks.removed.entries()) edits[start + index] = ranges;
    for (const [index, ranges] of marks.added.entries()) edits[middle + index] = ranges;
  }
  return edits;
}

function cutAtEdits(pieces: Piece[], ranges: readonly EditRange[]): Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  let next = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    let from = at;
    while (from < end) {
      while (next < ranges.length && ranges[next]!.to <= from) next += 1;
      const range = ranges[next];
      const inside = range !== undefined && range.from <= from;
      const to = Math.min(end, range === undefined ? end : inside ? range.to : range.from);
      cut.push({ text: piece.text.slice(from - at, to - at), kind: piece.kind, edit: inside });
      from = to;
    }
    at = end;
  }
  return cut;
}

/** Whether the language is one that can be coloured here. */
export function knowsLanguage(language: string): boolean {
  return refractor.registered(language);
}
