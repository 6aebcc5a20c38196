/** Cuts Markdown between its top-level blocks, so that a growing answer is parsed anew only at its end. */

/** Beginnings of lines that may belong to the block before them although a blank line stands between. */
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\||<)/;
/** Definitions that are used elsewhere in the text: a cut would lose them. */
const DEFINES = /^ {0,3}\[[^\]\n]+\]:/m;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The blocks of `text`, in order; joined they are `text`. What cannot be cut safely stays one block. */
export function markdownBlocks(text: string): string[] {
  if (DEFINES.test(text)) return [text];
  const blocks: string[] = [];
  let block = '';
  let fence: string | null = null;
  let isAfterBlank = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const isBlank = line.trim() === '';
    if (fence === null && isAfterBlank && !isBlank && !CONTINUES.test(line)) {
      blocks.push(block);
      block = '';
    }
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark !== undefined) {
      fence = mark;
    }
    block += line;
    isAfterBlank = isBlank;
  }
  if (block !== '') blocks.push(block);
  return blocks;
}
