/** The rows that came with git: the summary's where it holds all of them, else paged. */
'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useReviewedChange } from '@/components/diff/reviewed-change';
import type { ShownChange } from '@/lib/domain/change';
import { ChangedFileList, type ListContext } from './changed-file-list';
import { flatItems } from './file-tree';
import { MoreRows } from './more-rows';

export function MovedFiles({ change, context, count }: { change: ShownChange; context: ListContext; count: number }) {
  const listed = change.files.filter(({ origin }) => origin === 'git');
  const complete = listed.length >= count;
  const { bodies } = useReviewedChange();
  const query = useInfiniteQuery({
    queryKey: [bodies.key, 'moved'],
    queryFn: ({ pageParam, signal }) =>
      bodies.rows({ origin: 'git', ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: !complete,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });
  const paged = query.data?.pages.flatMap(({ files }) => files) ?? [];
  const files = paged.length >= listed.length ? paged : listed;
  return (
    <>
      <ChangedFileList items={flatItems(files)} context={context} label="Files that came with git" />
      {!complete && files.length < count && (
        <MoreRows
          missing={count - files.length}
          loaded={files.length}
          loading={query.isFetching}
          onNear={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}
