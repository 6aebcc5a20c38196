/** What a person sees: text for a terminal, with colour only where one is, and nothing that could drive the terminal. */
import { writeSync } from 'node:fs';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const CODES: Record<Style, [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Whether text for this stream may be coloured: a terminal, not a dumb one, and nobody said `NO_COLOR`. */
export function mayColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** A painter: wraps text in a style where colour is wanted, else returns it as it is. */
export type Paint = (style: Style, text: string) => string;

export function painter(colour: boolean): Paint {
  return (style, text) => {
    if (!colour || text === '') return text;
    const [on, off] = CODES[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

/** Control characters but tab and line feed, and the marks that reverse the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const DRIVES_A_TERMINAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Foreign text made harmless for a terminal: what could move the cursor or reverse text is written as `\u{1b}`. */
export function harmless(text: string): string {
  return text.replace(DRIVES_A_TERMINAL, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** Foreign text for one line of a terminal, at most `max` characters. */
export function oneLine(text: string, max = 200): string {
  const flat = harmless(text.replace(/\s+/g, ' ').trim());
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat;
}

/** The two ways out of a command. */
export interface Screen {
  /** Standard output: what the command was asked for. */
  out(text: string): void;
  /** Standard error: what is said about it. */
  note(text: string): void;
  paintOut: Paint;
  paintNote: Paint;
  /** Standard output is a terminal. */
  outIsTerminal: boolean;
  /** A question can be asked and answered. */
  canAsk: boolean;
}

export function processScreen(): Screen {
  return {
    out: (text) => write(1, `${text}\n`),
    note: (text) => write(2, `${text}\n`),
    paintOut: painter(mayColour(process.stdout, process.env)),
    paintNote: painter(mayColour(process.stderr, process.env)),
    outIsTerminal: process.stdout.isTTY === true,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
  };
}

/** Writes all of it before it returns, so that nothing is lost when the process ends; a reader that left is no failure. */
function write(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(fd, bytes, from);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EPIPE') return;
      // A pipe that is full for the moment: wait for its reader.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
