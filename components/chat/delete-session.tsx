/** Asks before a session goes with everything that hangs on it. */
'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { callAction } from '@/lib/client/action-result';
import { lookAtSessions } from '@/lib/client/sessions-query';
import type { Session } from '@/lib/domain/conversation';
import type { SessionActions } from './session-actions';
import styles from './session-dialogs.module.css';

export function DeleteSession({
  session,
  onClose,
  remove,
}: {
  session: Session;
  onClose: () => void;
  remove: SessionActions['deleteSession'];
}) {
  const router = useRouter();
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);

  const confirm = async () => {
    setDeleting(true);
    const removed = await callAction(remove, { sessionId: session.id });
    if (removed.ok) {
      lookAtSessions(client);
      router.push('/');
      return;
    }
    setDeleting(false);
    setProblem(removed.error.message);
  };

  return (
    <Dialog title={`Delete “${session.title}”?`} onClose={onClose}>
      <div className={styles.form}>
        <p>
          Its messages, runs, changes, patches and shared links go, for good. A run that goes on is stopped first. The
          files in the folder stay as they are.
        </p>
        {problem && <Notice kind="error">{problem}</Notice>}
        <div className={styles.end}>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" busy={isDeleting} onClick={() => void confirm()}>
            Delete session
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
