'use client';

import './globals.css';
import { FailureNotice } from '@/components/shell/failure-notice';

/** For a failure of the document itself. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Tidemark failed</title>
        <main>
          <FailureNotice error={error} retry={retry} />
        </main>
      </body>
    </html>
  );
}
