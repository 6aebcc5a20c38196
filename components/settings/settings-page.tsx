/** The settings page: the reader's preferences, what is kept and how to have less of it, the limits in force. */
import { PageHeader } from '@/components/shell/page-header';
import type { Action } from '@/lib/client/action-result';
import { LimitsTable } from './limits-table';
import { PreferencesForm } from './preferences-form';
import styles from './settings-page.module.css';
import type { SettingsRead } from './settings-read';
import { StorageSection } from './storage-section';

export function SettingsPage({
  read,
  freeSpace,
}: {
  read: SettingsRead;
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
