/** The rows of a change as the reader filters them: from the summary where it holds all, else page by page. */
'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { startTransition, useEffect, useMemo, useState } from 'react';
import type { ChangeBodies, RowsPage, RowsQuery } from '@/lib/client/change-bodies';
import type { ChangedFile, ChangeType, Origin, ShownChange } from '@/lib/domain/change';

export interface RowsFilter {
  text: string;
  kind: ChangeType | null;
  origin: Exclude<Origin, 'git'> | null;
}

export const NO_FILTER: Readonly<RowsFilter> = { text: '', kind: null, origin: null };

export interface ChangeRows {
  /** Rows that are not git's own, filtered, as far as they have come. */
  rows: ChangedFile[];
  /** Rows that pass the filter and are still on the server, or null where nobody knows how many. */
  missing: number | null;
  loading: boolean;
  error: Error | null;
  loadMore: () => void;
}

/** Whether a row passes; the text is looked for in the path, old or new, whatever its case. */
export function passes(file: ChangedFile, { text, kind, origin }: RowsFilter): boolean {
  if (kind !== null && file.changeType !== kind) return false;
  if (origin !== null && file.origin !== origin) return false;
  if (text === '') return true;
  const wanted = text.toLowerCase();
  return file.path.toLowerCase().includes(wanted) || (file.oldPath?.toLowerCase().includes(wanted) ?? false);
}

/** Milliseconds between two looks at a long list that is still coming. */
const LOOK_MS = 400;

/** Rows of `change` that pass `filter`. `everything` loads all pages one after another, for views that need them all. */
export function useChangeRows(
  change: ShownChange,
  bodies: ChangeBodies,
  filter: RowsFilter,
  { more, everything }: { more: boolean; everything: boolean },
): ChangeRows {
  const listed = useMemo(() => change.files.filter(({ origin }) => origin !== 'git'), [change.files]);
  const complete = listed.length >= change.changedCount;
  const filtered = filter.text !== '' || filter.kind !== null || filter.origin !== null;
  const known = useMemo(
    () => (filtered ? listed.filter((file) => passes(file, filter)) : listed),
    [listed, filter, filtered],
  );
  const paged = usePagedRows(
    bodies,
    filter,
    !complete && !everything && (more || filtered),
    filtered ? 0 : listed.length,
  );
  const whole = useWholeRows(bodies, filter, !complete && everything);
  if (complete) return { rows: known, missing: 0, loading: false, error: null, loadMore: () => {} };

  const source = everything ? whole : paged;
  // The summary's rows stand until the pages have brought more than it held.
  const rows = source.rows.length >= known.length || source.ended ? source.rows : known;
  return {
    rows,
    missing: source.ended ? 0 : filtered ? null : Math.max(0, change.changedCount - rows.length),
    loading: source.loading,
    error: source.error,
    loadMore: source.loadMore,
  };
}

interface RowsSource {
  rows: ChangedFile[];
  ended: boolean;
  loading: boolean;
  error: Error | null;
  loadMore: () => void;
}

function queryOf(filter: RowsFilter, cursor: string | null): RowsQuery {
  return {
    ...(cursor === null ? {} : { cursor }),
    ...(filter.text === '' ? {} : { q: filter.text }),
    ...(filter.kind === null ? {} : { kind: filter.kind }),
    ...(filter.origin === null ? {} : { origin: filter.origin }),
  };
}

/** Page by page as the reader comes near the end; the first `held` rows are passed over at once. */
function usePagedRows(bodies: ChangeBodies, filter: RowsFilter, enabled: boolean, held: number): RowsSource {
  const query = useInfiniteQuery({
    queryKey: [bodies.key, 'rows', filter],
    queryFn: ({ pageParam, signal }) => bodies.rows(queryOf(filter, pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: RowsPage) => page.nextCursor,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  });
  const { data, hasNextPage, isFetching, fetchNextPage, error, refetch } = query;
  const rows = useMemo(
    () => (enabled && data ? data.pages.flatMap(({ files }) => files).filter(({ origin }) => origin !== 'git') : []),
    [enabled, data],
  );
  const behind = enabled && rows.length < held;
  useEffect(() => {
    if (behind && hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [behind, hasNextPage, isFetching, error, fetchNextPage]);
  return {
    rows,
    ended: enabled && data !== undefined && !hasNextPage,
    loading: enabled && isFetching,
    error: enabled ? error : null,
    loadMore: () => {
      if (error !== null) void refetch();
      else if (hasNextPage && !isFetching) void fetchNextPage();
    },
  };
}

/** All pages, one after another; what has come is looked at now and then, since each look draws the list anew. */
function useWholeRows(bodies: ChangeBodies, filter: RowsFilter, enabled: boolean): RowsSource {
  const [coming, setComing] = useState<{ filter: RowsFilter; rows: ChangedFile[] } | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [bodies.key, 'all rows', filter],
    queryFn: async ({ signal }) => {
      const rows: ChangedFile[] = [];
      let looked = performance.now();
      let cursor: string | null = null;
      do {
        const page: RowsPage = await bodies.rows(queryOf(filter, cursor), signal);
        for (const file of page.files) if (file.origin !== 'git') rows.push(file);
        cursor = page.nextCursor;
        if (performance.now() - looked > LOOK_MS) {
          looked = performance.now();
          startTransition(() => setComing({ filter, rows: [...rows] }));
        }
      } while (cursor !== null);
      return rows;
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  });
  return {
    rows: data ?? (isFetching && coming?.filter === filter ? coming.rows : []),
    ended: enabled && data !== undefined,
    loading: enabled && isFetching,
    error: enabled ? error : null,
    loadMore: () => void refetch(),
  };
}
