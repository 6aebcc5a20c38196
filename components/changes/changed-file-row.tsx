/** One changed file: a disclosure that says kind, path and counts, and holds the patch once it is open. */
'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { lazy, memo, Suspense, useId } from 'react';
import { fileQuery } from '@/components/diff/file-query';
import { PatchLoading } from '@/components/diff/patch-loading';
import { classNames } from '@/components/ui/class-names';
import { Counts } from '@/components/ui/counts';
import { Twisty } from '@/components/ui/twisty';
import type { ChangeBodies } from '@/lib/client/change-bodies';
import type { ChangedFile } from '@/lib/domain/change';
import { hasCounts, KIND_LETTER, rowName, rowNotes } from '@/lib/domain/change-words';
import { attentionMarks, generatedReason } from '@/lib/domain/file-marks';
import styles from './changed-file-row.module.css';
import { FilePath } from './file-path';

const importPanel = () => import('@/components/diff/patch-panel');
const PatchPanel = lazy(() => importPanel().then(({ PatchPanel }) => ({ default: PatchPanel })));

/** Whether a row's file has been viewed, and whether it changed afterwards. */
export type ViewedState = 'no' | 'yes' | 'stale';

export interface RowProps {
  file: ChangedFile;
  bodies: ChangeBodies;
  /** What is compared with what, in words. */
  comparedWith: string;
  open: boolean;
  viewed: ViewedState;
  /** The file on disk is no longer what this change left. */
  changedSince: boolean;
  onToggle: (file: ChangedFile, heading: HTMLElement) => void;
  onView: (file: ChangedFile, viewed: boolean, heading: HTMLElement | null) => void;
}

export const ChangedFileRow = memo(function ChangedFileRow({
  file,
  bodies,
  comparedWith,
  open,
  viewed,
  changedSince,
  onToggle,
  onView,
}: RowProps) {
  const id = useId();
  const queries = useQueryClient();
  const marks = attentionMarks(file);
  const generated = generatedReason(file.path);
  const names = [
    rowName(file),
    ...marks.map(({ word }) => word),
    generated,
    changedSince ? 'has changed since' : null,
    viewed === 'yes' ? 'viewed' : viewed === 'stale' ? 'changed since viewed' : null,
  ].filter(Boolean);
  return (
    <li className={styles.file} data-open={open || undefined}>
      <h4 className={styles.heading}>
        <button
          type="button"
          id={id}
          className={classNames(styles.row, viewed === 'yes' && styles.viewed)}
          aria-expanded={open}
          aria-controls={open ? `${id}-patch` : undefined}
          aria-label={names.join(', ')}
          data-row={file.path}
          onPointerEnter={importPanel}
          onFocus={importPanel}
          onClick={(event) => {
            if (!open) void queries.prefetchQuery(fileQuery(bodies, file.id));
            onToggle(file, event.currentTarget.parentElement as HTMLElement);
          }}
        >
          <Twisty />
          <span className={classNames(styles.kind, styles[file.changeType])}>{KIND_LETTER[file.changeType]}</span>{' '}
          <span className={styles.where} title={file.displayPath}>
            <FilePath file={file} />
          </span>{' '}
          {hasCounts(file) && (
            <span className={styles.counts}>
              <Counts additions={file.additions} deletions={file.deletions} aligned silent />
            </span>
          )}
          {rowNotes(file).map(({ shown }) => (
            <span key={shown} className={styles.note}>
              {' '}
              {shown}
            </span>
          ))}
          {generated && <span className={styles.note}> {generated}</span>}
          {file.ignored && <span className={styles.mark}> ignored file</span>}
          {marks.map(({ word, why }) => (
            <span key={word} className={styles.mark} title={why}>
              {' '}
              {word}
            </span>
          ))}
          {changedSince && <span className={styles.mark}> has changed since</span>}
          {viewed === 'yes' && <Check aria-hidden="true" className={styles.check} />}
          {viewed === 'stale' && <span className={styles.mark}> changed since viewed</span>}
        </button>
      </h4>
      {open && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls; this groups one file's patch
        <div id={`${id}-patch`} role="group" aria-labelledby={id} className={styles.panel}>
          <Suspense fallback={<PatchLoading path={file.displayPath} />}>
            <PatchPanel
              file={file}
              bodies={bodies}
              comparedWith={comparedWith}
              viewed={viewed === 'yes'}
              onView={onView}
            />
          </Suspense>
        </div>
      )}
    </li>
  );
});
