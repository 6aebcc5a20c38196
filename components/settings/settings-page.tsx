/** The settings page: the reader's preferences, what is kept and how to have less of it, the limits in force. */
import { PageHeader } from '@/components/shell/page-header';
import type { Action } from '@/lib/client/action-result';
import type { SessionId } from '@/lib/domain/ids';
import type { Limits } from '@/lib/domain/limits';
import { LimitsTable } from './limits-table';
import { PreferencesForm } from './preferences-form';
import styles from './settings-page.module.css';
import { StorageSection } from './storage-section';

export interface SettingsPageRead {
  version: string;
  node: string;
  dataDir: string;
  storage: {
    databaseBytes: number;
    sessionCount: number;
    runCount: number;
    changeCount: number;
    /** Changes whose bodies retention took. */
    expiredCount: number;
    largestSessions: { id: SessionId; title: string; bytes: number }[];
    /** Bytes that capture keeps, by folder. */
    workspaces: { root: string; displayRoot: string; bytes: number }[];
  };
  limits: Limits;
}

export function SettingsPage({
  read,
  freeSpace,
}: {
  read: SettingsPageRead;
  freeSpace: Action<{ keepBytes: number }, { expired: number }>;
}) {
  return (
    <>
      <PageHeader title="Settings" sub={`Tidemark ${read.version} · Node ${read.node} · data in ${read.dataDir}`} />
      <div className={styles.page}>
        <section aria-labelledby="preferences" className={styles.section}>
          <h2 id="preferences">In this browser</h2>
          <PreferencesForm />
        </section>
        <section aria-labelledby="storage" className={styles.section}>
          <h2 id="storage">What is kept</h2>
          <StorageSection read={read} freeSpace={freeSpace} />
        </section>
        <section aria-labelledby="limits" className={styles.section}>
          <h2 id="limits">Limits in force</h2>
          <LimitsTable limits={read.limits} />
        </section>
      </div>
    </>
  );
}
