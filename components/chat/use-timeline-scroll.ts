/**
 * Where the timeline stands: at its end while a run goes on and nobody scrolled away; otherwise nothing moves by itself.
 * The scroller is turned around (`column-reverse`), so that its end is its origin: it opens there before any script
 * runs, and what is added at its far top never moves what is read.
 */
'use client';

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as its end. */
const NEAR_END = 4;
/** Pixels from the end from which a way back is offered. */
const FAR_FROM_END = 240;

export interface TimelineScroll {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  isFarFromEnd: boolean;
  toEnd: () => void;
}

/**
 * `isFollowing`: new content is what the reader waits for, so the end stays in view. `newest` names the newest run: a new
 * one is shown to whoever stands at the end.
 */
export function useTimelineScroll(
  isFollowing: boolean,
  newest: string | null,
  /** Set by whoever sends a message: the run that comes of it is shown wherever the reader stands. */
  isAwaited: RefObject<boolean>,
): TimelineScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isFarFromEnd, setFarFromEnd] = useState(false);
  const following = useRef(isFollowing);

  const isArriving = useRef(false);

  useLayoutEffect(() => {
    following.current = isFollowing;
  }, [isFollowing]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the arrival of a run, not about what it reads
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (isAwaited.current) box.scrollTop = 0;
    isAwaited.current = false;
    isArriving.current = box.scrollTop > -NEAR_END;
  }, [newest]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    let height = inner.offsetHeight;
    // At its end the browser keeps the end in view. Where nobody waits for it, what was read stays instead.
    const observer = new ResizeObserver(() => {
      const grown = inner.offsetHeight - height;
      height = inner.offsetHeight;
      const stays = following.current || isArriving.current;
      isArriving.current = false;
      if (grown > 0 && !stays && box.scrollTop > -NEAR_END) box.scrollTop = -grown;
    });
    observer.observe(inner);
    const onScroll = () => setFarFromEnd(box.scrollTop < -FAR_FROM_END);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);

  const toEnd = useCallback(() => {
    scroller.current?.scrollTo({ top: 0, behavior: 'smooth' });
  }, []);

  return { scroller, content, isFarFromEnd, toEnd };
}
