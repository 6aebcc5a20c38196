/** Says that something failed, under which number the server's terminal tells more, and offers to try again. */
'use client';

/** Built of plain elements and `globals.css`: every page loads this, and hardly one shows it. */
export function FailureNotice({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <div className="failure" role="alert">
      <p>
        <b>This could not be shown.</b>{' '}
        {digest === null ? 'Something failed in the page.' : `The terminal of Tidemark says more under ${digest}.`}
      </p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
