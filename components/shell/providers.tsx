/** What every component may use: the reader's preferences, and one cache for what the browser fetches. */
'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Preferences } from '@/lib/client/preferences';
import { RequestFailed } from '@/lib/client/read-json';
import { PreferencesProvider } from '@/lib/client/use-preferences';

/** Answers that trying again does not change. */
const FINAL = new Set([400, 401, 403, 404, 410]);

export function Providers({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            // Records do not change; what does says so by events.
            staleTime: Number.POSITIVE_INFINITY,
            refetchOnWindowFocus: false,
            retry: (failures, error) => failures < 2 && !(error instanceof RequestFailed && FINAL.has(error.status)),
          },
        },
      }),
  );
  return (
    <PreferencesProvider initial={preferences}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </PreferencesProvider>
  );
}
