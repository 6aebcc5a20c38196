/** The rows of a change, flat or as a tree; a long list is there only near the window. */
'use client';

import { useRef } from 'react';
import type { ViewedMarks } from '@/lib/client/viewed-marks';
import type { ChangedFile } from '@/lib/domain/change';
import styles from './changed-file-list.module.css';
import { ChangedFileRow } from './changed-file-row';
import type { ListItem } from './file-tree';
import { FolderRow } from './folder-row';
import { useNear } from './use-near';

/** Lines of a piece of the list that comes and goes as one. */
const PIECE = 50;
/** Lines up to which the whole list stays in the document. */
const WHOLE = 150;

/** What all rows of a list share. */
export interface ListContext {
  /** Open files by path: at once, or when they come near the window. */
  open: ReadonlyMap<string, 'now' | 'near'>;
  marks: ViewedMarks;
  /** Ids of files that are no longer on disk as the change left them. */
  changedSince: ReadonlySet<string>;
  /** More rows are still to come. */
  partial: boolean;
  onToggle: (file: ChangedFile, heading: HTMLElement) => void;
  onView: (file: ChangedFile, viewed: boolean, heading: HTMLElement | null) => void;
  onToggleFolder: (path: string, row: HTMLElement) => void;
}

export function ChangedFileList({ items, context, label }: { items: ListItem[]; context: ListContext; label: string }) {
  if (items.length <= WHOLE) {
    return (
      <ul className={styles.list} aria-label={label}>
        <Rows items={items} context={context} />
      </ul>
    );
  }
  const pieces = [];
  for (let from = 0; from < items.length; from += PIECE) pieces.push(items.slice(from, from + PIECE));
  return pieces.map((piece, index) => (
    <Piece
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the list
      key={index}
      first={index < 2}
      items={piece}
      context={context}
      label={`${label}, ${index * PIECE + 1} to ${index * PIECE + piece.length} of ${items.length}`}
    />
  ));
}

function Piece({
  items,
  context,
  label,
  first,
}: {
  items: ListItem[];
  context: ListContext;
  label: string;
  first: boolean;
}) {
  const list = useRef<HTMLUListElement>(null);
  const holdsOpen = items.some((item) => item.type === 'file' && context.open.has(item.file.path));
  const near = useNear(list, first);
  const shown = near || holdsOpen || (list.current?.contains(document.activeElement) ?? false);
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={label}
      style={shown ? undefined : { blockSize: `calc(${items.length} * (var(--row) + 1px))` }}
    >
      {shown && <Rows items={items} context={context} />}
    </ul>
  );
}

function Rows({ items, context }: { items: ListItem[]; context: ListContext }) {
  return items.map((item) =>
    item.type === 'folder' ? (
      <FolderRow
        key={`folder ${item.path}`}
        folder={item}
        partial={context.partial}
        onToggle={context.onToggleFolder}
      />
    ) : (
      <ChangedFileRow
        key={item.file.path}
        file={item.file}
        depth={item.depth}
        open={context.open.get(item.file.path) ?? 'no'}
        viewed={context.marks.stateOf(item.file)}
        changedSince={context.changedSince.has(item.file.id)}
        onToggle={context.onToggle}
        onView={context.onView}
      />
    ),
  );
}
