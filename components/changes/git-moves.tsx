/** What git itself moved during the run, and the files that came with it, folded: not the run's own work. */
'use client';

import { GitBranch } from 'lucide-react';
import { useId, useState } from 'react';
import { Later, LaterPart } from '@/components/ui/later';
import { Twisty } from '@/components/ui/twisty';
import type { ShownChange } from '@/lib/domain/change';
import { counted, moveCommand, moveInWords } from '@/lib/domain/change-words';
import type { ListContext } from './changed-file-list';
import styles from './git-moves.module.css';
import { keepInPlace } from './keep-in-place';

const movedFiles = new LaterPart(() => import('./moved-files').then(({ MovedFiles }) => MovedFiles));

export function GitMoves({ change, context }: { change: ShownChange; context: ListContext }) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const { git } = change;
  if (git === null || (git.moves.length === 0 && git.movedCount === 0)) return null;
  const moves = git.moves.map(moveInWords).join(', ') || 'git';
  const by = [...new Set(git.moves.filter(({ action }) => action !== 'commit').map(moveCommand))].join(' and ');
  const face = (
    <>
      <GitBranch aria-hidden="true" className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.moves}>{moves}</span>
        {git.movedCount > 0 && `, ${counted(git.movedCount, 'file')}`}
        {by !== '' && <span className={styles.by}> {git.movedCount > 0 ? `came with ${by}` : by}</span>}
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
        onClick={(event) => keepInPlace(event.currentTarget, () => setShown(!shown))}
      >
        <Twisty />
        {face}
      </button>
      {shown && (
        <div id={id} className={styles.files}>
          <Later part={movedFiles} props={{ change, context, count: git.movedCount }} />
        </div>
      )}
    </div>
  );
}
