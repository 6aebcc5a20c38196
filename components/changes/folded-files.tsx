/** Files that tools write, folded into one line with the reason. */
'use client';

import { useId, useState } from 'react';
import { Twisty } from '@/components/ui/twisty';
import type { ChangedFile } from '@/lib/domain/change';
import { counted } from '@/lib/domain/change-words';
import { generatedReason } from '@/lib/domain/file-marks';
import { ChangedFileList, type ListContext } from './changed-file-list';
import { flatItems } from './file-tree';
import styles from './git-moves.module.css';
import { keepInPlace } from './keep-in-place';

export function FoldedFiles({ files, context }: { files: ChangedFile[]; context: ListContext }) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const reasons = [...new Set(files.map(({ path }) => generatedReason(path)))].join(', ');
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
        <span className={styles.words}>
          {counted(files.length, 'file')} folded <span className={styles.by}>· {reasons}</span>
        </span>
      </button>
      {shown && (
        <div id={id}>
          <ChangedFileList items={flatItems(files)} context={context} label="Generated files" />
        </div>
      )}
    </div>
  );
}
