/** The head of a session: its title, who works where, and what can be done with the session itself. */
'use client';

import { Ellipsis } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { PageHeader } from '@/components/shell/page-header';
import { Later, LaterPart } from '@/components/ui/later';
import { Menu } from '@/components/ui/menu';
import { counted } from '@/lib/domain/change-words';
import type { Session } from '@/lib/domain/conversation';
import type { SessionActions } from './session-actions';
import styles from './session-header.module.css';

const deleteSession = new LaterPart(() => import('./delete-session').then((module) => module.DeleteSession));
const renameSession = new LaterPart(() => import('./rename-session').then((module) => module.RenameSession));

export function SessionHeader({
  session,
  displayWorkspace,
  agentName,
  runs,
  actions,
}: {
  session: Session;
  displayWorkspace: string;
  agentName: string | null;
  runs: number;
  actions: Pick<SessionActions, 'renameSession' | 'deleteSession'>;
}) {
  const router = useRouter();
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <PageHeader
        title={session.title}
        sub={
          <>
            <span className={styles.chip}>{agentName ?? 'outside host'}</span>
            <span className={styles.folder} title={session.workspace}>
              {displayWorkspace}
            </span>
            {session.workspaceKind !== 'git' && <span>· no git</span>}
            <span className={styles.runs}>· {counted(runs, 'run')}</span>
          </>
        }
        actions={
          <Menu
            label="Session"
            icon={Ellipsis}
            align="end"
            items={[
              { id: 'rename', label: 'Rename', onChoose: () => setDialog('rename') },
              {
                id: 'new',
                label: 'New session in this folder',
                onChoose: () => router.push(`/sessions/new?workspace=${encodeURIComponent(session.workspace)}`),
              },
              { id: 'delete', label: 'Delete session', danger: true, onChoose: () => setDialog('delete') },
            ]}
          />
        }
      />
      {dialog === 'rename' && (
        <Later part={renameSession} props={{ session, onClose: close, rename: actions.renameSession }} />
      )}
      {dialog === 'delete' && (
        <Later part={deleteSession} props={{ session, onClose: close, remove: actions.deleteSession }} />
      )}
    </>
  );
}
