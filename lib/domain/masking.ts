/** Masks secrets in what is shown to others: the same words for patches, comparisons and messages. */
import type { Hunk } from './patch';
import type { Finding } from './secret-patterns';
import { secretPart } from './secret-patterns';

/** What stands in place of a secret, whatever its length. */
export const MASK = '••••••••';

/** Finds secrets in a text; handed in, since the best scanner runs on the server alone. */
export type SecretScanner = (text: string) => Promise<Finding[]>;

/** A line of a patch, on the sides on which it stands. */
export interface MaskedLine {
  type: 'context' | 'added' | 'removed';
  text: string;
}

export interface Masked<Value> {
  value: Value;
  /** How often each rule masked something. */
  counts: Map<string, number>;
}

/** How one file is masked. */
export interface FileMasking {
  /** A file of secrets (`.env` and the like, an ignored file): every value is masked. */
  everyValue: boolean;
  /** Secrets found elsewhere in what is shared, which must not be shown here either. */
  known: readonly string[];
}

/** Shortest secret that is looked for in other places; shorter ones would mask ordinary words. */
const KNOWN_LENGTH = 8;

/** Whether a value is worth hiding wherever else it stands: not a plain word, number or address. */
export function isTelling(value: string): boolean {
  if (value.length < KNOWN_LENGTH || /^[A-Za-z]+$/.test(value) || /^[\d.:-]+$/.test(value)) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^@]*$/i.test(value)) return false;
  return !/^[\w-]+(?:[./][\w-]+)+$/.test(value) || /\d/.test(value);
}

/** The text with `ranges` replaced; ranges that touch are one. */
export function maskRanges(text: string, ranges: readonly { from: number; to: number }[]): string {
  const sorted = [...ranges].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
  let masked = '';
  let at = 0;
  for (const { from, to } of sorted) {
    if (to <= at) continue;
    if (from > at || at === 0) masked += text.slice(at, from) + MASK;
    at = to;
  }
  return masked + text.slice(at);
}

/** A message, or any text that is no patch. */
export async function maskText(text: string, scan: SecretScanner, known: readonly string[]): Promise<Masked<string>> {
  const findings = withKnown(await scan(text), text, known);
  return { value: maskRanges(text, findings), counts: countRules(findings) };
}

/** The secrets themselves that a text holds, one per line of those that span several. */
export async function secretsIn(text: string, scan: SecretScanner): Promise<string[]> {
  const findings = await scan(text);
  return findings
    .flatMap(({ from, to }) => text.slice(from, to).split('\n'))
    .map((value) => value.trim())
    .filter(isTelling);
}

/**
 * Lines of a patch with their secrets masked. Each side is read as it stood, so that a key that spans lines is found;
 * a line that stands on both sides is masked by what either tells.
 */
export async function maskLines<Line extends MaskedLine>(
  lines: readonly Line[],
  scan: SecretScanner,
  { everyValue, known }: FileMasking,
): Promise<Masked<Line[]>> {
  const ranges: Finding[][] = lines.map(() => []);
  for (const other of ['added', 'removed'] as const) {
    const indices = [...lines.keys()].filter((index) => lines[index]!.type !== other);
    const text = indices.map((index) => lines[index]!.text).join('\n');
    spread(await scan(text), indices, lines, ranges);
  }
  for (const [index, { text }] of lines.entries()) {
    ranges[index] = withKnown(ranges[index]!, text, known);
    const part = everyValue ? secretPart(text) : null;
    if (part) ranges[index]!.push({ ...part, rule: 'value of a file of secrets' });
  }
  const counts = new Map<string, number>();
  const value = lines.map((line, index) => {
    const own = ranges[index]!;
    if (own.length === 0) return line;
    const rule = own[0]!.rule;
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    return { ...line, text: maskRanges(line.text, own) };
  });
  return { value, counts };
}

/** Hunks with their secrets masked. */
export async function maskHunks(
  hunks: readonly Hunk[],
  scan: SecretScanner,
  masking: FileMasking,
): Promise<Masked<Hunk[]>> {
  const masked = await maskLines(
    hunks.flatMap(({ lines }) => lines),
    scan,
    masking,
  );
  let at = 0;
  const value = hunks.map((hunk) => {
    const lines = masked.value.slice(at, at + hunk.lines.length);
    at += hunk.lines.length;
    return { ...hunk, lines };
  });
  return { value, counts: masked.counts };
}

const TYPE_OF: Record<string, MaskedLine['type']> = { ' ': 'context', '+': 'added', '-': 'removed' };
const MARK_OF = { context: ' ', added: '+', removed: '-' } as const;

/** One file's unified diff with its secrets masked; headers stay, and so does the number of lines. */
export async function maskPatch(patch: string, scan: SecretScanner, masking: FileMasking): Promise<Masked<string>> {
  const texts = patch.split('\n');
  const places: number[] = [];
  const lines: MaskedLine[] = [];
  let [oldLeft, newLeft] = [0, 0];
  for (const [index, text] of texts.entries()) {
    const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (oldLeft <= 0 && newLeft <= 0 && header) {
      oldLeft = Number(header[1] ?? 1);
      newLeft = Number(header[2] ?? 1);
      // The words behind a header are a line of the file, too.
      const end = header[0].length;
      if (text.length > end) {
        const section = await maskLines([{ type: 'context', text: text.slice(end) }], scan, masking);
        texts[index] = header[0] + section.value[0]!.text;
      }
      continue;
    }
    const type = oldLeft > 0 || newLeft > 0 ? TYPE_OF[text[0] ?? ' '] : undefined;
    if (type === undefined) continue;
    if (type !== 'added') oldLeft -= 1;
    if (type !== 'removed') newLeft -= 1;
    places.push(index);
    lines.push({ type, text: text.slice(1) });
  }
  const masked = await maskLines(lines, scan, masking);
  // The id of a file tells whoever guesses its content that the guess is right.
  if (masked.counts.size > 0) {
    for (const [index, text] of texts.entries()) {
      if (text.startsWith('@@ ')) break;
      texts[index] = text.replace(/^index [0-9a-f]+\.\.[0-9a-f]+/, 'index 0000000..0000000');
    }
  }
  for (const [at, { type, text }] of masked.value.entries()) {
    if (masked.value[at] !== lines[at]) texts[places[at]!] = MARK_OF[type] + text;
  }
  return { value: texts.join('\n'), counts: masked.counts };
}

/** Findings of a side's text, laid upon the lines they cover. */
function spread(
  findings: readonly Finding[],
  indices: readonly number[],
  lines: readonly MaskedLine[],
  ranges: Finding[][],
): void {
  const starts: number[] = [];
  let length = 0;
  for (const index of indices) {
    starts.push(length);
    length += lines[index]!.text.length + 1;
  }
  for (const { from, to, rule } of findings) {
    for (let at = lineAt(starts, from); at < starts.length && starts[at]! < to; at += 1) {
      const index = indices[at]!;
      const start = starts[at]!;
      const end = start + lines[index]!.text.length;
      if (from < end) ranges[index]!.push({ from: Math.max(from, start) - start, to: Math.min(to, end) - start, rule });
    }
  }
}

/** The last line that starts at or before `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Every place where a known secret stands. */
function occurrences(text: string, known: readonly string[]): Finding[] {
  const found: Finding[] = [];
  for (const secret of known) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
      found.push({ from: at, to: at + secret.length, rule: 'secret found elsewhere' });
    }
  }
  return found;
}

/** Findings, and the known secrets that none of them covers already. */
function withKnown(findings: Finding[], text: string, known: readonly string[]): Finding[] {
  const more = occurrences(text, known).filter(
    ({ from, to }) => !findings.some((finding) => finding.from <= from && finding.to >= to),
  );
  return [...findings, ...more];
}

function countRules(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}
