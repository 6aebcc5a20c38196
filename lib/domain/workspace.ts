/** Where an agent works, and how paths inside it are written. */

export type WorkspaceKind = 'git' | 'filesystem' | 'unknown';

/** Names that cannot be written as they are: control characters, a leading quote, bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const NEEDS_QUOTING = /[\u0000-\u001f\u007f]|^"|\ufffd/;

const ESCAPES: Record<number, string> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** A path as the record writes it, and whether it had to be quoted. */
export interface WrittenPath {
  path: string;
  quoted: boolean;
}

/**
 * Writes a path of any bytes as text: as it is where that loses nothing, else C-quoted as git writes it
 * (`"a\tb"`, octal for other bytes; with `core.quotePath=false`, so valid UTF-8 stays readable).
 */
export function writePath(bytes: Uint8Array): WrittenPath {
  const decoded = decodeUtf8(bytes);
  if (decoded !== null && !NEEDS_QUOTING.test(decoded)) return { path: decoded, quoted: false };
  let text = '"';
  const keepHigh = decoded !== null;
  const pending: number[] = [];
  const flush = () => {
    if (pending.length > 0) text += new TextDecoder().decode(new Uint8Array(pending.splice(0)));
  };
  for (const byte of bytes) {
    const named = ESCAPES[byte];
    const plain = named === undefined && byte >= 0x20 && byte !== 0x7f && (byte < 0x80 || keepHigh);
    if (plain) {
      pending.push(byte);
      continue;
    }
    flush();
    text += named ?? `\\${byte.toString(8).padStart(3, '0')}`;
  }
  flush();
  return { path: `${text}"`, quoted: true };
}

/** The bytes of a path that `writePath` wrote. Throws where a quoted path is malformed. */
export function readPath({ path, quoted }: WrittenPath): Uint8Array {
  const encoder = new TextEncoder();
  if (!quoted) return encoder.encode(path);
  if (path.length < 2 || !path.startsWith('"') || !path.endsWith('"')) throw new Error('Malformed quoted path');
  const body = path.slice(1, -1);
  const bytes: number[] = [];
  for (let at = 0; at < body.length; ) {
    const code = body.codePointAt(at) as number;
    if (code !== 92) {
      const char = String.fromCodePoint(code);
      bytes.push(...encoder.encode(char));
      at += char.length;
      continue;
    }
    const octal = /^[0-7]{3}/.exec(body.slice(at + 1));
    if (octal) {
      bytes.push(Number.parseInt(octal[0], 8));
      at += 4;
      continue;
    }
    const named = Object.entries(ESCAPES).find(([, written]) => written === body.slice(at, at + 2));
    if (!named) throw new Error('Malformed quoted path');
    bytes.push(Number(named[0]));
    at += 2;
  }
  return new Uint8Array(bytes);
}

/** Orders paths code unit by code unit, the one order of every list (CONTRACT, "Changes"). */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * A path for eyes only: the home folder is shortened to `~`; everything else stays.
 * `home` is the real path of the user's home folder.
 */
export function displayPath(path: string, home: string): string {
  if (home === '' || home === '/') return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
