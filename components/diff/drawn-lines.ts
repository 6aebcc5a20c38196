/** What a line shows of its text: cut where it is very long, with characters that hide or reorder text set apart. */
import { ODD_CHARACTERS } from '@/components/changes/odd-characters';

/** Characters of a line that are drawn; the rest is a button away, since one endless line freezes a page. */
export const LINE_CHARACTERS = 2000;

/**
 * A piece of a drawn line. `kind` is empty for plain text, a colour (`k`, `s`, `n`, `c`, `t`), `odd` for one
 * character set apart, or `more` for the button behind a cut line, whose text is the number of characters left out.
 */
export interface Piece {
  text: string;
  kind: string;
  /** Part of what differs from the line it replaces, or is replaced by. */
  edit: boolean;
}

const SPLIT_ODD = new RegExp(`(${ODD_CHARACTERS.source})`);

/** The text as it is drawn where nothing is known of its colours. */
export function drawnText(text: string): string {
  return text.length > LINE_CHARACTERS ? text.slice(0, LINE_CHARACTERS) : text;
}

/** The pieces of a line that plain text cannot show, or null where plain text is enough. */
export function oddPieces(text: string): Piece[] | null {
  if (text.length <= LINE_CHARACTERS && !ODD_CHARACTERS.test(text)) return null;
  return withRest(splitOdd([{ text: drawnText(text), kind: '', edit: false }]), text);
}

/** Pieces in which every odd character stands alone. */
export function splitOdd(pieces: Piece[]): Piece[] {
  return pieces.flatMap((piece) =>
    ODD_CHARACTERS.test(piece.text)
      ? piece.text
          .split(SPLIT_ODD)
          .map((text, index) => (index % 2 === 0 ? { ...piece, text } : { ...piece, text, kind: 'odd' }))
          .filter(({ text }) => text !== '')
      : [piece],
  );
}

function withRest(pieces: Piece[], text: string): Piece[] {
  if (text.length <= LINE_CHARACTERS) return pieces;
  return [...pieces, { text: String(text.length - LINE_CHARACTERS), kind: 'more', edit: false }];
}

/** Coloured pieces of the drawn part of a line, completed by what plain text cannot show. */
export function completePieces(pieces: Piece[], text: string): Piece[] {
  return withRest(splitOdd(pieces), text);
}

/** Anything but printable ASCII. */
const NOT_PLAIN = /[^\x20-\x7e]/;

/** Columns that a line takes up; wide characters take two, tabs lead to the next multiple of four. */
export function columnsOf(text: string): number {
  if (!NOT_PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (character === '\t') columns += 4 - (columns % 4);
    else columns += character.codePointAt(0)! > 0x10ff ? 2 : 1;
  }
  return columns;
}
