/** Files of a given number of changed lines: code as people write it, changed here and there. */

/** A small generator of numbers that are the same on every computer. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const LINES = [
  (n) => `export function step${n}(input: Input, options: Options = {}): Result<Item[]> {`,
  (n) => `  const { first, second = ${n % 17} } = input.values['key-${n}'] ?? DEFAULTS;`,
  (n) => `  if (first.length > ${n} && second !== null) return failure('too many: ' + first.length);`,
  (n) => `  // The order matters here: see the note above (${n}).`,
  (n) => `  for (const item of first) results.push(convert(item, { depth: ${n % 5}, strict: true }));`,
  () => `  return success(results);`,
  () => `}`,
  () => ``,
];

/** Both sides of a file of which about `changed` lines differ (added and removed together). */
export function twoSides(changed) {
  const pick = numbers(changed);
  const before = [];
  const after = [];
  let left = changed;
  for (let n = 0; left > 0; n += 1) {
    // Some unchanged lines, then a block of changes.
    for (let k = 3 + pick(9); k > 0; k -= 1) {
      const line = LINES[(before.length + k) % LINES.length](before.length);
      before.push(line);
      after.push(line);
    }
    const removed = Math.min(left, pick(10));
    for (let k = 0; k < removed; k += 1) before.push(LINES[(n + k) % 5](100_000 + before.length));
    left -= removed;
    const added = Math.min(left, pick(10));
    for (let k = 0; k < added; k += 1) {
      // Most are an edit of the line they replace, some are new.
      const twin = k < removed && pick(3) > 0 ? before[before.length - removed + k] : null;
      after.push(
        twin
          ? `${twin.replace('const', 'let').replace('input', 'request')};`
          : LINES[(n + k + 2) % 5](200_000 + after.length),
      );
    }
    left -= added;
  }
  return { before: `${before.join('\n')}\n`, after: `${after.join('\n')}\n` };
}
