/** Cuts a unified patch to a number of bytes so that what remains is still a patch. */

export interface BoundedPatch {
  patch: string;
  /** Bytes of `patch` in UTF-8. */
  bytes: number;
  truncated: boolean;
}

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;
const encoder = new TextEncoder();
const byteLength = (text: string) => encoder.encode(text).length;

/**
 * Keeps the first hunks that fit into `maxBytes`. When not even the first one does, it is cut at a line end and its
 * header rewritten to what remains. `complete` is false when `text` is itself only the beginning of a patch, cut anywhere.
 * Returns a null patch when nothing of use fits.
 */
export function boundPatch(text: string, maxBytes: number, complete = true): BoundedPatch | null {
  const bytes = byteLength(text);
  if (complete && bytes <= maxBytes) return { patch: text, bytes, truncated: false };
  const lines = text.split('\n');
  // What follows the last line end is empty, or a line that was cut.
  lines.pop();
  const kept: string[] = [];
  let used = 0;
  let at = 0;
  let hunks = 0;
  while (at < lines.length) {
    const header = HUNK_HEADER.exec(lines[at] as string);
    if (!header) {
      const size = byteLength(lines[at] as string) + 1;
      if (used + size > maxBytes) break;
      kept.push(lines[at] as string);
      used += size;
      at += 1;
      continue;
    }
    const hunk = readHunk(lines, at, header);
    const size = hunk.lines.reduce((sum, line) => sum + byteLength(line) + 1, 0);
    if (hunk.whole && used + size <= maxBytes) {
      kept.push(...hunk.lines);
      used += size;
      hunks += 1;
      at += hunk.lines.length;
      continue;
    }
    if (hunks === 0) {
      const part = cutHunk(hunk.lines, header, maxBytes - used);
      if (part) {
        kept.push(...part);
        hunks += 1;
      }
    }
    break;
  }
  if (kept.length === 0) return null;
  const patch = `${kept.join('\n')}\n`;
  return { patch, bytes: byteLength(patch), truncated: true };
}

/** The lines of the hunk at `at`, its header first, and whether all that its header announces is there. */
function readHunk(lines: string[], at: number, header: RegExpExecArray): { lines: string[]; whole: boolean } {
  let oldLeft = Number(header[2] ?? 1);
  let newLeft = Number(header[4] ?? 1);
  let end = at + 1;
  while (end < lines.length && (oldLeft > 0 || newLeft > 0)) {
    const kind = (lines[end] as string)[0];
    if (kind !== '\\') {
      if (kind !== '+') oldLeft -= 1;
      if (kind !== '-') newLeft -= 1;
    }
    end += 1;
  }
  if (end < lines.length && lines[end]?.startsWith('\\')) end += 1;
  return { lines: lines.slice(at, end), whole: oldLeft <= 0 && newLeft <= 0 };
}

/** The beginning of a hunk under a header that announces just that, or null when no line fits. */
function cutHunk(lines: string[], header: RegExpExecArray, maxBytes: number): string[] | null {
  // The header never grows: fewer lines need no more digits.
  let used = byteLength(lines[0] as string) + 1 + 2;
  const kept: string[] = [];
  let oldLines = 0;
  let newLines = 0;
  for (const line of lines.slice(1)) {
    used += byteLength(line) + 1;
    if (used > maxBytes) break;
    kept.push(line);
    if (line.startsWith('\\')) continue;
    if (!line.startsWith('+')) oldLines += 1;
    if (!line.startsWith('-')) newLines += 1;
  }
  if (kept.length === 0) return null;
  // A side of which no line is left starts one before its first.
  const oldStart = oldLines === 0 && header[2] !== '0' ? Math.max(0, Number(header[1]) - 1) : Number(header[1]);
  const newStart = newLines === 0 && header[4] !== '0' ? Math.max(0, Number(header[3]) - 1) : Number(header[3]);
  return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@${header[5]}`, ...kept];
}
