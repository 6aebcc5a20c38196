/** "Changed so far": the quiet form of a change block while its run goes on; names and counts, no patches yet. */
'use client';

import { useId, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Counts } from '@/components/ui/counts';
import { Spinner } from '@/components/ui/spinner';
import { Twisty } from '@/components/ui/twisty';
import { counted, hasCounts, KIND_LETTER, rowName, rowNotes } from '@/lib/domain/change-words';
import type { ChangeProgress } from '@/lib/domain/events';
import block from './change-block.module.css';
import styles from './change-progress-block.module.css';
import row from './changed-file-row.module.css';
import { FilePath } from './file-path';

/** Rows listed while the run goes on; the rest is counted. */
const LISTED = 100;

export function ChangeProgressBlock({ progress, label }: { progress: ChangeProgress; label?: string }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const title = `Changed so far: ${counted(progress.changedCount, 'file')}`;
  const files = progress.files.filter(({ origin }) => origin !== 'git');
  const moved = progress.files.length - files.length;
  return (
    <section
      className={classNames(block.block, block.quiet)}
      aria-label={label === undefined ? title : `${title}, ${label}`}
    >
      <header className={block.header}>
        <Spinner />
        <h3 className={block.title}>
          {files.length === 0 ? (
            title
          ) : (
            <button
              type="button"
              className={styles.button}
              aria-expanded={open}
              aria-controls={open ? id : undefined}
              onClick={() => setOpen(!open)}
            >
              {title} <Twisty />
            </button>
          )}
        </h3>{' '}
        <Counts additions={progress.additions} deletions={progress.deletions} />
        <span className={block.space} />
        {moved > 0 && <span className={styles.moved}>{counted(moved, 'file')} came with git</span>}
      </header>
      {open && (
        <ul id={id} className={block.files}>
          {files.slice(0, LISTED).map((file) => (
            <li key={file.path} className={row.file}>
              <div className={classNames(row.row, styles.still)}>
                <span className="sr">{rowName(file)}</span>
                <span aria-hidden="true" className={classNames(row.kind, row[file.changeType])}>
                  {KIND_LETTER[file.changeType]}
                </span>
                <span aria-hidden="true" className={row.where}>
                  <FilePath file={file} />
                </span>
                {hasCounts(file) && (
                  <span className={row.counts}>
                    <Counts additions={file.additions} deletions={file.deletions} aligned silent />
                  </span>
                )}
                {rowNotes(file).map(({ shown }) => (
                  <span key={shown} aria-hidden="true" className={row.note}>
                    {shown}
                  </span>
                ))}
              </div>
            </li>
          ))}
          {progress.changedCount > Math.min(LISTED, files.length) && (
            <li className={classNames(row.file, styles.rest)}>
              {counted(progress.changedCount - Math.min(LISTED, files.length), 'more file')}
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
