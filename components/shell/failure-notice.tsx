/** Says that something failed, under which number the server's terminal tells more, and offers to try again. */
'use client';

import { Notice } from '@/components/ui/notice';
import styles from './failure-notice.module.css';

export function FailureNotice({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <div className={styles.failure}>
      <Notice kind="error" title="This could not be shown." onRetry={retry}>
        {digest === null ? 'Something failed in the page.' : `The terminal of Tidemark says more under ${digest}.`}
      </Notice>
    </div>
  );
}
