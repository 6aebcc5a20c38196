/** One group of a patch: a table of some hundred rows that is there only while it is needed, and coloured when it can be. */
'use client';

import { memo, type ReactElement, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { Decoration, Diff, Hunk, type HunkData, type RenderToken } from 'react-diff-view';
import { codePointName } from '@/components/changes/odd-characters';
import { counted } from '@/lib/domain/change-words';
import { type GroupColours, groupColours, rememberedColours } from './colours';
import type { GroupMounts } from './group-mounts';
import { type DrawnHunk, drawnHunks, drawnTokens } from './hunk-data';
import styles from './patch-group.module.css';
import type { Group, Grouping, Separator } from './patch-groups';
import type { PatchLines } from './patch-lines';
import { EXPANDED_LINES } from './use-patch-lines';

/** Heights by which a group's place is kept before it is mounted, in pixels; as the style sheet has them. */
export const ROW_PX = 20;
export const SEPARATOR_PX = 28;

const NO_KEYS: string[] = [];
const KIND_CLASS: Record<string, string | undefined> = {
  k: styles.keyword,
  s: styles.string,
  n: styles.number,
  c: styles.comment,
  t: styles.title,
};

/** Height of a group where no line wraps. */
export function heightOf(group: Group): number {
  const separators = group.segments.filter(({ separator }) => separator).length + (group.closing ? 1 : 0);
  return group.rows * ROW_PX + separators * SEPARATOR_PX;
}

export interface PatchGroupProps {
  lines: PatchLines;
  grouping: Grouping;
  index: number;
  mounts: GroupMounts;
  language: string | null;
  /** Names the patch and what is drawn of it, for remembering colours. */
  colourKey: string;
  /** Accessible name of the group's table. */
  label: string;
  /** Keys of the lines that a link or a person marked in this group. */
  marked: string[] | null;
}

export const PatchGroup = memo(function PatchGroup(props: PatchGroupProps) {
  const { lines, grouping, index, mounts, language, colourKey } = props;
  const group = grouping.groups[index]!;
  const [mounted, setMounted] = useState(() => mounts.atFirst(index));
  const place = useRef<HTMLDivElement>(null);
  const height = heightOf(group);

  const key = keyOf(colourKey, grouping, group);
  useEffect(
    () =>
      mounts.watch(index, {
        element: place.current!,
        setMounted,
        prepare: () => groupColours(key, lines, grouping, group, language),
      }),
    [mounts, index, key, lines, grouping, group, language],
  );

  return (
    <div
      ref={place}
      className={styles.group}
      data-group={index}
      data-mounted={mounted || undefined}
      style={mounted ? { containIntrinsicBlockSize: `auto ${height}px` } : { minBlockSize: height }}
    >
      {mounted && <GroupTable {...props} group={group} colourKey={key} />}
    </div>
  );
});

/** Names a group of a patch among all of the page. */
function keyOf(colourKey: string, { view, order }: Grouping, group: Group): string {
  return `${colourKey} ${view} ${order[group.first]} ${group.last - group.first}`;
}

function GroupTable({
  lines,
  grouping,
  group,
  mounts,
  language,
  colourKey,
  label,
  marked,
}: PatchGroupProps & { group: Group }) {
  const hunks = useMemo(() => {
    const drawn = drawnHunks(lines, grouping, group);
    if (drawn[0]) drawn[0].label = label;
    return drawn;
  }, [lines, grouping, group, label]);
  const draw = (colours: GroupColours | null) => ({
    lines,
    grouping,
    colours,
    tokens: drawnTokens(lines, grouping, group, colours),
  });
  const [drawn, setDrawn] = useState(() => draw(rememberedColours(colourKey)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: `draw` is made of what is listed
  useEffect(() => {
    let gone = false;
    void groupColours(colourKey, lines, grouping, group, language).then((colours) => {
      if (gone) return;
      const isDrawn = (now: typeof drawn) =>
        now.colours === colours && now.lines === lines && now.grouping === grouping;
      if (colours !== null) startTransition(() => setDrawn((now) => (isDrawn(now) ? now : draw(colours))));
      mounts.finished();
    });
    return () => {
      gone = true;
    };
  }, [colourKey, lines, grouping, group, mounts, language]);

  return (
    <Diff
      diffType="modify"
      viewType={grouping.view}
      hunks={hunks}
      tokens={drawn.tokens}
      renderToken={renderToken}
      selectedChanges={marked ?? NO_KEYS}
    >
      {grouping.view === 'unified' ? drawUnified : drawSplit}
    </Diff>
  );
}

const renderToken: RenderToken = ({ type, value, children, line }, _, index) => {
  switch (type) {
    case 'text':
      return value;
    case 'edit':
      return (
        <span key={index} className={styles.edit}>
          {children?.map((child, at) => renderToken(child, () => null, at))}
        </span>
      );
    case 'odd':
      return (
        <span key={index} className={styles.odd} data-code={codePointName(value)}>
          {value}
        </span>
      );
    case 'more':
      return (
        <button key={index} type="button" className={styles.more} data-long-line={line}>
          … {counted(Number(value), 'more character')}
        </button>
      );
    default:
      return (
        <span key={index} className={KIND_CLASS[type]}>
          {value}
        </span>
      );
  }
};

function drawUnified(hunks: HunkData[]): ReactElement[] {
  return draw(hunks as DrawnHunk[], ['Old line', 'New line', 'Content']);
}

function drawSplit(hunks: HunkData[]): ReactElement[] {
  return draw(hunks as DrawnHunk[], ['Old line', 'Before', 'New line', 'After']);
}

function draw(hunks: DrawnHunk[], heads: string[]): ReactElement[] {
  const parts: ReactElement[] = [
    <caption key="caption" className="sr">
      {hunks[0]?.label}
    </caption>,
    <thead key="head" className={styles.head}>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            <span className="sr">{head}</span>
          </th>
        ))}
      </tr>
    </thead>,
  ];
  for (const hunk of hunks) {
    const at = hunk.changes[0];
    const key = at ? `${at.type}${at.type === 'normal' ? at.newLineNumber : at.lineNumber}` : 'none';
    if (hunk.separator) parts.push(<SeparatorRow key={`above ${key}`} separator={hunk.separator} hunk={hunk} />);
    parts.push(<Hunk key={key} hunk={hunk} />);
    if (hunk.closing) parts.push(<SeparatorRow key={`below ${key}`} separator={hunk.closing} hunk={null} />);
  }
  return parts;
}

/** Stands for lines that are not shown, with buttons that show some of them; `hunk` is the one below it. */
function SeparatorRow({ separator, hunk }: { separator: Separator; hunk: DrawnHunk | null }) {
  const { before, after, hidden } = separator;
  const where = `${before} ${after}`;
  const line = hunk?.newStart || hunk?.oldStart || 0;
  const few = hidden !== null && hidden <= EXPANDED_LINES;
  return (
    <Decoration className={styles.separator!} contentClassName={styles.separatorCell!}>
      <div className={styles.expanders}>
        {few && hunk ? (
          <button
            type="button"
            data-expand="all"
            data-where={where}
            aria-label={`Expand ${counted(hidden, 'line')} above line ${line}`}
          >
            ↕
          </button>
        ) : (
          <>
            {before >= 0 && (
              <button
                type="button"
                data-expand="down"
                data-where={where}
                aria-label={
                  hunk
                    ? `Expand ${EXPANDED_LINES} lines below the hunk above line ${line}`
                    : `Expand ${EXPANDED_LINES} lines below`
                }
              >
                ↓
              </button>
            )}
            {hunk && (
              <button
                type="button"
                data-expand="up"
                data-where={where}
                aria-label={`Expand ${EXPANDED_LINES} lines above line ${line}`}
              >
                ↑
              </button>
            )}
          </>
        )}
        <span>
          {hidden === null ? (hunk ? '' : 'More lines below') : `${counted(hidden, 'unchanged line')}`}
          {hunk?.section && <span className={styles.section}> {hunk.section}</span>}
        </span>
      </div>
    </Decoration>
  );
}
