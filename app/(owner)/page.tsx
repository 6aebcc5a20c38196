import type { Metadata } from 'next';
import { SessionsPage } from '@/components/sessions/sessions-page';
import { readSessionList } from '@/lib/server/read-models';

export const metadata: Metadata = { title: 'Sessions' };

/** All sessions by folder; with `?q=`, those and the runs that match. */
export default async function Page({ searchParams }: PageProps<'/'>) {
  const { q, cursor } = await searchParams;
  const query = (Array.isArray(q) ? q[0] : q)?.trim().slice(0, 200) ?? '';
  const list = await readSessionList({
    limit: 100,
    ...(query !== '' && { query }),
    ...(typeof cursor === 'string' && { cursor }),
  });
  return <SessionsPage {...list} query={query} isFirstPage={cursor === undefined} />;
}
