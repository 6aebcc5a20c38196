/** What one call did to its files, place by place with three lines around, as it was stored when the call ended. */
'use client';

import { useState } from 'react';
import { plainText } from '@/components/changes/plain-text';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { bytesInWords, counted, MINUS } from '@/lib/domain/change-words';
import type { Json } from '@/lib/domain/conversation';
import { type MetaDiff, type MetaSnippet, readToolMeta } from '@/lib/domain/tool-meta';
import type { DiffStat } from '@/lib/domain/tool-summary';
import styles from './applied-hunks.module.css';
import { shortPath } from './short-path';

/** Lines of all sites that are shown at once (seed 002). */
const SHOWN_LINES = 200;
/** Lines that one press adds. */
const MORE_LINES = 2_000;
const LINE_CHARS = 2_000;

type Line = MetaDiff['hunks'][number]['lines'][number];

export function CallSites({ meta, workspace }: { meta: Json; workspace: string | null }) {
  const { diffs, snippets, stat } = readToolMeta(meta);
  if (diffs.length > 0) return <AppliedHunks diffs={diffs} stat={stat} workspace={workspace} />;
  return snippets.length > 0 ? <Snippets snippets={snippets} workspace={workspace} /> : null;
}

function AppliedHunks({
  diffs,
  stat,
  workspace,
}: {
  diffs: readonly MetaDiff[];
  stat: DiffStat | null;
  workspace: string | null;
}) {
  const [limit, setLimit] = useState(SHOWN_LINES);
  const total = diffs.reduce((sum, { hunks }) => sum + hunks.reduce((lines, hunk) => lines + hunk.lines.length, 0), 0);
  let left = limit;
  const sites = diffs.map((diff) => {
    const budget = left;
    left -= diff.hunks.reduce((lines, hunk) => lines + hunk.lines.length, 0);
    return { diff, budget };
  });
  return (
    <section aria-label="Applied changes" className={styles.sites}>
      {sites.map(({ diff, budget }, at) =>
        budget > 0 || diff.hunks.length === 0 ? (
          <Site
            // biome-ignore lint/suspicious/noArrayIndexKey: stored once, a site is its place
            key={at}
            diff={diff}
            budget={budget}
            isFirst={diffs[at - 1]?.path !== diff.path}
            workspace={workspace}
          />
        ) : null,
      )}
      {total > limit && (
        <p className={styles.rest}>
          … ({counted(total - limit, 'more line')})
          <Button look="ghost" onClick={() => setLimit(limit + MORE_LINES)}>
            Show more
          </Button>
        </p>
      )}
      {stat !== null && stat.omitted > 0 && (
        <p className={styles.rest}>
          {counted(stat.omitted, 'more site')} of this call are not kept here; the change of the run has them.
        </p>
      )}
    </section>
  );
}

function Site({
  diff,
  budget,
  isFirst,
  workspace,
}: {
  diff: MetaDiff;
  budget: number;
  isFirst: boolean;
  workspace: string | null;
}) {
  const words = siteInWords(diff);
  let left = budget;
  return (
    <div className={styles.site}>
      {isFirst && (
        <p className={styles.path}>
          {plainText(shortPath(diff.path, workspace))}
          {words && <span className={styles.words}> · {words}</span>}
        </p>
      )}
      {diff.hunks.map((hunk, at) => {
        const lines = hunk.lines.slice(0, Math.max(0, left));
        left -= hunk.lines.length;
        // biome-ignore lint/suspicious/noArrayIndexKey: stored once, a hunk is its place
        return lines.length === 0 ? null : <HunkLines key={at} hunk={hunk} lines={lines} />;
      })}
    </div>
  );
}

function HunkLines({ hunk, lines }: { hunk: MetaDiff['hunks'][number]; lines: readonly Line[] }) {
  const numbers = lineNumbers(hunk, lines);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard
    <div className={styles.hunk} tabIndex={0}>
      <div className={styles.at}>
        @@ {MINUS}
        {hunk.old_start},{hunk.old_lines} +{hunk.new_start},{hunk.new_lines} @@
      </div>
      <table className={styles.lines}>
        <tbody>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: stored once, a line is its place
            <tr key={at} className={styles[line.type]}>
              <td className={styles.number}>{numbers[at]}</td>
              <td className={styles.text}>{plainText(cut(line.text))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the agent announced before it did it; shown where nothing better was seen. */
function Snippets({ snippets, workspace }: { snippets: readonly MetaSnippet[]; workspace: string | null }) {
  return (
    <section aria-label="Announced changes" className={styles.sites}>
      {snippets.map(({ path, old_text: oldText, new_text: newText, cut: isCut }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: snippets are replaced as a whole
        <div key={at} className={styles.site}>
          <p className={styles.path}>
            {plainText(shortPath(path, workspace))}
            <span className={styles.words}> · as announced{isCut ? ', cut' : ''}</span>
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard */}
          <div className={styles.hunk} tabIndex={0}>
            <table className={styles.lines}>
              <tbody>
                <SnippetLines text={oldText ?? ''} type="removed" />
                <SnippetLines text={newText} type="added" />
              </tbody>
            </table>
          </div>
        </div>
      ))}
    </section>
  );
}

function SnippetLines({ text, type }: { text: string; type: 'added' | 'removed' }) {
  if (text === '') return null;
  const lines = text.replace(/\n$/, '').split('\n');
  const rest = lines.length - SHOWN_LINES / 2;
  return (
    <>
      {lines.slice(0, SHOWN_LINES / 2).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <tr key={at} className={styles[type]}>
          <td className={styles.text}>{plainText(cut(line))}</td>
        </tr>
      ))}
      {rest > 0 && (
        <tr className={styles.context}>
          <td className={classNames(styles.text, styles.words)}>… ({counted(rest, 'more line')})</td>
        </tr>
      )}
    </>
  );
}

/** A binary file says so and never looks like a creation. */
function siteInWords(diff: MetaDiff): string | null {
  const { kind, size_before: before, size_after: after } = diff;
  const sizes = before !== null && after !== null ? `, ${bytesInWords(before)} → ${bytesInWords(after)}` : '';
  switch (kind) {
    case 'created':
      return 'created';
    case 'deleted':
      return 'deleted';
    case 'unchanged':
      return 'written again, nothing changed';
    case 'binary':
      return `binary file written${sizes}`;
    case 'oversized':
      return `too large to compare${sizes}`;
    case 'symlink':
      return 'symbolic link changed';
    case 'unknown':
      return 'could not be read';
    default:
      return diff.coarse ? 'replaced as a whole: the comparison took too long' : null;
  }
}

/** The number by which each line is known now; a removed line by the number it had. */
function lineNumbers(hunk: MetaDiff['hunks'][number], lines: readonly Line[]): number[] {
  let before = hunk.old_start;
  let after = hunk.new_start;
  return lines.map(({ type }) => {
    if (type === 'removed') return before++;
    if (type === 'context') before += 1;
    return after++;
  });
}

function cut(text: string): string {
  return text.length > LINE_CHARS
    ? `${text.slice(0, LINE_CHARS)}… (${text.length - LINE_CHARS} more characters)`
    : text;
}
