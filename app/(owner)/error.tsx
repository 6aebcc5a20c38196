'use client';

import { FailureNotice } from '@/components/shell/failure-notice';
import { PageHeader } from '@/components/shell/page-header';

/** For a page that failed, with the rail beside it. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <>
      <PageHeader title="This page failed" />
      <FailureNotice error={error} retry={retry} />
    </>
  );
}
