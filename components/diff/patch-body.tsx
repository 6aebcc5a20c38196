/** An opened file whose patch has arrived: sentences, tools, and the lines in the way the reader chose. */
'use client';

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { scrollerOf } from '@/components/changes/keep-in-place';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { choosePatchPreferences, usePatchPreferences } from '@/lib/client/patch-preferences';
import type { ChangedFile, ChangedFileBody } from '@/lib/domain/change';
import { bytesInWords } from '@/lib/domain/change-words';
import { BinarySides } from './binary-sides';
import { FindBar } from './find-bar';
import { languageOf } from './language';
import { LongLine } from './long-line';
import styles from './patch-body.module.css';
import { PatchLoading } from './patch-loading';
import { PatchMenu } from './patch-menu';
import { PatchSentence } from './patch-sentence';
import { patchStory } from './patch-sentences';
import { patchText } from './patch-text';
import { PatchToolbar, type Tool } from './patch-toolbar';
import { PatchView, type Reveal } from './patch-view';
import { useReviewedChange } from './reviewed-change';
import { useMarkedLines } from './use-marked-lines';
import { type ExpandHow, type Gap, usePatchLines } from './use-patch-lines';
import { useWidth } from './use-width';

/** Pixels of room that two columns of code need. */
const SPLIT_ROOM = 1000;
/** Pixels of room below which nobody is offered what needs more. */
const TOOLS_ROOM = 560;

/** A file whose disclosure is open. */
export interface OpenedFile {
  file: ChangedFile;
  viewed: boolean;
  onView: (file: ChangedFile, viewed: boolean, heading: HTMLElement | null) => void;
}

export function PatchBody({ file, viewed, onView, body }: OpenedFile & { body: ChangedFileBody }) {
  const { bodies, comparedWith } = useReviewedChange();
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root);
  const { view, wrap, ignoreWhitespace } = usePatchPreferences();
  const [plain, setPlain] = useState(false);
  const [finding, setFinding] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  const [longLine, setLongLine] = useState<number | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [hit, setHit] = useState<Reveal | null>(null);
  const patch = usePatchLines(body, bodies, ignoreWhitespace);
  const story = useMemo(
    () => patchStory(body, patch.lines, patch.source !== 'stored'),
    [body, patch.lines, patch.source],
  );
  const { marked, linked, mark } = useMarkedLines(file.path, patch);
  const hold = useHeldRow(root, patch.lines);

  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 2500);
    return () => clearTimeout(timer);
  }, [said]);

  const oneSided = file.changeType === 'added' || file.changeType === 'deleted';
  const roomForSplit = width >= SPLIT_ROOM;
  const split = view === 'split' && roomForSplit && !oneSided;
  /** Whether the server can be asked for more than was kept. */
  const more = bodies.comparison !== null;
  const shown = story.lines === 'shown' || (story.lines === 'folded' && unfolded);

  const expand = (gap: Gap, how: ExpandHow, row: Element | null) => {
    hold(row);
    patch.expand(gap, how);
  };

  const sides: Tool[] = [
    {
      id: 'unified',
      label: 'Unified',
      pressed: !split,
      title: 'Before and after in one column',
      onPress: () => choosePatchPreferences({ view: 'unified' }),
    },
    {
      id: 'split',
      label: 'Split',
      pressed: split,
      disabled: !roomForSplit || oneSided,
      title: oneSided
        ? 'Only one side of this file exists'
        : roomForSplit
          ? 'Before and after side by side'
          : 'Side by side needs a wider window',
      onPress: () => choosePatchPreferences({ view: 'split' }),
    },
  ];
  const tools: Tool[] = [
    ...(width >= TOOLS_ROOM ? sides : []),
    {
      id: 'wrap',
      label: 'Wrap',
      pressed: wrap || split,
      disabled: split,
      title: split ? 'Side by side always wraps' : 'Break long lines',
      onPress: () => choosePatchPreferences({ wrap: !wrap }),
    },
    ...(more
      ? [
          {
            id: 'whitespace',
            label: 'Hide blanks',
            pressed: ignoreWhitespace,
            title: 'Leave out changes of spaces and tabs',
            onPress: () => choosePatchPreferences({ ignoreWhitespace: !ignoreWhitespace }),
          },
        ]
      : []),
    {
      id: 'plain',
      label: 'Plain text',
      pressed: plain,
      title: 'The same patch as text',
      onPress: () => setPlain(!plain),
    },
    { id: 'find', label: 'Find', pressed: finding, title: 'Find in this patch', onPress: () => setFinding(!finding) },
  ];

  return (
    <div ref={root} className={styles.body}>
      <PatchToolbar path={file.displayPath} note={said ?? comparedWith} tools={shown ? tools : []}>
        <label className={styles.viewed}>
          <input
            type="checkbox"
            checked={viewed}
            onChange={(event) => onView(file, event.currentTarget.checked, headingOf(root.current))}
          />
          Viewed
        </label>
        <PatchMenu
          file={body}
          lines={patch.lines}
          marked={marked}
          onSaid={setSaid}
          onWholeFile={shown && !oneSided && more ? () => patch.loadWhole(true) : null}
        />
      </PatchToolbar>
      {finding && shown && (
        <FindBar
          path={file.displayPath}
          lines={patch.lines}
          onHit={(found) => setHit(found && { line: found.line, focus: false, hit: found })}
          onClose={() => {
            setFinding(false);
            setHit(null);
            root.current?.querySelector<HTMLElement>('[data-tool=find]')?.focus();
          }}
        />
      )}
      {story.sentences.map((sentence) => (
        <PatchSentence key={sentence.text} {...sentence} />
      ))}
      {patch.coarse && (
        <PatchSentence
          kind="warning"
          text="Comparing line by line ran out of time; the file is shown as replaced in whole."
        />
      )}
      {shown && ignoreWhitespace && !patch.loading && patch.lines.texts.length === 0 && (
        <PatchSentence kind="note" text="Nothing but blanks changed." />
      )}
      {story.more === 'load' && more && !patch.loading && patch.error === null && (
        <p className={styles.load}>
          <Button onClick={() => patch.loadWhole(false)}>Load the full comparison</Button>
        </p>
      )}
      {story.lines === 'folded' && !unfolded && (
        <p className={styles.load}>
          <Button onClick={() => setUnfolded(true)}>Show the lines all the same</Button>
        </p>
      )}
      {patch.instead && (
        <PatchSentence
          kind="warning"
          text={
            patch.instead === 'binary'
              ? 'A side of this file is binary.'
              : 'A side of this file is too large to compare.'
          }
        />
      )}
      {patch.error && (
        <div className={styles.load}>
          <Notice kind="error" title="The comparison could not be loaded." onRetry={patch.retry}>
            {patch.error.message}
          </Notice>
        </div>
      )}
      {patch.loading && <PatchLoading path={file.displayPath} note={progressInWords(patch.progress)} />}
      {(body.binary || body.oversized) && !body.expired && <BinarySides file={body} bodies={bodies} />}
      {shown &&
        (plain ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region that the keyboard must reach
          <section className={styles.plain} tabIndex={0} aria-label={`Plain text patch of ${file.displayPath}`}>
            <pre>{patchText(patch.lines)}</pre>
          </section>
        ) : (
          <PatchView
            path={file.displayPath}
            lines={patch.lines}
            view={split ? 'split' : 'unified'}
            wrap={wrap}
            oneSided={oneSided}
            expandable={more}
            language={languageOf(file.path)}
            colourKey={`${bodies.key} ${file.id} ${patch.source}`}
            marked={marked}
            reveal={hit ?? linked}
            onExpand={expand}
            onLongLine={setLongLine}
            onMark={mark}
          />
        ))}
      {longLine !== null && <LongLine text={patch.lines.texts[longLine] ?? ''} onClose={() => setLongLine(null)} />}
      <span className="sr" role="status">
        {said ?? (shown && !patch.loading ? `Loaded, ${patch.lines.texts.length} lines` : '')}
      </span>
    </div>
  );
}

function progressInWords(progress: { bytes: number; total: number | null } | null): string | null {
  if (progress === null) return null;
  const { bytes, total } = progress;
  return total === null ? bytesInWords(bytes) : `${bytesInWords(bytes)} of ${bytesInWords(total)}`;
}

function headingOf(body: Element | null): HTMLElement | null {
  return body?.closest('li')?.querySelector<HTMLElement>('h4') ?? null;
}

/**
 * Keeps a row where it is on the screen while lines appear above it: call the answer with the row before they do.
 * The row is found again by its key, since the table it stands in may be another one.
 */
function useHeldRow(root: { current: HTMLElement | null }, lines: unknown): (row: Element | null) => void {
  const held = useRef<{ key: string; top: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it acts when the lines are others
  useLayoutEffect(() => {
    const row = held.current;
    held.current = null;
    if (row === null || root.current === null) return;
    const found = root.current.querySelector(`td[data-change-key="${row.key}"]`);
    if (found) scrollerOf(root.current).scrollTop += found.getBoundingClientRect().top - row.top;
  }, [lines]);
  return (row) => {
    const key = row?.querySelector('td[data-change-key]')?.getAttribute('data-change-key');
    held.current = row && key ? { key, top: row.getBoundingClientRect().top } : null;
  };
}
