import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { SharePage } from '@/components/share/share-page';
import { isAppError } from '@/lib/domain/errors';
import { sharedPage } from '@/lib/server/run-exports';

export const metadata: Metadata = {
  title: 'A shared run',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
};

/** One run for whoever holds its link: no cookie, nothing else reachable. */
export default async function Page({ params }: PageProps<'/s/[token]'>) {
  await connection();
  const { token } = await params;
  try {
    return <SharePage token={token} {...(await sharedPage(token))} />;
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}
