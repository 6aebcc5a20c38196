/** The lines of one file's patch: groups of rows that come and go with the window, coloured in the background. */
'use client';

import {
  type ClipboardEvent,
  type CSSProperties,
  type MouseEvent,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { scrollerOf } from '@/components/changes/keep-in-place';
import { columnsOf, LINE_CHARACTERS } from './drawn-lines';
import type { Hit } from './find-in-lines';
import { GroupMounts, type Span } from './group-mounts';
import { highlightHit } from './highlight-hit';
import { keyOfLine } from './hunk-data';
import { type MarkedLines, markedIndices, nameOfLine } from './line-marks';
import { heightOf, PatchGroup } from './patch-group';
import { type Group, type Grouping, groupLines, groupOfLine, type ViewType } from './patch-groups';
import type { PatchLines } from './patch-lines';
import styles from './patch-view.module.css';
import { selectedText } from './selected-text';
import { selectionPlaces } from './selection-places';
import type { ExpandHow, Gap } from './use-patch-lines';
import { whenIdle } from './when-idle';

/** Groups that have a place of their own in the first paint; those behind them share one until the page is idle. */
const PLACES_AT_FIRST = 12;

/** A line to bring into the window; a new object asks anew. */
export interface Reveal {
  line: number;
  /** Moves the focus to the line as well. */
  focus: boolean;
  hit: Hit | null;
}

export interface PatchViewProps {
  path: string;
  lines: PatchLines;
  view: ViewType;
  wrap: boolean;
  /** An added or deleted file: nothing is hidden around its lines. */
  oneSided: boolean;
  /** Hidden lines can be asked for. */
  expandable: boolean;
  language: string | null;
  /** Names the patch and how it was compared, for remembering colours. */
  colourKey: string;
  marked: MarkedLines | null;
  reveal: Reveal | null;
  /** `row` is the one that should stay where it is. */
  onExpand: (gap: Gap, how: ExpandHow, row: Element | null) => void;
  onLongLine: (line: number) => void;
  onMark: (line: MarkedLines, extend: boolean) => void;
}

export function PatchView(props: PatchViewProps) {
  const { path, lines, view, wrap, oneSided, language, colourKey, marked, reveal } = props;
  const root = useRef<HTMLDivElement>(null);
  const grouping = useMemo(() => groupLines(lines, view, oneSided), [lines, view, oneSided]);
  const heights = useMemo(() => grouping.groups.map(heightOf), [grouping]);
  // What is in the window should be there at once, also when the groups are cut anew.
  const mounts = useMemo(
    () =>
      new GroupMounts(
        grouping.rows,
        heights,
        () => root.current && scrollerOf(root.current),
        root.current ? windowOn(root.current) : { from: 0, to: innerHeight },
      ),
    [grouping, heights],
  );
  const [places, setPlaces] = useState(PLACES_AT_FIRST);
  useEffect(() => whenIdle(() => startTransition(() => setPlaces(Number.POSITIVE_INFINITY))), []);
  const columns = useMemo(() => widest(lines), [lines]);
  const lineOfKey = useMemo(() => lazily(() => keysOf(lines)), [lines]);
  const markedKeys = useMemo(() => keysByGroup(lines, grouping, marked), [lines, grouping, marked]);

  // Each is brought into the window once; what comes later must not pull the reader back.
  const revealed = useRef(new WeakSet<Reveal>());
  useEffect(() => {
    if (reveal === null || !root.current || revealed.current.has(reveal)) return;
    revealed.current.add(reveal);
    const draw = (index: number) => {
      flushSync(() => setPlaces(Number.POSITIVE_INFINITY));
      flushSync(() => mounts.mount(index));
    };
    bringIntoView(root.current, lines, grouping, draw, reveal);
  }, [reveal, lines, grouping, mounts]);
  useLayoutEffect(() => () => highlightHit(null, null), []);

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>('button[data-expand], button[data-long-line]');
    if (button?.dataset.longLine !== undefined) props.onLongLine(Number(button.dataset.longLine));
    else if (button) {
      const [before, after] = button.dataset.where!.split(' ').map(Number);
      // The tables' bodies alternate: rows of a hunk, then the separator; the next one holds the row below it.
      const row = button.closest('tbody')?.nextElementSibling?.querySelector('tr') ?? null;
      props.onExpand({ before: before!, after: after! }, button.dataset.expand as ExpandHow, row);
    } else {
      const gutter = target.closest<HTMLElement>('td.diff-gutter[data-change-key]');
      const line = gutter ? lineOfKey().get(gutter.dataset.changeKey!) : undefined;
      if (!gutter || line === undefined) return;
      const first = gutter.parentElement?.firstElementChild === gutter;
      props.onMark(nameOfLine(lines, line, first ? 'L' : 'R'), event.shiftKey);
    }
  };

  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
    const keys = lineOfKey();
    const places = selectionPlaces(event.currentTarget, selection.getRangeAt(0), (key) => keys.get(key));
    if (places === null) return;
    const side = view === 'split' ? ((event.currentTarget.dataset.selectSide ?? null) as 'old' | 'new' | null) : null;
    event.clipboardData.setData('text/plain', selectedText(lines, grouping, places.start, places.end, side));
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of buttons inside, handled in one place
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      ref={root}
      className={styles.scroller}
      data-wrap={wrap || undefined}
      data-fixed={!props.expandable || undefined}
      onClick={onClick}
      onMouseDown={selectOneSide}
      onCopy={onCopy}
    >
      <div
        className={styles.lines}
        style={
          {
            '--columns': wrap || view === 'split' ? 0 : columns,
            '--digits': Math.max(3, digits(lines)),
          } as CSSProperties
        }
      >
        {grouping.groups.slice(0, places).map((group, index) => (
          <PatchGroup
            key={`${view} ${grouping.order[group.first]}`}
            lines={lines}
            grouping={grouping}
            index={index}
            mounts={mounts}
            language={language}
            colourKey={colourKey}
            label={labelOf(path, lines, grouping, group)}
            marked={markedKeys.get(index) ?? null}
          />
        ))}
        {places < heights.length && (
          <div style={{ blockSize: heights.slice(places).reduce((sum, height) => sum + height, 0) }} />
        )}
      </div>
    </div>
  );
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function keysOf(lines: PatchLines): Map<string, number> {
  const keys = new Map<string, number>();
  for (const { from, to } of lines.hunks) {
    for (let line = from; line < to; line += 1) keys.set(keyOfLine(lines, line), line);
  }
  return keys;
}

/** Keys of the marked lines by the group that draws them; only those groups are drawn anew. */
function keysByGroup(lines: PatchLines, grouping: Grouping, marked: MarkedLines | null): Map<number, string[]> {
  const keys = new Map<number, string[]>();
  const indices = markedIndices(lines, marked);
  if (indices.size === 0) return keys;
  for (const [index, { first, last }] of grouping.groups.entries()) {
    const own: string[] = [];
    for (let at = first; at < last; at += 1) {
      const line = grouping.order[at]!;
      if (indices.has(line)) own.push(keyOfLine(lines, line));
    }
    if (own.length > 0) keys.set(index, own);
  }
  return keys;
}

/** The part of the element that is in its scroller's window, in pixels from its top. */
function windowOn(element: HTMLElement): Span {
  const own = element.getBoundingClientRect();
  const scroller = scrollerOf(element);
  const frame =
    scroller === document.scrollingElement ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
  return { from: frame.top - own.top, to: frame.bottom - own.top };
}

/** Draws the line's group and scrolls to it; twice, since what lies above may turn out taller than it was thought. */
function bringIntoView(
  root: HTMLElement,
  lines: PatchLines,
  grouping: Grouping,
  draw: (group: number) => void,
  reveal: Reveal,
): void {
  const { line, focus, hit } = reveal;
  const index = groupOfLine(grouping, line);
  if (index < 0) return;
  const go = (last: boolean) => {
    draw(index);
    const cell = root.querySelector(`td.diff-code[data-change-key="${keyOfLine(lines, line)}"]`);
    const row = cell?.closest('tr');
    if (!cell || !row) return;
    row.scrollIntoView({ block: 'center', inline: 'nearest' });
    if (last && focus) {
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    }
    if (last && hit) highlightHit(cell, hit);
  };
  requestAnimationFrame(() => {
    go(false);
    requestAnimationFrame(() => go(true));
  });
}

/** Selecting begins on one side of a split patch and stays there. */
function selectOneSide(event: MouseEvent<HTMLElement>): void {
  const cell = (event.target as Element).closest('td');
  const index = cell ? [...cell.parentElement!.children].indexOf(cell) : -1;
  if (index === 1) event.currentTarget.dataset.selectSide = 'old';
  else if (index === 3) event.currentTarget.dataset.selectSide = 'new';
  else delete event.currentTarget.dataset.selectSide;
}

/** Columns of the longest drawn line. */
function widest({ texts, hunks }: PatchLines): number {
  let most = 0;
  for (const { from, to } of hunks) {
    for (let at = from; at < to; at += 1) {
      const text = texts[at]!;
      if (text.length > LINE_CHARACTERS) return LINE_CHARACTERS + 30;
      // Wide characters in a line with few of them are not worth the count: what overflows still scrolls.
      if (text.length > most || text.includes('\t')) most = Math.max(most, columnsOf(text));
    }
  }
  return most;
}

function digits({ oldNumbers, newNumbers }: PatchLines): number {
  return String(Math.max(oldNumbers.at(-1) ?? 0, newNumbers.at(-1) ?? 0, 1)).length;
}

function labelOf(path: string, { oldNumbers, newNumbers }: PatchLines, { order }: Grouping, group: Group): string {
  const number = (at: number) => newNumbers[order[at]!] || oldNumbers[order[at]!];
  return `${path}, lines ${number(group.first)} to ${number(group.last - 1)}`;
}
