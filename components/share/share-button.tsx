/** Opens the dialog that makes, lists and revokes links to a run. */
'use client';

import { Share2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { ChangedFile } from '@/lib/domain/change';
import styles from './share-button.module.css';

const ShareDialog = lazy(() => import('./share-dialog').then(({ ShareDialog }) => ({ default: ShareDialog })));

export function ShareButton({ runId, files }: { runId: string; files: ChangedFile[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" icon={Share2} onClick={() => setOpen(true)}>
        <span className={styles.word}>Share</span>
      </Button>
      {open && (
        <Suspense>
          <ShareDialog runId={runId} files={files} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
