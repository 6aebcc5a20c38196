/** How much is kept, by folder and by session, and a way to have less of it. */
'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import { type Action, callAction } from '@/lib/client/action-result';
import { bytesInWords, counted } from '@/lib/domain/change-words';
import type { SettingsRead } from './settings-read';
import styles from './storage-section.module.css';

export function StorageSection({
  read: { storage, limits },
  freeSpace,
}: {
  read: SettingsRead;
  freeSpace: Action<{ keepBytes: number }, { expired: number }>;
}) {
  const bodies = storage.workspaces.reduce((sum, { bytes }) => sum + bytes, 0);
  const total = storage.databaseBytes + bodies;
  return (
    <>
      <p className={styles.sum}>
        {counted(storage.sessionCount, 'session')}, {counted(storage.runCount, 'run')},{' '}
        {counted(storage.changeCount, 'change')}
        {storage.expiredCount > 0 && `, of ${storage.expiredCount} only the list is left`}: <b>{bytesInWords(total)}</b>{' '}
        of at most {bytesInWords(limits.retentionBytes)}.
      </p>
      <meter
        className={styles.meter}
        min={0}
        max={limits.retentionBytes}
        value={Math.min(total, limits.retentionBytes)}
        aria-label="Space used"
      >
        {bytesInWords(total)}
      </meter>
      <p className={styles.rule}>
        Patches and contents go {counted(limits.retentionDays, 'day')} after their run, or when a session has more than{' '}
        {limits.retentionRuns} runs, or when all of them need more than {bytesInWords(limits.retentionBytes)}; the
        oldest first.
      </p>
      <FreeSpace total={total} freeSpace={freeSpace} />
      {storage.workspaces.length > 0 && (
        <Table
          caption="Contents kept, by folder"
          rows={storage.workspaces.map(({ root, displayRoot, bytes }) => ({ key: root, name: displayRoot, bytes }))}
        />
      )}
      {storage.largestSessions.some(({ bytes }) => bytes > 0) && (
        <Table
          caption="Patches in the database, by session"
          rows={storage.largestSessions
            .filter(({ bytes }) => bytes > 0)
            .map(({ id, title, bytes }) => ({
              key: id,
              name: <Link href={`/sessions/${id}`}>{title}</Link>,
              bytes,
            }))}
        />
      )}
    </>
  );
}

function Table({ caption, rows }: { caption: string; rows: { key: string; name: React.ReactNode; bytes: number }[] }) {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <tbody>
        {rows.map(({ key, name, bytes }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{bytesInWords(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FreeSpace({
  total,
  freeSpace,
}: {
  total: number;
  freeSpace: Action<{ keepBytes: number }, { expired: number }>;
}) {
  const [isAsking, setAsking] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const [outcome, setOutcome] = useState<{ kind: 'info' | 'error'; words: string } | null>(null);

  const free = async (keepBytes: number) => {
    setWorking(true);
    const freed = await callAction(freeSpace, { keepBytes });
    setWorking(false);
    setAsking(false);
    setOutcome(
      freed.ok
        ? { kind: 'info', words: `${counted(freed.value.expired, 'change')} lost patches and contents.` }
        : { kind: 'error', words: freed.error.message },
    );
  };

  return (
    <>
      <div>
        <Button onClick={() => setAsking(true)}>Free space</Button>
      </div>
      {outcome && <Notice kind={outcome.kind}>{outcome.words}</Notice>}
      {isAsking && (
        <Dialog title="Free space" onClose={() => setAsking(false)}>
          <p>
            The oldest patches and contents are taken away. Which files a run changed stays listed; its patches can no
            longer be shown.
          </p>
          <div className={styles.ways}>
            <Button busy={isWorking} onClick={() => void free(Math.floor(total / 2))}>
              Keep the newest half
            </Button>
            <Button busy={isWorking} look="danger" onClick={() => void free(0)}>
              Keep none
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
