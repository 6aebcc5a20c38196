/** The single keys of a change block as a handler, while the reader has not switched them off. */
'use client';

import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { usePreferences } from '@/lib/client/use-preferences';
import { onReviewKey, type ReviewActions } from './review-keys';

/** To be put on the block itself, so that what stands inside it hears a key first. */
export function useReviewKeys(actions: ReviewActions): (event: KeyboardEvent<HTMLElement>) => void {
  const { shortcuts } = usePreferences().preferences;
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  return useCallback(
    (event) => {
      if (!shortcuts || event.defaultPrevented) return;
      if (!onReviewKey(event.currentTarget, event.nativeEvent, current.current)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    [shortcuts],
  );
}
