/** Pairs files that went with files that came: first those of equal content, then those that share most of their lines. */

export interface Gone<Id> {
  id: Id;
  content: string;
}

/** Lines that two files must share, of all lines of the longer one, to be one file that moved; git's default. */
const SIMILAR = 0.5;
/** Pairs that are compared line by line; past it only files of equal content are paired. */
const MAX_PAIRS = 40_000;

/**
 * Which of `gone` each of `came` was, best matches first. `limited` tells that there were too many to compare.
 * Empty files are nobody's rename.
 */
export function pairRenames<Id>(
  gone: readonly Gone<Id>[],
  came: readonly Gone<Id>[],
): { pairs: Map<Id, Id>; limited: boolean } {
  const pairs = new Map<Id, Id>();
  const used = new Set<Id>();
  const pair = (to: Id, from: Id) => {
    pairs.set(to, from);
    used.add(from);
  };
  const byContent = new Map<string, Id[]>();
  for (const { id, content } of gone) {
    if (content !== '') byContent.set(content, [...(byContent.get(content) ?? []), id]);
  }
  for (const { id, content } of came) {
    const from = byContent.get(content)?.find((one) => !used.has(one));
    if (from !== undefined) pair(id, from);
  }
  const left = gone.filter(({ id, content }) => !used.has(id) && content !== '');
  const open = came.filter(({ id, content }) => !pairs.has(id) && content !== '');
  if (left.length * open.length > MAX_PAIRS) return { pairs, limited: true };
  const counted = new Map([...left, ...open].map((file) => [file.id, countLines(file.content)]));
  const matches: { from: Id; to: Id; score: number }[] = [];
  for (const from of left) {
    for (const to of open) {
      const score = similarity(counted.get(from.id) as Map<string, number>, counted.get(to.id) as Map<string, number>);
      if (score >= SIMILAR) matches.push({ from: from.id, to: to.id, score });
    }
  }
  for (const { from, to } of matches.sort((a, b) => b.score - a.score)) {
    if (!used.has(from) && !pairs.has(to)) pair(to, from);
  }
  return { pairs, limited: false };
}

function countLines(content: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const line of content.split('\n')) lines.set(line, (lines.get(line) ?? 0) + 1);
  return lines;
}

/** Shared characters of two files, line by line, against the larger one. */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let [sizeA, sizeB] = [0, 0];
  for (const [line, count] of a) {
    sizeA += (line.length + 1) * count;
    shared += (line.length + 1) * Math.min(count, b.get(line) ?? 0);
  }
  for (const [line, count] of b) sizeB += (line.length + 1) * count;
  return shared / Math.max(sizeA, sizeB, 1);
}
