/** The shared run behind a link: reads further rows and patches through the link's own door. */
'use client';

import { useMemo } from 'react';
import { sharedBodies } from '@/lib/client/change-bodies';
import { type SharedRunProps, SharedRunView } from './shared-run';

export function SharePage({ token, ...shown }: { token: string } & Omit<SharedRunProps, 'bodies' | 'note'>) {
  const bodies = useMemo(() => sharedBodies(token), [token]);
  return <SharedRunView {...shown} bodies={bodies} note="Shared from Tidemark, read-only." />;
}
