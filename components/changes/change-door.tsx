/** Which door a page's change blocks read through: the owner's API unless a page above says otherwise. */
'use client';

import { createContext, type ReactNode, use, useMemo } from 'react';
import { type ChangeBodies, ownerBodies, sessionBodies } from '@/lib/client/change-bodies';
import type { ShownChange } from '@/lib/domain/change';

const ChangeDoorContext = createContext<ChangeBodies | null>(null);

/** For pages that show one change through a door of its own: a share, an exported file. */
export function ChangeDoor({ bodies, children }: { bodies: ChangeBodies; children: ReactNode }) {
  return <ChangeDoorContext value={bodies}>{children}</ChangeDoorContext>;
}

export function useChangeBodies(change: ShownChange): ChangeBodies {
  const given = use(ChangeDoorContext);
  const { sessionId, runId, changeId, generation, source } = change;
  const own = useMemo(
    () =>
      source === 'session'
        ? sessionBodies({ sessionId, generation })
        : ownerBodies({ sessionId, runId, changeId, generation, source }),
    [sessionId, runId, changeId, generation, source],
  );
  return given ?? own;
}
