/** The end of a list that has not all come yet: loads on when it is scrolled to, and says how much is missing. */
'use client';

import { useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import styles from './change-block.module.css';
import { useNear } from './use-near';

export function MoreRows({
  missing,
  loaded,
  loading,
  onNear,
}: {
  /** Null where nobody knows. */
  missing: number | null;
  loaded: number;
  loading: boolean;
  onNear: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const near = useNear(place, false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again whenever a page has come and the end is still near
  useEffect(() => {
    if (near && !loading) onNear();
  }, [near, loading, loaded]);
  return (
    <div ref={place} className={styles.part} role="status">
      {loading
        ? `Loading names, ${loaded} so far`
        : missing === null
          ? 'There may be more.'
          : `${missing} more ${missing === 1 ? 'file' : 'files'}.`}{' '}
      {!loading && (
        <Button look="ghost" onClick={onNear}>
          Load more
        </Button>
      )}
    </div>
  );
}
