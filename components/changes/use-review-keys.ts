/** Gives a change block its single keys, while the reader has not switched them off. */
'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { usePreferences } from '@/lib/client/use-preferences';
import { onReviewKey, type ReviewActions } from './review-keys';

export function useReviewKeys(block: RefObject<HTMLElement | null>, actions: ReviewActions): void {
  const { shortcuts } = usePreferences().preferences;
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    const element = block.current;
    if (!element || !shortcuts) return;
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && onReviewKey(element, event, current.current)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    element.addEventListener('keydown', onKey);
    return () => element.removeEventListener('keydown', onKey);
  }, [block, shortcuts]);
}
