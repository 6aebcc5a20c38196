/** A moment in the reader's own time zone; the server's guess is replaced without a hydration error. */
'use client';

import { useSyncExternalStore } from 'react';
import { formatInstant } from '@/lib/client/format';

const never = () => () => {};

export function Instant({ at }: { at: number }) {
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const iso = new Date(at).toISOString();
  return (
    // The key makes React write the text anew once it runs where the reader is.
    <time key={inBrowser ? 'browser' : 'server'} dateTime={iso} title={iso} suppressHydrationWarning>
      {formatInstant(at, Date.now())}
    </time>
  );
}
