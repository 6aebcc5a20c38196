/** What git itself moved during the run, and the files that came with it, folded: not the run's own work. */
'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { useId, useState } from 'react';
import { useReviewedChange } from '@/components/diff/reviewed-change';
import { Twisty } from '@/components/ui/twisty';
import type { ShownChange } from '@/lib/domain/change';
import { counted, moveCommand, moveInWords } from '@/lib/domain/change-words';
import { ChangedFileList, type ListContext } from './changed-file-list';
import { flatItems } from './file-tree';
import styles from './git-moves.module.css';
import { keepInPlace } from './keep-in-place';
import { MoreRows } from './more-rows';

export function GitMoves({ change, context }: { change: ShownChange; context: ListContext }) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const { git } = change;
  if (git === null || (git.moves.length === 0 && git.movedCount === 0)) return null;
  const moves = git.moves.map(moveInWords).join(', ') || 'git';
  const by = [...new Set(git.moves.filter(({ action }) => action !== 'commit').map(moveCommand))].join(' and ');
  const face = (
    <>
      <GitBranch aria-hidden="true" className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.moves}>{moves}</span>
        {git.movedCount > 0 && `, ${counted(git.movedCount, 'file')}`}
        {by !== '' && <span className={styles.by}> {git.movedCount > 0 ? `came with ${by}` : by}</span>}
      </span>
    </>
  );
  if (git.movedCount === 0) return <div className={styles.line}>{face}</div>;
  return (
    <div>
      <button
        type="button"
        className={styles.line}
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={(event) => keepInPlace(event.currentTarget, () => setShown(!shown))}
      >
        <Twisty />
        {face}
      </button>
      {shown && (
        <div id={id} className={styles.files}>
          <MovedFiles change={change} context={context} count={git.movedCount} />
        </div>
      )}
    </div>
  );
}

/** The moved rows: the summary's where it holds all of them, else paged. */
function MovedFiles({ change, context, count }: { change: ShownChange; context: ListContext; count: number }) {
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
