/** The lines of a patch as unified text again: what is copied, and what the plain view shows. */
import { ADDED, type LineRange, type PatchLines, REMOVED } from './patch-lines';

/** `@@ -12,5 +12,7 @@ name`. */
function header(lines: PatchLines, { from, to, section }: LineRange): string {
  let [old, young, oldCount, newCount] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const [oldNumber, newNumber] = [lines.oldNumbers[at]!, lines.newNumbers[at]!];
    if (oldNumber > 0 && oldCount++ === 0) old = oldNumber;
    if (newNumber > 0 && newCount++ === 0) young = newNumber;
  }
  // As git writes a side without lines: the line before it.
  if (oldCount === 0) old = Math.max(0, young - 1);
  if (newCount === 0) young = Math.max(0, old - 1);
  const side = (start: number, count: number) => (count === 1 ? `${start}` : `${start},${count}`);
  return `@@ -${side(old, oldCount)} +${side(young, newCount)} @@${section ? ` ${section}` : ''}`;
}

/** Every hunk with its header and marks. */
export function patchText(lines: PatchLines): string {
  const { texts, types, hunks, crlf } = lines;
  const end = crlf ? '\r\n' : '\n';
  let text = '';
  for (const hunk of hunks) {
    text += `${header(lines, hunk)}\n`;
    for (let at = hunk.from; at < hunk.to; at += 1) {
      const mark = types[at] === ADDED ? '+' : types[at] === REMOVED ? '-' : ' ';
      text += `${mark}${texts[at]}${end}`;
    }
  }
  return text;
}

/** The lines of one side within the hunks, without marks. */
export function sideText({ texts, types, hunks }: PatchLines, side: 'old' | 'new'): string {
  const other = side === 'old' ? ADDED : REMOVED;
  const kept: string[] = [];
  for (const { from, to } of hunks) {
    for (let at = from; at < to; at += 1) if (types[at] !== other) kept.push(texts[at]!);
  }
  return kept.join('\n');
}
