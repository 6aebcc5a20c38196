/** Turns what a program writes for a terminal into plain text, piece by piece: no escapes, progress lines as they ended. */
import { stripVTControlCharacters } from 'node:util';

/** Characters held back at most while an escape sequence is not complete. */
const MAX_HELD_CHARS = 4_096;
/** A sequence that may go on in the next piece: a bare escape, an unfinished CSI, or an unfinished string (OSC, DCS). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this looks for
const UNFINISHED = /(?:\u001b(?:[[0-9;?<=>!]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?)|\u009b[0-9;?]*)$/;
/** Strings for the terminal itself: titles, links, device control. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this looks for
const STRINGS = /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
/** "Go to column one", which progress bars use like a carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this looks for
const TO_COLUMN_ONE = /\u001b\[[01]?G/g;
/** Control characters that mean nothing in plain text; tab, line feed, return and backspace stay for now. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export interface TerminalText {
  /** Takes the next piece; returns the lines that are now complete, each with its line feed. */
  write(piece: string): string;
  /** The line that is still being written, as it stands now. */
  readonly line: string;
}

/** A fresh page. A carriage return starts its line anew: only what was written last remains of `10%\r20%\n`. */
export function createTerminalText(): TerminalText {
  let held = '';
  let line = '';
  let returned = false;
  return {
    get line() {
      return line;
    },
    write(piece) {
      let text = held + piece;
      const unfinished = UNFINISHED.exec(text.slice(-MAX_HELD_CHARS));
      held = unfinished && unfinished[0].length < MAX_HELD_CHARS ? unfinished[0] : '';
      text = plain(held === '' ? text : text.slice(0, -held.length));
      let complete = '';
      const parts = text.split('\n');
      for (const [index, part] of parts.entries()) {
        for (const [segment, content] of part.split('\r').entries()) {
          if (segment > 0) returned = true;
          if (content === '') continue;
          line = returned ? content : line + content;
          returned = false;
        }
        if (index === parts.length - 1) break;
        complete += `${line}\n`;
        line = '';
        returned = false;
      }
      return complete;
    },
  };
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the common case has none of them and is done
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return text;
  const out = stripVTControlCharacters(text.replace(STRINGS, '').replace(TO_COLUMN_ONE, '\r')).replace(CONTROLS, '');
  return out.includes('\b') ? erased(out) : out;
}

/** A backspace takes away the character before it on its line, as `man` prints bold. */
function erased(text: string): string {
  const kept: string[] = [];
  for (const char of text) {
    if (char !== '\b') kept.push(char);
    else if (kept.length > 0 && !/[\r\n]/.test(kept[kept.length - 1] as string)) kept.pop();
  }
  return kept.join('');
}
