import type { Metadata } from 'next';
import { SettingsPage } from '@/components/settings/settings-page';
import { readSettings } from '@/lib/server/read-models';
import { freeSpace } from './actions';

export const metadata: Metadata = { title: 'Settings' };

/** The reader's own preferences; what Tidemark keeps and how much of it; the limits in force. */
export default async function Page() {
  return <SettingsPage read={await readSettings()} freeSpace={freeSpace} />;
}
