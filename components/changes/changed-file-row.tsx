/** One changed file: a disclosure that says kind, path and counts, and holds the patch once it is open. */
'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type CSSProperties, memo, useId, useRef } from 'react';
import { fileQuery } from '@/components/diff/file-query';
import { PatchLoading } from '@/components/diff/patch-loading';
import { useReviewedChange } from '@/components/diff/reviewed-change';
import { classNames } from '@/components/ui/class-names';
import { Counts } from '@/components/ui/counts';
import { Later, LaterPart } from '@/components/ui/later';
import { Twisty } from '@/components/ui/twisty';
import type { ViewedState } from '@/lib/client/viewed-marks';
import type { ChangedFile } from '@/lib/domain/change';
import { hasCounts, KIND_LETTER, rowName, rowNotes } from '@/lib/domain/change-words';
import { attentionMarks, generatedReason } from '@/lib/domain/file-marks';
import styles from './changed-file-row.module.css';
import { FilePath } from './file-path';
import { useNear } from './use-near';

const patchPanel = new LaterPart(async () => {
  const { PatchPanel, warmColours } = await import('@/components/diff/patch-panel');
  warmColours();
  return PatchPanel;
});

export interface RowProps {
  file: ChangedFile;
  /** Folders it stands in, where they are drawn; its own folder is then left out of its name. */
  depth: number;
  /** Open at once, or as soon as it comes near the window. */
  open: 'no' | 'now' | 'near';
  viewed: ViewedState;
  /** The file on disk is no longer what this change left. */
  changedSince: boolean;
  onToggle: (file: ChangedFile, heading: HTMLElement) => void;
  onView: (file: ChangedFile, viewed: boolean, heading: HTMLElement | null) => void;
}

export const ChangedFileRow = memo(function ChangedFileRow(props: RowProps) {
  const { file, depth, open, viewed, changedSince, onToggle } = props;
  const { bodies } = useReviewedChange();
  const id = useId();
  const queries = useQueryClient();
  const marks = attentionMarks(file);
  const generated = generatedReason(file.path);
  const names = [
    rowName(file),
    ...marks.map(({ word }) => word),
    generated,
    changedSince && 'has changed since',
    viewed === 'yes' && 'viewed',
    viewed === 'stale' && 'changed since viewed',
  ].filter(Boolean);
  const isOpen = open !== 'no';
  return (
    <li className={styles.file} data-open={isOpen || undefined}>
      <h4 className={styles.heading}>
        <button
          type="button"
          id={id}
          className={classNames(styles.row, viewed === 'yes' && styles.viewed)}
          style={depth > 0 ? ({ '--depth': depth } as CSSProperties) : undefined}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-patch` : undefined}
          aria-label={names.join(', ')}
          data-row={file.path}
          onPointerEnter={patchPanel.load}
          onFocus={patchPanel.load}
          onClick={(event) => {
            if (!isOpen) void queries.prefetchQuery(fileQuery(bodies, file.id));
            onToggle(file, event.currentTarget.parentElement as HTMLElement);
          }}
        >
          <Twisty />
          <span className={classNames(styles.kind, styles[file.changeType])}>{KIND_LETTER[file.changeType]}</span>{' '}
          <span className={styles.where} title={file.displayPath}>
            <FilePath file={file} nameOnly={depth > 0} />
          </span>{' '}
          {hasCounts(file) && (
            <span className={styles.counts}>
              <Counts additions={file.additions} deletions={file.deletions} aligned silent />
            </span>
          )}
          <span className={styles.notes}>
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
          </span>
        </button>
      </h4>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls; this groups one file's patch
        <div
          id={`${id}-patch`}
          role="group"
          aria-labelledby={id}
          className={styles.panel}
          // What opened by itself keeps its place while it loads; what was asked for grows as it comes.
          style={open === 'near' ? ({ '--guess': `${guessedHeight(file)}px` } as CSSProperties) : undefined}
        >
          <OpenFile {...props} />
        </div>
      )}
    </li>
  );
});

/** The panel of an open file; its patch is asked for when it is near, so that "expand all" asks for what is seen. */
function OpenFile({ file, open, viewed, onView }: RowProps) {
  const place = useRef<HTMLDivElement>(null);
  const near = useNear(place, open === 'now', open === 'now');
  const wanted = useRef(near);
  wanted.current ||= near;
  if (!wanted.current) return <div ref={place} className={styles.place} />;
  return (
    <Later
      part={patchPanel}
      props={{ file, viewed: viewed === 'yes', onView }}
      fallback={<PatchLoading path={file.displayPath} />}
    />
  );
}

/** Pixels that a patch will most likely need: its lines with some around them, and the tools above. */
function guessedHeight({ additions, deletions, binary, oversized }: ChangedFile): number {
  if (binary || oversized || additions + deletions === 0) return 100;
  return 36 + 20 * Math.min(additions + deletions + 8, 1500);
}
