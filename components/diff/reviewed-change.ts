/** What an opened file must know of the change it belongs to: the door to its bodies, and where links to it lead. */
'use client';

import { createContext, use } from 'react';
import type { ChangeBodies } from '@/lib/client/change-bodies';

export interface ReviewedChange {
  bodies: ChangeBodies;
  /** What is compared with what, in words. */
  comparedWith: string;
  /** The absolute path of the workspace, for links into an editor; null where there is no such computer. */
  workspace: string | null;
  /** Address of the page that shows this change alone, without its hash; null where it has none. */
  page: string | null;
  /** The reader is on that page: its address follows the lines that are marked. */
  here: boolean;
}

export const ReviewedChangeContext = createContext<ReviewedChange | null>(null);

export function useReviewedChange(): ReviewedChange {
  const change = use(ReviewedChangeContext);
  if (change === null) throw new Error('An opened file stands inside a change block');
  return change;
}
