import type { Metadata } from 'next';
import { NewSessionPage } from '@/components/sessions/new-session-page';
import { readNewSession } from '@/lib/server/read-models';
import { checkWorkspace, createSession, listFolders } from '../actions';

export const metadata: Metadata = { title: 'New session' };

/** A folder and an agent; `?workspace=` says which folder. */
export default async function Page({ searchParams }: PageProps<'/sessions/new'>) {
  const { workspace } = await searchParams;
  const read = await readNewSession();
  return (
    <NewSessionPage
      {...read}
      initialWorkspace={typeof workspace === 'string' ? workspace : ''}
      actions={{ createSession, checkWorkspace, listFolders }}
    />
  );
}
