/** "Changed 3 files": what one run, call or stretch between runs did to the files, each with its patch a click away. */
'use client';

import { useQuery } from '@tanstack/react-query';
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type ReviewedChange, ReviewedChangeContext } from '@/components/diff/reviewed-change';
import { Button } from '@/components/ui/button';
import { Counts } from '@/components/ui/counts';
import { Notice } from '@/components/ui/notice';
import { useViewedMarks } from '@/lib/client/viewed-marks';
import type { ChangedFile, ShownChange } from '@/lib/domain/change';
import { changeTitle, comparedWith } from '@/lib/domain/change-words';
import { generatedReason } from '@/lib/domain/file-marks';
import styles from './change-block.module.css';
import { useChangeBodies } from './change-door';
import { ChangeMenu } from './change-menu';
import { ChangedFileList, type ListContext } from './changed-file-list';
import { CountsBar } from './counts-bar';
import { flatItems, type ListItem, treeItems } from './file-tree';
import { FoldedFiles } from './folded-files';
import { GitMoves } from './git-moves';
import { keepInPlace } from './keep-in-place';
import type { ListToolsProps } from './list-tools';
import { MoreRows } from './more-rows';
import { NO_FILTER, type RowsFilter, useChangeRows } from './use-change-rows';
import { useLinkedFile } from './use-linked-file';
import { useReviewKeys } from './use-review-keys';

// Written by the server where there is one; most changes have no gap.
const GapLine = lazy(() => import('./gap-line').then((module) => ({ default: module.GapLine })));

/** Rows that stand under an answer at first; a list somewhat longer is not worth folding. */
const FIRST_ROWS = 20;
const FOLDED_FROM = 30;
/** Generated files that stand among the others; more are folded into one line. */
const GENERATED_SHOWN = 3;
/** Files from which a page begins with folders, closed. */
const TREE_FROM = 200;
/** Files that can be opened at once. */
const EXPANDED_AT_ONCE = 500;

export interface ChangeBlockProps {
  change: ShownChange;
  /** Tells this block from others on the same page, e.g. `run 7`; part of its accessible name. */
  label?: string;
  /** What stands above the list on a page of its own (`PageChangeBlock`); compact under an answer without it. */
  tools?: ComponentType<ListToolsProps>;
  /** Further controls in the header, such as Review and Share. */
  actions?: ReactNode;
}

export function ChangeBlock({ change, label, tools: Tools, actions }: ChangeBlockProps) {
  const onPage = Tools !== undefined;
  const bodies = useChangeBodies(change);
  const marks = useViewedMarks(change);
  const block = useRef<HTMLElement>(null);
  // By path, not by id: a later record of the same run has new ids, and what was open stays open.
  const [open, setOpen] = useState<ReadonlyMap<string, 'now' | 'near'>>(new Map());
  const [filter, setFilter] = useState<RowsFilter>(NO_FILTER);
  const [shape, setShape] = useState<'flat' | 'tree'>(() =>
    onPage && change.changedCount > TREE_FROM ? 'tree' : 'flat',
  );
  const [toggledFolders, setToggledFolders] = useState<ReadonlySet<string>>(new Set());
  const [allShown, setAllShown] = useState(onPage || change.changedCount <= FOLDED_FROM);

  const wanted = useDeferredValue(filter);
  const found = useChangeRows(change, bodies, wanted, { more: allShown, everything: shape === 'tree' });
  const filtered = wanted !== NO_FILTER && (wanted.text !== '' || wanted.kind !== null || wanted.origin !== null);

  const toggle = useCallback((file: ChangedFile, heading: HTMLElement) => {
    keepInPlace(heading, () =>
      setOpen((before) => {
        const after = new Map(before);
        if (!after.delete(file.path)) after.set(file.path, 'now');
        return after;
      }),
    );
  }, []);
  const { mark } = marks;
  const view = useCallback(
    (file: ChangedFile, viewed: boolean, heading: HTMLElement | null) => {
      const update = () => {
        mark(file, viewed);
        if (viewed) setOpen((before) => new Map([...before].filter(([path]) => path !== file.path)));
      };
      if (heading) {
        keepInPlace(heading, update);
        // What had the focus may have gone with the patch.
        if (viewed) heading.querySelector('button')?.focus({ preventScroll: true });
      } else update();
    },
    [mark],
  );
  const toggleFolder = useCallback((path: string, row: HTMLElement) => {
    keepInPlace(row, () =>
      setToggledFolders((before) => {
        const after = new Set(before);
        if (!after.delete(path)) after.add(path);
        return after;
      }),
    );
  }, []);

  const since = useQuery({
    queryKey: [bodies.key, 'changed since'],
    queryFn: ({ signal }) => bodies.changedSince?.(signal) ?? [],
    enabled: onPage && bodies.changedSince !== null && change.source === 'run',
    retry: false,
    networkMode: 'always',
  });
  const changedSince = useMemo(() => new Set<string>(since.data ?? []), [since.data]);

  const { rows } = found;
  const parts = useMemo(
    () => partsOf(rows, filtered || shape === 'tree', change.source),
    [rows, filtered, shape, change.source],
  );
  // Small trees begin open, long ones closed; a filter opens all that it finds.
  const opensFolders = filtered || rows.length <= TREE_FROM;
  const itemsOf = (files: ChangedFile[]): ListItem[] =>
    shape === 'flat' ? flatItems(files) : treeItems(files, (path) => toggledFolders.has(path) !== opensFolders);

  const context: ListContext = {
    open,
    marks,
    changedSince,
    partial: found.missing !== 0,
    onToggle: toggle,
    onView: view,
    onToggleFolder: toggleFolder,
  };

  const words = comparedWith(change);
  const reviewed = useMemo<ReviewedChange>(
    () => ({
      bodies,
      comparedWith: words,
      workspace: bodies.local ? change.workspace : null,
      page: bodies.page,
      here: onPage,
    }),
    [bodies, words, change.workspace, onPage],
  );

  const openAll = (update: () => void) => (block.current ? keepInPlace(block.current, update) : update());
  const expandAll = () =>
    openAll(() =>
      setOpen(new Map([...rows.slice(0, EXPANDED_AT_ONCE).map((file) => [file.path, 'near'] as const), ...open])),
    );
  const collapseAll = () => openAll(() => setOpen(new Map()));

  useLinkedFile({
    active: onPage,
    rows,
    open: (path) => setOpen((before) => new Map(before).set(path, 'now')),
  });
  const onKeyDown = useReviewKeys({
    toggleViewed: (path) => {
      const file = rows.find((row) => row.path === path);
      if (file) mark(file, marks.stateOf(file) !== 'yes');
    },
    expandAll: () => rows.length <= EXPANDED_AT_ONCE && expandAll(),
    collapseAll,
  });

  const title = changeTitle(change);
  const folded = !allShown && parts.own.length > FOLDED_FROM;
  return (
    <ReviewedChangeContext value={reviewed}>
      <section
        ref={block}
        className={styles.block}
        aria-label={label === undefined ? title : `${title}, ${label}`}
        data-place={onPage ? 'page' : 'timeline'}
        onKeyDown={onKeyDown}
        data-change={change.changeId}
      >
        <header className={styles.header}>
          <h3 className={styles.title}>{title}</h3>
          {change.changedCount > 0 && (
            <>
              {' '}
              <Counts additions={change.additions} deletions={change.deletions} />
              <CountsBar additions={change.additions} deletions={change.deletions} />
            </>
          )}
          <span className={styles.space} />
          {actions}
          <ChangeMenu title={title} />
        </header>
        {Tools && change.changedCount > 1 && (
          <Tools
            change={change}
            filter={filter}
            onFilter={setFilter}
            shape={shape}
            onShape={(chosen) => openAll(() => setShape(chosen))}
            viewed={marks.count}
            onExpandAll={expandAll}
            onCollapseAll={collapseAll}
            anyOpen={open.size > 0}
            tooMany={rows.length > EXPANDED_AT_ONCE ? `Filter to ${EXPANDED_AT_ONCE} files or fewer first` : null}
          />
        )}
        {parts.own.length > 0 && (
          <ChangedFileList
            items={itemsOf(folded ? parts.own.slice(0, FIRST_ROWS) : parts.own)}
            context={context}
            label="Changed files"
          />
        )}
        {folded && (
          <p className={styles.more}>
            <Button look="ghost" onClick={() => setAllShown(true)}>
              Show all {change.changedCount} files
            </Button>
          </p>
        )}
        {!folded && parts.others.length > 0 && (
          <>
            <p className={styles.part}>
              Not by the agent's tools{change.overlaps.length > 0 && '; another run was going on in this workspace'}
            </p>
            <ChangedFileList
              items={itemsOf(parts.others)}
              context={context}
              label="Changed, not by the agent's tools"
            />
          </>
        )}
        {!folded && parts.generated.length > 0 && <FoldedFiles files={parts.generated} context={context} />}
        {filtered && rows.length === 0 && !found.loading && <p className={styles.part}>No file passes this filter.</p>}
        {found.error !== null && (
          <div className={styles.part}>
            <Notice kind="error" title="The list could not be loaded." onRetry={found.loadMore}>
              {found.error.message}
            </Notice>
          </div>
        )}
        {!folded && found.error === null && (found.missing !== 0 || found.loading) && (
          <MoreRows missing={found.missing} loaded={rows.length} loading={found.loading} onNear={found.loadMore} />
        )}
        {change.overlaps.length > 0 && parts.others.length === 0 && (
          <p className={styles.part}>Another run was going on in this workspace at the same time.</p>
        )}
        <GitMoves change={change} context={context} />
        <Suspense>{change.gaps.length > 0 && <GapLine gaps={change.gaps} />}</Suspense>
      </section>
    </ReviewedChangeContext>
  );
}

/** Rows by who made them: the run's own, what changed without its tools, and what tools generate where it is much. */
function partsOf(
  rows: readonly ChangedFile[],
  asOne: boolean,
  source: ShownChange['source'],
): { own: ChangedFile[]; others: ChangedFile[]; generated: ChangedFile[] } {
  const own: ChangedFile[] = [];
  const others: ChangedFile[] = [];
  let generated: ChangedFile[] = [];
  for (const file of rows) {
    if (source === 'run' && file.origin === 'other') others.push(file);
    else if (!asOne && generatedReason(file.path) !== null) generated.push(file);
    else own.push(file);
  }
  if (generated.length <= GENERATED_SHOWN || own.length === 0) {
    if (generated.length > 0) {
      const kept = new Set(others);
      return { own: rows.filter((file) => !kept.has(file)), others, generated: [] };
    }
    generated = [];
  }
  return { own, others, generated };
}
