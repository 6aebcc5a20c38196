/** One folder of the tree: a disclosure with the sums of what it holds. */
'use client';

import type { CSSProperties } from 'react';
import { Counts } from '@/components/ui/counts';
import { Twisty } from '@/components/ui/twisty';
import { counted, countsInWords } from '@/lib/domain/change-words';
import type { ListItem } from './file-tree';
import styles from './folder-row.module.css';
import { plainText } from './plain-text';

type FolderItem = Extract<ListItem, { type: 'folder' }>;

export function FolderRow({
  folder,
  partial,
  onToggle,
}: {
  folder: FolderItem;
  /** More of its files may still come. */
  partial: boolean;
  onToggle: (path: string, row: HTMLElement) => void;
}) {
  const { path, name, depth, files, additions, deletions, open } = folder;
  return (
    <li className={styles.folder}>
      <button
        type="button"
        className={styles.row}
        style={{ '--depth': depth } as CSSProperties}
        aria-expanded={open}
        aria-label={nameOf(folder)}
        data-row={`${path}/`}
        onClick={(event) => onToggle(path, event.currentTarget)}
      >
        <Twisty />
        <bdi className={styles.name}>{plainText(`${name}/`)}</bdi>
        {!open && <span className={styles.files}>{partial ? `${files}+ files` : counted(files, 'file')}</span>}
        {!open && <Counts additions={additions} deletions={deletions} aligned silent />}
      </button>
    </li>
  );
}

/** `folder src/api, 12 files, 30 additions, 4 deletions`. */
function nameOf({ path, files, additions, deletions }: FolderItem): string {
  return [`folder ${path || '/'}`, counted(files, 'file'), countsInWords({ additions, deletions })]
    .filter(Boolean)
    .join(', ');
}
