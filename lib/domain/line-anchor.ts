/** The part of a link behind `#` that names a file of a change and lines in it: `#f-1a2b3c4d-R120-R130`. */

export interface LineAnchor {
  /** Eight hex digits that stand for the path. */
  file: string;
  /** The side whose numbers are meant, and the lines; null where only the file is named. */
  lines: { side: 'L' | 'R'; from: number; to: number } | null;
}

/** Eight hex digits of a path (FNV-1a over its UTF-8 bytes): the same on every page that shows it. */
export function fileAnchor(path: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(path)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** `#f-1a2b3c4d`, `#f-1a2b3c4d-L12`, `#f-1a2b3c4d-R120-R130`. */
export function formatAnchor(path: string, lines: LineAnchor['lines'] = null): string {
  const file = `#f-${fileAnchor(path)}`;
  if (lines === null) return file;
  const { side, from, to } = lines;
  return from === to ? `${file}-${side}${from}` : `${file}-${side}${from}-${side}${to}`;
}

/** What a location's hash names, or null where it is none of ours. */
export function parseAnchor(hash: string): LineAnchor | null {
  const match = /^#f-([0-9a-f]{8})(?:-([LR])([1-9]\d{0,8})(?:-([LR])([1-9]\d{0,8}))?)?$/.exec(hash);
  if (!match) return null;
  const [, file, side, first, otherSide, second] = match;
  if (side === undefined) return { file: file!, lines: null };
  if (otherSide !== undefined && otherSide !== side) return null;
  const numbers = [Number(first), Number(second ?? first)];
  return {
    file: file!,
    lines: { side: side as 'L' | 'R', from: Math.min(...numbers), to: Math.max(...numbers) },
  };
}
