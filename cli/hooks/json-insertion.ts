/**
 * Adds to and takes from a settings file in JSON with comments, as pure insertions and deletions of bytes: what others
 * wrote keeps its place, its spelling and its comments.
 */
import { createScanner, type Node, type ParseError, parseTree, type SyntaxKind } from 'jsonc-parser';

/** The kinds of token that matter here, by jsonc-parser's numbers: its own enum exists at compile time only. */
const COMMA: SyntaxKind = 5;
const LINE_COMMENT: SyntaxKind = 12;
const BLOCK_COMMENT: SyntaxKind = 13;
const LINE_BREAK: SyntaxKind = 14;
const SPACE: SyntaxKind = 15;
const END: SyntaxKind = 17;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One replacement of `length` characters at `offset`. */
interface Edit {
  offset: number;
  length: number;
  text: string;
}

/** The file is not what it must be; the message says what and where. */
export class SettingsShapeError extends Error {
  override name = 'SettingsShapeError';
}

/** The tree of a settings file. An empty file, or one of comments alone, is an empty object. Throws where it is broken. */
export function settingsTree(text: string): Node | null {
  const errors: ParseError[] = [];
  const tree = parseTree(withoutMark(text), errors, { allowTrailingComma: true, disallowComments: false }) ?? null;
  if (tree === null && isBlank(text)) return null;
  const first = errors[0];
  if (tree === null || first) {
    const before = text.slice(0, first?.offset ?? 0);
    const line = before.split('\n').length;
    throw new SettingsShapeError(
      `it is not valid JSON (line ${line}, column ${first ? before.length - before.lastIndexOf('\n') : 1})`,
    );
  }
  if (tree.type !== 'object') throw new SettingsShapeError('it does not hold an object');
  return tree;
}

/** Whether a text holds nothing but white space, comments and a byte order mark. */
function isBlank(text: string): boolean {
  const scanner = createScanner(withoutMark(text), true);
  return scanner.scan() === END;
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
}

/** Where a value stands: keys, and indices in arrays. */
export type JsonPath = (string | number)[];

/** The value of a node as JSON. */
export function jsonOf(node: Node): Json {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        (node.children ?? []).map((property) => [
          String(property.children?.[0]?.value),
          property.children?.[1] ? jsonOf(property.children[1]) : null,
        ]),
      );
    case 'array':
      return (node.children ?? []).map(jsonOf);
    default:
      return node.value as Json;
  }
}

/** The value of a key; of the last one where a key is repeated, as every parser of JSON takes it. */
export function memberOf(object: Node, key: string): Node | null {
  const property = (object.children ?? []).findLast((candidate) => candidate.children?.[0]?.value === key);
  return property?.children?.[1] ?? null;
}

/**
 * The text with `value` added at the end of the array at `keys`; objects and the array are made where they are missing.
 * Throws where something else stands in the way.
 */
export function withAppended(text: string, keys: string[], value: Json): string {
  const tree = settingsTree(text);
  const layout = layoutOf(text);
  if (tree === null) {
    const body = written(wrapped(keys, value), layout, '');
    const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
    const rest = text.slice(mark.length);
    const gap = rest === '' || rest.endsWith('\n') ? '' : layout.eol;
    return `${mark}${rest}${gap}${body}${layout.eol}`;
  }
  let container: Node = tree;
  for (const [at, key] of keys.entries()) {
    const member = memberOf(container, key);
    if (member === null) {
      const inner = wrapped(keys.slice(at + 1), value);
      return applied(text, insertionInto(text, container, layout, { key, value: inner }));
    }
    const last = at === keys.length - 1;
    if (member.type !== (last ? 'array' : 'object')) {
      const name = keys.slice(0, at + 1).join('.');
      throw new SettingsShapeError(`"${name}" in it is no ${last ? 'list' : 'object'}`);
    }
    container = member;
  }
  return applied(text, insertionInto(text, container, layout, { value }));
}

/** `value` in a list, inside the objects that `keys` name: what is missing from `keys` on. */
function wrapped(keys: string[], value: Json): Json {
  return keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), [value]);
}

/** The text without the items of the array at `keys` that `isOurs` picks. */
export function withoutItems(text: string, keys: JsonPath, isOurs: (value: Json) => boolean): string {
  let current = text;
  for (;;) {
    const array = nodeAt(current, keys);
    const item = array?.type === 'array' ? array.children?.find((child) => isOurs(jsonOf(child))) : undefined;
    if (!array || !item) return current;
    current = applied(current, removalOf(current, array, item));
  }
}

/** The text without the member at `keys` where its value is an empty object or list; else as it is. */
export function withoutEmpty(text: string, keys: string[]): string {
  const node = nodeAt(text, keys);
  const parent = nodeAt(text, keys.slice(0, -1));
  if (!node || !parent || !['array', 'object'].includes(node.type) || (node.children?.length ?? 0) > 0) return text;
  if (hasComments(text.slice(node.offset, node.offset + node.length))) return text;
  const property = parent.children?.findLast(
    ({ children }) => children?.[1] === node || children?.[1]?.offset === node.offset,
  );
  return property ? applied(text, removalOf(text, parent, property)) : text;
}

function nodeAt(text: string, keys: JsonPath): Node | null {
  let node: Node | null = settingsTree(text);
  for (const key of keys) {
    if (typeof key === 'number') node = node?.type === 'array' ? (node.children?.[key] ?? null) : null;
    else node = node?.type === 'object' ? memberOf(node, key) : null;
  }
  return node;
}

function hasComments(text: string): boolean {
  return tokensOf(text, 0, text.length).some(({ kind }) => isComment(kind));
}

interface Token {
  kind: SyntaxKind;
  offset: number;
  end: number;
}

function isComment(kind: SyntaxKind): boolean {
  return kind === LINE_COMMENT || kind === BLOCK_COMMENT;
}

function isSpace(kind: SyntaxKind): boolean {
  return kind === SPACE || kind === LINE_BREAK;
}

/** The tokens of a stretch of text, with white space and comments. */
function tokensOf(text: string, from: number, to: number): Token[] {
  const scanner = createScanner(text.slice(from, to), false);
  const tokens: Token[] = [];
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const offset = from + scanner.getTokenOffset();
    tokens.push({ kind, offset, end: offset + scanner.getTokenLength() });
  }
  return tokens;
}

/** How a file is laid out: its line end and one step of indentation. */
interface Layout {
  eol: string;
  step: string;
}

function layoutOf(text: string): Layout {
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  const step = /(?:^|\n)([ \t]+)["/]/.exec(text)?.[1] ?? '  ';
  return { eol, step };
}

/** JSON over several lines, the first of which stands at `indent` already. */
function written(value: Json, { eol, step }: Layout, indent: string): string {
  return JSON.stringify(value, null, step).replaceAll('\n', `${eol}${indent}`);
}

/** What makes `entry` the last item of a container. */
function insertionInto(text: string, container: Node, layout: Layout, entry: { key?: string; value: Json }): Edit[] {
  const open = container.offset;
  const close = container.offset + container.length - 1;
  const inner = tokensOf(text, open + 1, close);
  const lastChild = container.children?.at(-1);
  const name = entry.key === undefined ? '' : `${JSON.stringify(entry.key)}: `;
  const outer = indentAt(text, open);
  const oneLine = !text.slice(open, close).includes('\n');
  if (lastChild && oneLine) {
    // A list in one line stays in one line.
    const comma = inner.find(({ kind, offset }) => kind === COMMA && offset >= lastChild.offset + lastChild.length);
    const at = lastChild.offset + lastChild.length;
    const body = `${name}${JSON.stringify(entry.value)}`;
    return comma
      ? [{ offset: comma.end, length: 0, text: ` ${body},` }]
      : [{ offset: at, length: 0, text: `, ${body}` }];
  }
  const indent = lastChild ? indentAt(text, lastChild.offset) : outer + layout.step;
  const body = `${layout.eol}${indent}${name}${written(entry.value, layout, indent)}`;
  if (!lastChild) {
    const rest = text.slice(open + 1, close);
    // What stood between the braces follows us; where that was nothing, or one line, the closing brace gets its own.
    const tail = rest.includes('\n') ? '' : `${layout.eol}${outer}`;
    return [{ offset: open + 1, length: 0, text: `${body}${tail}` }];
  }
  const childEnd = lastChild.offset + lastChild.length;
  const comma = inner.find(({ kind, offset }) => kind === COMMA && offset >= childEnd);
  const after = endOfLine(inner, comma?.end ?? childEnd);
  if (comma) return [{ offset: after, length: 0, text: `${body},` }];
  if (after === childEnd) return [{ offset: childEnd, length: 0, text: `,${body}` }];
  return [
    { offset: childEnd, length: 0, text: ',' },
    { offset: after, length: 0, text: body },
  ];
}

/** Behind the comments that stand on the same line as `from`: they belong to what precedes us. */
function endOfLine(inner: Token[], from: number): number {
  let end = from;
  for (const token of inner) {
    if (token.offset < from) continue;
    if (token.kind === SPACE) continue;
    if (!isComment(token.kind)) break;
    end = token.end;
  }
  return end;
}

/** What takes a member out again, with its comma and the white space that leads to it. */
function removalOf(text: string, container: Node, child: Node): Edit[] {
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const end = child.offset + child.length;
  const before = tokensOf(text, open, child.offset);
  const after = tokensOf(text, end, close);
  let from = child.offset;
  for (const token of before.toReversed()) {
    if (!isSpace(token.kind)) break;
    from = token.offset;
  }
  const commaAfter = after.find(({ kind }) => !isSpace(kind) && !isComment(kind));
  const commaBefore = before.findLast(({ kind }) => kind === COMMA);
  const only = (container.children?.length ?? 0) === 1;
  if (commaAfter?.kind === COMMA) {
    // Comments between us and our comma are not ours.
    return end === commaAfter.offset
      ? [{ offset: from, length: commaAfter.end - from, text: '' }]
      : [
          { offset: from, length: end - from, text: '' },
          { offset: commaAfter.offset, length: 1, text: '' },
        ];
  }
  const own = { offset: from, length: end - from, text: '' };
  if (commaBefore && !only) return [{ offset: commaBefore.offset, length: 1, text: '' }, own];
  // The last one goes, and with it the line break that led to the closing brace.
  const rest = after.every(({ kind }) => isSpace(kind)) && before.every(({ kind }) => isSpace(kind));
  return rest ? [{ offset: open, length: close - open, text: '' }] : [own];
}

/** The white space that the line of `offset` begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function applied(text: string, edits: Edit[]): string {
  let result = text;
  for (const { offset, length, text: replacement } of edits.toSorted((a, b) => b.offset - a.offset)) {
    result = result.slice(0, offset) + replacement + result.slice(offset + length);
  }
  return result;
}
