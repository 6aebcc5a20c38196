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

/** Lines of the first piece. A list that is no longer is one piece, and stays it when it grows: no line is made anew. */
const FIRST = 150;
/** Lines of each other piece of the list, which comes and goes as one. */
const PIECE = 50;

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
  const pieces = [{ from: 0, lines: items.slice(0, FIRST) }];
  for (let from = FIRST; from < items.length; from += PIECE)
    pieces.push({ from, lines: items.slice(from, from + PIECE) });
  return pieces.map(({ from, lines }) => (
    <Piece
      key={from}
      first={from === 0}
      whole={pieces.length === 1}
      items={lines}
      context={context}
      label={pieces.length === 1 ? label : `${label}, ${from + 1} to ${from + lines.length} of ${items.length}`}
    />
  ));
}

function Piece({
  items,
  context,
  label,
  first,
  whole,
}: {
  items: ListItem[];
  context: ListContext;
  label: string;
  /** It is there before it is known what the window shows. */
  first: boolean;
  /** It is all there is, and stays. */
  whole: boolean;
}) {
  const list = useRef<HTMLUListElement>(null);
  const holdsOpen = items.some((item) => item.type === 'file' && context.open.has(item.file.path));
  const near = useNear(list, first);
  const shown = whole || near || holdsOpen || (list.current?.contains(document.activeElement) ?? false);
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
