/** The lines of one file's patch: groups of rows that come and go with the window, coloured in the background. */
'use client';

import { type CSSProperties, type MouseEvent, useMemo, useRef, useState } from 'react';
import { scrollerOf } from '@/components/changes/keep-in-place';
import { LINE_CHARACTERS } from './drawn-lines';
import { GroupMounts } from './group-mounts';
import { PatchGroup } from './patch-group';
import { type Group, type Grouping, groupLines, type ViewType } from './patch-groups';
import type { PatchLines } from './patch-lines';
import styles from './patch-view.module.css';
import type { ExpandHow, Gap } from './use-patch-lines';

export interface PatchViewProps {
  path: string;
  lines: PatchLines;
  view: ViewType;
  wrap: boolean;
  /** An added or deleted file: nothing is hidden around its lines. */
  oneSided: boolean;
  language: string | null;
  /** Names the patch and how it was compared, for remembering colours. */
  colourKey: string;
  /** `row` is the one that should stay where it is. */
  onExpand: (gap: Gap, how: ExpandHow, row: Element | null) => void;
  onLongLine: (line: number) => void;
}

export function PatchView(props: PatchViewProps) {
  const { path, lines, view, wrap, oneSided, language, colourKey, onExpand, onLongLine } = props;
  const root = useRef<HTMLDivElement>(null);
  const grouping = useMemo(() => groupLines(lines, view, oneSided), [lines, view, oneSided]);
  const [mounts, setMounts] = useState(() => newMounts(grouping, root));
  if (mounts.grouping !== grouping) setMounts(newMounts(grouping, root));
  const columns = useMemo(() => widest(lines), [lines]);

  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element).closest<HTMLElement>('button[data-expand], button[data-long-line]');
    if (!button) return;
    if (button.dataset.longLine !== undefined) return onLongLine(Number(button.dataset.longLine));
    const [before, after] = button.dataset.where!.split(' ').map(Number);
    // The tables' bodies alternate: rows of a hunk, then the separator; the next one holds the row below it.
    const row = button.closest('tbody')?.nextElementSibling?.querySelector('tr') ?? null;
    onExpand({ before: before!, after: after! }, button.dataset.expand as ExpandHow, row);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of buttons inside, handled in one place
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      ref={root}
      className={styles.scroller}
      data-wrap={wrap || undefined}
      onClick={onClick}
      onMouseDown={selectOneSide}
    >
      <div
        className={styles.lines}
        style={
          {
            '--columns': wrap || view === 'split' ? 0 : columns,
            '--gutter': `calc(${Math.max(3, digits(lines))}ch + 16px)`,
          } as CSSProperties
        }
      >
        {grouping.groups.map((group, index) => (
          <PatchGroup
            key={`${view} ${grouping.order[group.first]}`}
            lines={lines}
            grouping={grouping}
            index={index}
            mounts={mounts.mounts}
            language={language}
            colourKey={colourKey}
            label={labelOf(path, lines, grouping, group)}
            marked={null}
          />
        ))}
      </div>
    </div>
  );
}

function newMounts(grouping: Grouping, root: { current: HTMLElement | null }) {
  return {
    grouping,
    mounts: new GroupMounts(grouping.rows, grouping.groups.length, () => root.current && scrollerOf(root.current)),
  };
}

/** Selecting begins on one side of a split patch and stays there. */
function selectOneSide(event: MouseEvent<HTMLElement>): void {
  const cell = (event.target as Element).closest('td');
  const index = cell ? [...cell.parentElement!.children].indexOf(cell) : -1;
  if (index === 1) event.currentTarget.dataset.selectSide = 'old';
  else if (index === 3) event.currentTarget.dataset.selectSide = 'new';
  else delete event.currentTarget.dataset.selectSide;
}

/** Columns of the longest drawn line; characters of double width count twice. */
function widest({ texts, hunks }: PatchLines): number {
  let most = 0;
  for (const { from, to } of hunks) {
    for (let at = from; at < to; at += 1) {
      const text = texts[at]!;
      if (text.length > LINE_CHARACTERS) return LINE_CHARACTERS + 30;
      if (text.length <= most / 4) continue;
      const columns = columnsOf(text);
      if (columns > most) most = columns;
    }
  }
  return most;
}

/** Anything but printable ASCII. */
const NOT_PLAIN = /[^\x20-\x7e]/;

function columnsOf(text: string): number {
  if (!NOT_PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (character === '\t') columns += 4 - (columns % 4);
    else columns += character.codePointAt(0)! > 0x10ff ? 2 : 1;
  }
  return columns;
}

function digits({ oldNumbers, newNumbers }: PatchLines): number {
  return String(Math.max(oldNumbers.at(-1) ?? 0, newNumbers.at(-1) ?? 0, 1)).length;
}

function labelOf(path: string, { oldNumbers, newNumbers }: PatchLines, { order }: Grouping, group: Group): string {
  const number = (at: number) => newNumbers[order[at]!] || oldNumbers[order[at]!];
  return `${path}, lines ${number(group.first)} to ${number(group.last - 1)}`;
}
