/** What a tool said: quiet and slanted, its diff lines in colour, cut after 200 lines with the count of the rest. */
'use client';

import { Fragment, useMemo, useState } from 'react';
import { plainText } from '@/components/changes/plain-text';
import { Button } from '@/components/ui/button';
import { counted } from '@/lib/domain/change-words';
import { DiffLines } from './diff-lines-view';
import styles from './tool-output.module.css';
import { SHOWN_LINES, toolText } from './tool-text';

/** Lines that one press shows; more would freeze the page. */
const MORE_LINES = 5_000;

export function ToolOutput({ text, label, tail = false }: { text: string; label: string; tail?: boolean }) {
  const [limit, setLimit] = useState(SHOWN_LINES);
  // While a command runs its newest lines matter; once it ended it reads from the top.
  const shown = useMemo(() => (tail ? lastLines(text, SHOWN_LINES) : toolText(text, limit)), [text, limit, tail]);
  if (text.trim() === '') return null;
  const { hidden } = shown;
  return (
    <section aria-label={label}>
      {tail && hidden > 0 && <p className={styles.rest}>… {counted(hidden, 'line')} above</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre className={styles.output} tabIndex={0}>
        {shown.parts.map(({ kind, lines }, at) =>
          kind === 'diff' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            <DiffLines key={at} lines={lines} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            <span key={at} className={styles.quiet}>
              {lines.map((line, number) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                <Fragment key={number}>
                  {plainText(line)}
                  {'\n'}
                </Fragment>
              ))}
            </span>
          ),
        )}
      </pre>
      {!tail && hidden > 0 && (
        <p className={styles.rest}>
          … ({counted(hidden, 'more line')})
          <Button look="ghost" onClick={() => setLimit(limit + MORE_LINES)}>
            {hidden > MORE_LINES ? `Show ${MORE_LINES} more` : 'Show all'}
          </Button>
        </p>
      )}
    </section>
  );
}

function lastLines(text: string, count: number) {
  const lines = text.replace(/\n$/, '').split('\n');
  const rest = lines.slice(-count).join('\n');
  return { ...toolText(rest, count), hidden: Math.max(0, lines.length - count) };
}
