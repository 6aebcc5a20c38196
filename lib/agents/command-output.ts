/** Keeps what a command prints, its beginning and its end within a limit, and tells of it in few, cheap updates. */
import { createTerminalText } from './terminal-text';

/** Milliseconds between two updates while output flows; the first one goes out at once. */
const UPDATE_MS = 80;
/** Characters up to which a rewritten line (a progress bar) is told with every update; past it once a second. */
const CHEAP_REWRITE_CHARS = 64 * 1024;
const DEAR_REWRITE_MS = 1_000;
/** Bytes looked at in one piece, so that the beginning never outgrows its share by more than this times three. */
const PIECE_BYTES = 16 * 1024;
/** Share of the limit that belongs to the end of the output: the error stands there. */
const TAIL_SHARE = 1 / 4;
/** Bytes set aside for the note between beginning and end, and for bytes that decode to three. */
const NOTE_BYTES = 4 * PIECE_BYTES;

/** What is new: text to add, or all of it anew. The last update says how many bytes were thrown away, if any were. */
export type OutputUpdate = ({ append: string } | { replace: string }) & { dropped: number };

export interface CommandOutput {
  write(bytes: Uint8Array): void;
  /** Tells what has not been told yet, with the note and the end of output that was cut. */
  finish(): void;
}

/** `limitBytes` bounds what all updates add up to, as UTF-8. `tell` is called synchronously and must not throw. */
export function createCommandOutput(limitBytes: number, tell: (update: OutputUpdate) => void): CommandOutput {
  const tailBytes = Math.floor(limitBytes * TAIL_SHARE);
  const headBytes = Math.max(0, limitBytes - tailBytes - Math.min(NOTE_BYTES, limitBytes / 4));
  const page = createTerminalText();
  const decoder = new TextDecoder();
  let settled = '';
  let headSize = 0;
  let isHeadFull = false;
  let tail: Uint8Array[] = [];
  let tailSize = 0;
  let dropped = 0;
  /** What the listener has: characters of `settled`, and the unfinished line after them as it was then. */
  let toldSettled = 0;
  let toldLine = '';
  let toldAt = Number.NEGATIVE_INFINITY;
  let rewrittenAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;

  function takeHead(bytes: Uint8Array): void {
    const complete = page.write(decoder.decode(bytes, { stream: true }));
    settled += complete;
    headSize += Buffer.byteLength(complete);
    if (headSize + Buffer.byteLength(page.line) >= headBytes) isHeadFull = true;
  }

  function takeTail(bytes: Uint8Array): void {
    tail.push(bytes);
    tailSize += bytes.length;
    while (tail.length > 0 && tailSize - (tail[0] as Uint8Array).length >= tailBytes) {
      const gone = (tail.shift() as Uint8Array).length;
      tailSize -= gone;
      dropped += gone;
    }
  }

  function flush(isLast: boolean): void {
    timer = null;
    const now = performance.now();
    const fresh = settled.slice(toldSettled) + page.line;
    let update: OutputUpdate | null = null;
    if (fresh.startsWith(toldLine)) {
      const append = fresh.slice(toldLine.length);
      if (append !== '') update = { append, dropped: 0 };
    } else if (isLast || settled.length < CHEAP_REWRITE_CHARS || now - rewrittenAt >= DEAR_REWRITE_MS) {
      rewrittenAt = now;
      update = { replace: settled + page.line, dropped: 0 };
    } else {
      schedule(DEAR_REWRITE_MS);
      return;
    }
    toldAt = now;
    if (update === null) return;
    toldSettled = settled.length;
    toldLine = page.line;
    tell(update);
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(() => flush(false), ms);
  }

  /** The end of output that outgrew the beginning's share, cut to its own, with the note before it. */
  function noteAndEnd(bytes: Uint8Array): string {
    const excess = Math.max(0, bytes.length - tailBytes);
    dropped += excess;
    const end = createTerminalText();
    const complete = end.write(new TextDecoder().decode(bytes.subarray(excess)));
    const text = cutStart(complete + end.line, tailBytes);
    // A line that begins before what was kept is not shown in part.
    const whole = text.slice(text.indexOf('\n') + 1);
    return `\n\n… ${sizeInWords(dropped)} of output left out here …\n\n${whole === '' ? text : whole}`;
  }

  return {
    write(bytes) {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        if (isHeadFull) {
          takeTail(bytes.subarray(at));
          break;
        }
        takeHead(bytes.subarray(at, at + PIECE_BYTES));
      }
      schedule(Math.max(0, toldAt + UPDATE_MS - performance.now()));
    },
    finish() {
      if (timer !== null) clearTimeout(timer);
      const rest = Buffer.concat(tail);
      tail = [];
      const isCut = dropped > 0 || rest.length > tailBytes;
      if (!isCut) settled += page.write(decoder.decode(rest));
      flush(true);
      if (isCut) tell({ append: noteAndEnd(rest), dropped });
    },
  };
}

function cutStart(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  return encoded
    .subarray(encoded.length - bytes)
    .toString()
    .replace(/^\ufffd+/, '');
}

function sizeInWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
