/** Compares two trees by git in one go: renames paired, lines counted, patches made. */
import type { RawPath } from '../raw-path';
import { type CountedDifference, sidesOf } from './diff-trees';
import type { Git } from './git-command';
import { patchCutter, type RowPatch } from './patches';
import type { PrivateGitDir } from './private-git-dir';

/** The options that every counting comparison shares, so that rows, patches and comparisons agree (DESIGN §3 rule 3). */
const RENAME_OPTIONS = ['-M', '-l4000', '--no-rename-empty'];
const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv', '--no-color'];

/** Arguments of every patch we make: the engine of the rows, whatever a configuration says. */
export const PATCH_OPTIONS = ['diff-tree', '-r', '-p', ...NO_PROGRAMS, ...RENAME_OPTIONS];

export interface CountedDifferences {
  rows: CountedDifference[];
  /** Similar files were too many to be paired; renames of equal content are found all the same. */
  renamesLimited: boolean;
}

/**
 * Counts the lines of every difference and pairs renames. With `patches` each row's patch is handed on too, after all
 * rows are known and in their order, at most `maxBytes` of each.
 */
export async function countDifferences(
  git: Git,
  store: PrivateGitDir,
  before: string,
  after: string,
  options: {
    renames?: boolean;
    patches?: { maxBytes: number; take(patch: RowPatch): void } | null;
    alternates?: readonly string[];
    signal?: AbortSignal | undefined;
  } = {},
): Promise<CountedDifferences> {
  const listing = rowListing();
  const { patches } = options;
  let rest = '';
  let cutter: ReturnType<typeof patchCutter> | null = null;
  const answer = await git.run({
    gitDir: store.dir,
    args: [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--numstat',
      ...(patches ? ['-p'] : []),
      ...NO_PROGRAMS,
      ...(options.renames === false ? ['--no-renames'] : RENAME_OPTIONS),
      before,
      after,
    ],
    onOutput: (chunk) => {
      if (cutter !== null) {
        cutter.feed(chunk);
        return undefined;
      }
      const text = rest + chunk.toString('latin1');
      let at = 0;
      for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0', at)) {
        const record = text.slice(at, end);
        at = end + 1;
        // An empty record stands between the listing and the patches.
        if (record === '' && patches) {
          cutter = patchCutter(listing.rows, patches.maxBytes, patches.take);
          cutter.feed(Buffer.from(text.slice(at), 'latin1'));
          return undefined;
        }
        listing.add(record);
      }
      rest = text.slice(at);
      return undefined;
    },
    ...(options.alternates ? { alternates: options.alternates } : {}),
    signal: options.signal,
  });
  (cutter as ReturnType<typeof patchCutter> | null)?.end();
  return { rows: listing.rows, renamesLimited: answer.stderr.includes('rename detection was skipped') };
}

/** Reads `--raw --numstat -z`: first every entry, then the counts of every entry. */
function rowListing(): { rows: CountedDifference[]; add(record: string): void } {
  const rows: CountedDifference[] = [];
  const byPath = new Map<string, CountedDifference>();
  /** What the next records belong to: a raw header, or the counts of a renamed file. */
  let header: string | null = null;
  let counts: string | null = null;
  let oldPath: string | null = null;

  const count = (path: string, words: string) => {
    const row = byPath.get(path);
    if (!row) throw new Error('git counted a path that it did not list');
    const [added, removed] = words.split('\t') as [string, string];
    row.binary = added === '-';
    row.additions = row.binary ? 0 : Number(added);
    row.deletions = row.binary ? 0 : Number(removed);
  };
  return {
    rows,
    add(record) {
      if (header !== null) {
        if (/ [RC]\d*$/.test(header) && oldPath === null) {
          oldPath = record;
          return;
        }
        const from = oldPath as RawPath | null;
        const sides = sidesOf(header);
        const row = { path: record as RawPath, ...sides, oldPath: from, additions: 0, deletions: 0, binary: false };
        rows.push(row);
        byPath.set(record, row);
        header = null;
        oldPath = null;
      } else if (counts !== null) {
        if (oldPath === null) {
          oldPath = record;
          return;
        }
        count(record, counts);
        counts = null;
        oldPath = null;
      } else if (record.startsWith(':')) {
        header = record;
      } else {
        const name = record.indexOf('\t', record.indexOf('\t') + 1) + 1;
        if (name === record.length) counts = record;
        else count(record.slice(name), record);
      }
    },
  };
}
