/** Opens the dialog that makes, lists and revokes links to a run. */
'use client';

import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Later, LaterPart } from '@/components/ui/later';
import type { ChangedFile } from '@/lib/domain/change';
import styles from './share-button.module.css';

const shareDialog = new LaterPart(() => import('./share-dialog').then(({ ShareDialog }) => ShareDialog));

export function ShareButton({ runId, files }: { runId: string; files: ChangedFile[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" icon={Share2} onClick={() => setOpen(true)}>
        <span className={styles.word}>Share</span>
      </Button>
      {open && <Later part={shareDialog} props={{ runId, files, onClose: () => setOpen(false) }} />}
    </>
  );
}
