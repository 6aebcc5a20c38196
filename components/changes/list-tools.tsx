/** The tools above the list on a page of its own: what to show, in which form, and how much of it was viewed. */
'use client';

import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { ChangeType, Origin, ShownChange } from '@/lib/domain/change';
import styles from './list-tools.module.css';
import type { RowsFilter } from './use-change-rows';

const KINDS: { kind: ChangeType; word: string; count: (change: ShownChange) => number }[] = [
  { kind: 'added', word: 'Added', count: (change) => change.addedCount },
  { kind: 'modified', word: 'Modified', count: (change) => change.modifiedCount },
  { kind: 'deleted', word: 'Deleted', count: (change) => change.deletedCount },
  { kind: 'renamed', word: 'Renamed', count: (change) => change.renamedCount },
];

const ORIGINS: { origin: Exclude<Origin, 'git'>; word: string }[] = [
  { origin: 'tool', word: "by the agent's tools" },
  { origin: 'command', word: 'by a command' },
  { origin: 'other', word: "not by the agent's tools" },
];

export interface ListToolsProps {
  change: ShownChange;
  filter: RowsFilter;
  onFilter: (filter: RowsFilter) => void;
  shape: 'flat' | 'tree';
  onShape: (shape: 'flat' | 'tree') => void;
  viewed: number;
  onExpandAll: () => void;
  onCollapseAll: () => void;
  anyOpen: boolean;
  /** Why not everything can be opened at once, or null. */
  tooMany: string | null;
}

export function ListTools(props: ListToolsProps) {
  const { change, filter, onFilter, shape, onShape, viewed, onExpandAll, onCollapseAll, anyOpen, tooMany } = props;
  const kinds = KINDS.filter(({ count }) => count(change) > 0);
  return (
    <div className={styles.tools}>
      <label className={styles.search}>
        <Search aria-hidden="true" className={styles.icon} />
        <span className="sr">Filter files by name</span>
        <input
          type="search"
          placeholder="Filter files"
          value={filter.text}
          data-filter=""
          onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      {kinds.length > 1 && (
        <fieldset className={styles.segments}>
          <legend className="sr">Kind of change</legend>
          <Segment pressed={filter.kind === null} onPress={() => onFilter({ ...filter, kind: null })}>
            All {change.changedCount}
          </Segment>
          {kinds.map(({ kind, word, count }) => (
            <Segment key={kind} pressed={filter.kind === kind} onPress={() => onFilter({ ...filter, kind })}>
              {word} {count(change)}
            </Segment>
          ))}
        </fieldset>
      )}
      <select
        aria-label="Who changed it"
        className={styles.select}
        value={filter.origin ?? ''}
        onChange={(event) =>
          onFilter({ ...filter, origin: (event.currentTarget.value || null) as RowsFilter['origin'] })
        }
      >
        <option value="">by anyone</option>
        {ORIGINS.map(({ origin, word }) => (
          <option key={origin} value={origin}>
            {word}
          </option>
        ))}
      </select>
      <fieldset className={styles.segments}>
        <legend className="sr">Form of the list</legend>
        <Segment pressed={shape === 'flat'} onPress={() => onShape('flat')}>
          Flat
        </Segment>
        <Segment pressed={shape === 'tree'} onPress={() => onShape('tree')}>
          Tree
        </Segment>
      </fieldset>
      <span className={styles.space} />
      <span className={styles.viewed} role="status">
        {viewed} of {change.changedCount} viewed
      </span>
      <button
        type="button"
        className={styles.segment}
        disabled={tooMany !== null && !anyOpen}
        title={anyOpen ? undefined : (tooMany ?? undefined)}
        onClick={anyOpen ? onCollapseAll : onExpandAll}
      >
        {anyOpen ? 'Collapse all' : 'Expand all'}
      </button>
    </div>
  );
}

function Segment({ pressed, onPress, children }: { pressed: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={classNames(styles.segment, pressed && styles.on)}
      aria-pressed={pressed}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
