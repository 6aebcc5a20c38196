/** What git itself moved during the run, and the files that came with it, folded: not the run's own work. */
'use client';

import { GitBranch } from 'lucide-react';
import { useId, useState } from 'react';
import { Twisty } from '@/components/ui/twisty';
import type { ChangeBodies } from '@/lib/client/change-bodies';
import type { ChangedFile, ChangeSummary } from '@/lib/domain/change';
import { comparedWith, counted, moveCommand, moveInWords } from '@/lib/domain/change-words';
import { ChangedFileRow, type RowProps } from './changed-file-row';
import styles from './git-moves.module.css';

export function GitMoves({
  change,
  bodies,
  open,
  onToggle,
  onView,
}: {
  change: ChangeSummary;
  bodies: ChangeBodies;
  open: ReadonlySet<string>;
} & Pick<RowProps, 'onToggle' | 'onView'>) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const { git } = change;
  if (git === null || (git.moves.length === 0 && git.movedCount === 0)) return null;
  const files = change.files.filter(({ origin }: ChangedFile) => origin === 'git');
  const moves = git.moves.map((move) => moveInWords(move)).join(', ') || 'git';
  const others = git.moves.filter(({ action }) => action !== 'commit');
  const by = [...new Set(others.map(moveCommand))].join(' and ');
  const face = (
    <>
      <GitBranch aria-hidden="true" className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.moves}>{moves}</span>
        {git.movedCount > 0 && `, ${counted(git.movedCount, 'file')}`}
        {by !== '' && <span className={styles.by}> came with {by}</span>}
      </span>
    </>
  );
  if (git.movedCount === 0) return <div className={styles.line}>{face}</div>;
  return (
    <div>
      <button
        type="button"
        className={styles.line}
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={() => setShown(!shown)}
      >
        <Twisty />
        {face}
      </button>
      {shown && (
        <ul id={id} className={styles.files}>
          {files.map((file) => (
            <ChangedFileRow
              key={file.path}
              file={file}
              bodies={bodies}
              comparedWith={comparedWith(change)}
              open={open.has(file.path)}
              viewed="no"
              changedSince={false}
              onToggle={onToggle}
              onView={onView}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
