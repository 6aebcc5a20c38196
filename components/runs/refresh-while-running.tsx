/** Keeps the page of a run that goes on current: reads it anew, at most once a second, when its session tells something. */
'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { EVENT_NAMES } from '@/lib/domain/events';
import type { SessionId } from '@/lib/domain/ids';

/** Milliseconds between two readings. */
const PAUSE_MS = 1_000;

export function RefreshWhileRunning({ sessionId, lastEventId }: { sessionId: SessionId; lastEventId: number }) {
  const router = useRouter();
  // The stream goes on over readings: it begins after the first.
  const [begin] = useState(lastEventId);
  useEffect(() => {
    let stream: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let lastSeen = begin;
    const refreshSoon = () => {
      timer ??= setTimeout(() => {
        timer = null;
        router.refresh();
      }, PAUSE_MS);
    };
    const open = () => {
      if (stream) return;
      stream = new EventSource(`/api/sessions/${sessionId}/events?last_event_id=${lastSeen}`);
      for (const name of [...EVENT_NAMES, 'resync']) {
        stream.addEventListener(name, (event: MessageEvent) => {
          lastSeen = Number(event.lastEventId);
          refreshSoon();
        });
      }
    };
    const close = () => {
      stream?.close();
      stream = null;
    };
    const follow = () => (document.visibilityState === 'visible' ? open() : close());
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      if (timer !== null) clearTimeout(timer);
      close();
    };
  }, [sessionId, router, begin]);
  return null;
}
