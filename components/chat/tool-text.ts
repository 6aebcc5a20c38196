/** The parts of a tool's text that look different: prose, fences of code, fences of a diff; cut at a number of lines. */

/** Lines of a tool's text that are shown at once (seed 002). */
export const SHOWN_LINES = 200;
/** Characters of one line that are shown. */
const LINE_CHARS = 2_000;

export interface TextPart {
  kind: 'prose' | 'code' | 'diff';
  lines: string[];
}

export interface ToolText {
  parts: TextPart[];
  /** Lines that are not shown. */
  hidden: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,}) *([^\s`]*)[^`]*$/;

/** `limit` counts lines of text; the marks of a fence are none. A whole text that is a diff is one without fences. */
export function toolText(text: string, limit: number): ToolText {
  const lines = text.replace(/\n$/, '').split('\n');
  const parts: TextPart[] = [];
  let fence: { mark: string; kind: 'code' | 'diff' } | null = null;
  let shown = 0;
  let hidden = 0;
  const bare = isBareDiff(lines);
  for (const line of lines) {
    const match = FENCE.exec(line);
    const mark = match?.[1];
    if (fence !== null && mark?.startsWith(fence.mark) && match?.[2] === '') {
      fence = null;
      continue;
    }
    if (fence === null && mark !== undefined) {
      fence = { mark, kind: match?.[2]?.toLowerCase() === 'diff' ? 'diff' : 'code' };
      continue;
    }
    if (shown >= limit) {
      hidden += 1;
      continue;
    }
    shown += 1;
    const kind = fence?.kind ?? (bare ? 'diff' : 'prose');
    const last = parts.at(-1);
    const cut =
      line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}… (${line.length - LINE_CHARS} more characters)` : line;
    if (last?.kind === kind) last.lines.push(cut);
    else parts.push({ kind, lines: [cut] });
  }
  return { parts, hidden };
}

/** Output of `git diff` and the like stands without a fence. */
function isBareDiff(lines: string[]): boolean {
  const head = lines.slice(0, 40);
  return (
    head.some((line) => /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line)) &&
    head.some((line) => /^(?:diff --git |--- |Index: )/.test(line))
  );
}
