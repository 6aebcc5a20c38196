/** The message that waits for the end of a run, and the draft being written; both survive a reload of the page. */
'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SessionId } from '@/lib/domain/ids';

export interface Queue {
  queued: string | null;
  draft: string;
  setDraft: (text: string) => void;
  /** Lets a message wait, behind those that wait already; `ahead`, before them. */
  enqueue: (text: string, ahead?: boolean) => void;
  /** What waits is sent, or given up. */
  clearQueued: () => void;
  /** Puts a message before what is being written. */
  giveBack: (text: string) => void;
}

export function useQueue(sessionId: SessionId): Queue {
  const [queued, setQueued] = useStored(`tidemark queued ${sessionId}`);
  const [draft, setDraft] = useStored(`tidemark draft ${sessionId}`);
  return useMemo(
    () => ({
      queued: queued === '' ? null : queued,
      draft,
      setDraft,
      enqueue: (text, ahead = false) => setQueued((now) => (ahead ? joined(text, now) : joined(now, text))),
      clearQueued: () => setQueued(''),
      giveBack: (text) => setDraft((now) => joined(text, now)),
    }),
    [queued, draft, setQueued, setDraft],
  );
}

function joined(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}\n\n${second}`;
}

/** Text that this tab keeps. Empty on the server and in the first paint, so that both render the same. */
function useStored(key: string): [string, (text: string | ((now: string) => string)) => void] {
  const [text, setText] = useState('');
  // What was set last, for those who set it before it has been painted.
  const latest = useRef('');
  useEffect(() => {
    try {
      if (latest.current === '') latest.current = sessionStorage.getItem(key) ?? '';
      setText(latest.current);
    } catch {
      // Storage may be switched off; then nothing survives a reload.
    }
  }, [key]);
  const store = useCallback(
    (value: string | ((now: string) => string)) => {
      latest.current = typeof value === 'string' ? value : value(latest.current);
      setText(latest.current);
      try {
        if (latest.current === '') sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, latest.current);
      } catch {
        // As above, or it is full.
      }
    },
    [key],
  );
  return [text, store];
}
