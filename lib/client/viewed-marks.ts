/** Which files of which change a reader has viewed; kept in this browser, let go when the file's change is another one. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { ChangedFile, ShownChange } from '@/lib/domain/change';

export type ViewedState = 'no' | 'yes' | 'stale';

interface Mark {
  id: string;
  facts: string;
}
interface ChangeMarks {
  at: number;
  files: Record<string, Mark>;
}

const STORED_AS = 'tidemark.viewed';
/** Changes whose marks are kept; the ones longest untouched go first. */
const KEPT_CHANGES = 100;

let current: Record<string, ChangeMarks> | null = null;
const listeners = new Set<() => void>();

function read(): Record<string, ChangeMarks> {
  if (current === null) {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
      current = typeof stored === 'object' && stored !== null ? (stored as Record<string, ChangeMarks>) : {};
    } catch {
      current = {};
    }
  }
  return current;
}

function write(changes: Record<string, ChangeMarks>): void {
  const kept = Object.entries(changes)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, KEPT_CHANGES);
  current = Object.fromEntries(kept);
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(current));
  } catch {
    // No storage, or it is full: the marks last as long as the page.
  }
  for (const listener of listeners) listener();
}

/** What would differ if the file's change were another one, as far as a row tells. */
function factsOf(file: ChangedFile): string {
  const { changeType, oldPath, additions, deletions, sizeBefore, sizeAfter, modeBefore, modeAfter } = file;
  return [changeType, oldPath, additions, deletions, sizeBefore, sizeAfter, modeBefore, modeAfter].join(' ');
}

export interface ViewedMarks {
  stateOf: (file: ChangedFile) => ViewedState;
  mark: (file: ChangedFile, viewed: boolean) => void;
  /** Files of this change that are marked, whether listed now or not. */
  count: number;
}

/**
 * The marks of one change. A later record of the same run has new file ids: a file whose row says the same as before
 * keeps its mark, one whose row says otherwise is `stale`.
 */
export function useViewedMarks(change: Pick<ShownChange, 'changeId'>): ViewedMarks {
  const { changeId } = change;
  const changes = useSyncExternalStore(subscribe, read, empty);
  const files = changes[changeId]?.files;
  const stateOf = useCallback(
    (file: ChangedFile): ViewedState => {
      const mark = files && Object.hasOwn(files, file.path) ? files[file.path] : undefined;
      if (!mark) return 'no';
      return mark.id === file.id || mark.facts === factsOf(file) ? 'yes' : 'stale';
    },
    [files],
  );
  const mark = useCallback(
    (file: ChangedFile, viewed: boolean) => {
      const before = read();
      const marks = new Map(Object.entries(before[changeId]?.files ?? {}));
      if (viewed) marks.set(file.path, { id: file.id, facts: factsOf(file) });
      else marks.delete(file.path);
      write({ ...before, [changeId]: { at: Date.now(), files: Object.fromEntries(marks) } });
    },
    [changeId],
  );
  const count = useMemo(() => Object.keys(files ?? {}).length, [files]);
  return useMemo(() => ({ stateOf, mark, count }), [stateOf, mark, count]);
}

const NOTHING = {};
function empty(): Record<string, ChangeMarks> {
  return NOTHING;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
