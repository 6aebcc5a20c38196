'use client';

import { FailureNotice } from '@/components/shell/failure-notice';

/** For pages without a rail, and for the rail itself. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main>
      <FailureNotice error={error} retry={retry} />
    </main>
  );
}
