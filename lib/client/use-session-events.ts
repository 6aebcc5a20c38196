/** A session's timeline as React state: current while the page is looked at, resumed by id when it is again. */
'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import type { TimelineSlice } from '@/lib/domain/events';
import { BROWSER, createSessionFeed, type FeedState } from './session-feed';

/**
 * `initial` is read once: a page for another session needs a `key` of its own. `staysOpen`: something here waits for the
 * end of a run, so the stream is kept although nobody looks.
 */
export function useSessionEvents(
  initial: TimelineSlice,
  { staysOpen }: { staysOpen: boolean },
): FeedState & { loadOlder: () => void } {
  const [feed] = useState(() => createSessionFeed(initial, BROWSER));
  const state = useSyncExternalStore(feed.subscribe, feed.state, feed.state);

  useEffect(() => {
    const follow = () => (staysOpen || document.visibilityState === 'visible' ? feed.open() : feed.close());
    follow();
    document.addEventListener('visibilitychange', follow);
    window.addEventListener('pagehide', feed.close);
    window.addEventListener('pageshow', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      window.removeEventListener('pagehide', feed.close);
      window.removeEventListener('pageshow', follow);
    };
  }, [feed, staysOpen]);

  useEffect(() => feed.close, [feed]);

  return { ...state, loadOlder: feed.loadOlder };
}
