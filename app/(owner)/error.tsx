'use client';

import { FailureNotice } from '@/components/shell/failure-notice';

/** For a page that failed, with the rail beside it. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <FailureNotice error={error} retry={retry} />;
}
