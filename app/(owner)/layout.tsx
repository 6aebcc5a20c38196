import { Shell } from '@/components/shell/shell';
import { RAIL_SESSIONS } from '@/lib/client/sessions-query';
import { readSessionList } from '@/lib/server/read-models';

/** The owner's pages, with the rail beside them. */
export default async function OwnerLayout({ children }: LayoutProps<'/'>) {
  const { sessions } = await readSessionList({ limit: RAIL_SESSIONS });
  return <Shell sessions={sessions}>{children}</Shell>;
}
