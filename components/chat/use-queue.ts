/** The message that waits for the end of a run, and the draft being written; both survive a reload of the page. */
'use client';

import { useCallback, useEffect, useState } from 'react';
import type { SessionId } from '@/lib/domain/ids';

export interface Queue {
  queued: string | null;
  setQueued: (text: string | null) => void;
  draft: string;
  setDraft: (text: string) => void;
}

export function useQueue(sessionId: SessionId): Queue {
  const [queued, setQueued] = useStored(`tidemark queued ${sessionId}`);
  const [draft, setDraft] = useStored(`tidemark draft ${sessionId}`);
  return {
    queued: queued === '' ? null : queued,
    setQueued: useCallback((text: string | null) => setQueued(text ?? ''), [setQueued]),
    draft,
    setDraft,
  };
}

/** Text that this tab keeps. Empty on the server and in the first paint, so that both render the same. */
function useStored(key: string): [string, (text: string) => void] {
  const [text, setText] = useState('');
  useEffect(() => {
    try {
      setText((now) => (now === '' ? (sessionStorage.getItem(key) ?? '') : now));
    } catch {
      // Storage may be switched off; then nothing survives a reload.
    }
  }, [key]);
  const store = useCallback(
    (value: string) => {
      setText(value);
      try {
        if (value === '') sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, value);
      } catch {
        // As above, or it is full.
      }
    },
    [key],
  );
  return [text, store];
}
