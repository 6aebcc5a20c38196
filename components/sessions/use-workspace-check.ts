/** Asks the server what a folder is, a moment after the last key; only the answer to the newest question counts. */
'use client';

import { useEffect, useState } from 'react';
import { type Action, callAction } from '@/lib/client/action-result';
import type { WorkspaceKind } from '@/lib/domain/workspace';

export interface WorkspaceCheck {
  workspace: string;
  kind: WorkspaceKind;
  /** Top level of the repository that encloses it, or null. */
  repository: string | null;
  /** Snapshots are off there. */
  wholeFolder: boolean;
}

export type WorkspaceChecked =
  | { state: 'unknown' }
  | { state: 'fine'; found: WorkspaceCheck }
  | { state: 'wrong'; message: string };

/** Milliseconds without a key before the folder is asked about. */
const PAUSE_MS = 350;

export function useWorkspaceCheck(check: Action<{ path: string }, WorkspaceCheck>, path: string): WorkspaceChecked {
  const [checked, setChecked] = useState<{ path: string; result: WorkspaceChecked } | null>(null);
  const asked = path.trim();

  useEffect(() => {
    if (asked === '') return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const answer = await callAction(check, { path: asked });
      if (!isCurrent) return;
      const result: WorkspaceChecked = answer.ok
        ? { state: 'fine', found: answer.value }
        : answer.error.code === 'offline'
          ? { state: 'unknown' }
          : { state: 'wrong', message: answer.error.message };
      setChecked({ path: asked, result });
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [check, asked]);

  return checked?.path === asked && asked !== '' ? checked.result : { state: 'unknown' };
}
