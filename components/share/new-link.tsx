/** The link just made, to be copied; where it opens on this computer only, the file that can be sent instead. */
'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { copyText } from '@/lib/client/copy-text';
import type { ShareLink } from '@/lib/client/share-requests';
import styles from './share-dialog.module.css';

export function NewLink({ link, runId, onAnother }: { link: ShareLink; runId: string; onAnother: () => void }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  return (
    <>
      <div className={styles.link}>
        <input
          readOnly
          aria-label="Link to this run"
          className={styles.url}
          value={link.url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button look="primary" onClick={async () => setCopied(await copyText(link.url))}>
          Copy link
        </Button>
      </div>
      <p role="status" className={styles.said}>
        {copied === null
          ? ''
          : copied
            ? 'Copied.'
            : 'The browser did not let this be copied; select it and copy it by hand.'}
      </p>
      {!link.is_public && (
        <Notice kind="info" title="Opens on this computer only.">
          To send the run to somebody else, send{' '}
          <a href={`/api/runs/${runId}/export.html`} download>
            the HTML file
          </a>
          : it shows the same without any server. Links open elsewhere once TIDEMARK_PUBLIC_URL is set.
        </Notice>
      )}
      <div>
        <Button onClick={onAnother}>Make another</Button>
      </div>
    </>
  );
}
