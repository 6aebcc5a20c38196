/** "Changed 3 files": what one run, call or stretch between runs did to the files, each with its patch a click away. */
'use client';

import { type ReactNode, useCallback, useState } from 'react';
import { Counts } from '@/components/ui/counts';
import type { ChangedFile, ChangeSummary } from '@/lib/domain/change';
import { changeTitle, comparedWith } from '@/lib/domain/change-words';
import styles from './change-block.module.css';
import { useChangeBodies } from './change-door';
import { ChangedFileRow } from './changed-file-row';
import { CountsBar } from './counts-bar';
import { GapLine } from './gap-line';
import { GitMoves } from './git-moves';
import { keepInPlace } from './keep-in-place';

export interface ChangeBlockProps {
  change: ChangeSummary;
  /** Tells this block from others on the same page, e.g. `run 7`; part of its accessible name. */
  label?: string;
  /** Where it stands: compact under an answer, or with its tools on a page of its own. */
  place?: 'timeline' | 'page';
  /** Further controls in the header, such as Review and Share. */
  actions?: ReactNode;
}

export function ChangeBlock({ change, label, place = 'timeline', actions }: ChangeBlockProps) {
  const bodies = useChangeBodies(change);
  // By path, not by id: a later record of the same run has new ids, and what was open stays open.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const title = changeTitle(change);

  const toggle = useCallback((file: ChangedFile, heading: HTMLElement) => {
    keepInPlace(heading, () =>
      setOpen((before) => {
        const after = new Set(before);
        if (!after.delete(file.path)) after.add(file.path);
        return after;
      }),
    );
  }, []);
  const view = useCallback(() => {}, []);

  const own = change.files.filter(({ origin }) => origin !== 'git');
  return (
    <section
      className={styles.block}
      aria-label={label === undefined ? title : `${title}, ${label}`}
      data-place={place}
      data-change={change.changeId}
    >
      <header className={styles.header}>
        <h3 className={styles.title}>{title}</h3>
        {change.changedCount > 0 && (
          <>
            {' '}
            <Counts additions={change.additions} deletions={change.deletions} />
            <CountsBar additions={change.additions} deletions={change.deletions} />
          </>
        )}
        <span className={styles.space} />
        {actions}
      </header>
      {own.length > 0 && (
        <ul className={styles.files}>
          {own.map((file) => (
            <ChangedFileRow
              key={file.path}
              file={file}
              bodies={bodies}
              comparedWith={comparedWith(change)}
              open={open.has(file.path)}
              viewed="no"
              changedSince={false}
              onToggle={toggle}
              onView={view}
            />
          ))}
        </ul>
      )}
      <GitMoves change={change} bodies={bodies} open={open} onToggle={toggle} onView={view} />
      <GapLine gaps={change.gaps} />
    </section>
  );
}
