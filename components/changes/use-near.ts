/** Whether an element is in or near the window, by one observer for all elements of a scroller. */
import { type RefObject, useEffect, useState } from 'react';
import { scrollerOf } from './keep-in-place';

/** Distance from the window that still counts as near, in pixels. */
const NEAR_PX = 1000;

interface Watcher {
  observer: IntersectionObserver;
  elements: Map<Element, (near: boolean) => void>;
}

const watchers = new WeakMap<Element, Watcher>();

function watch(element: Element, tell: (near: boolean) => void): () => void {
  const scroller = scrollerOf(element);
  const watcher = watchers.get(scroller) ?? startWatcher(scroller);
  watcher.elements.set(element, tell);
  watcher.observer.observe(element);
  return () => {
    watcher.elements.delete(element);
    watcher.observer.unobserve(element);
    if (watcher.elements.size > 0) return;
    watcher.observer.disconnect();
    watchers.delete(scroller);
  };
}

function startWatcher(scroller: Element): Watcher {
  const elements: Watcher['elements'] = new Map();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) elements.get(target)?.(isIntersecting);
    },
    { root: scroller === document.scrollingElement ? null : scroller, rootMargin: `${NEAR_PX}px 0px` },
  );
  const watcher = { observer, elements };
  watchers.set(scroller, watcher);
  return watcher;
}

/** `initially` is the answer until the first look. `off` stops looking; the answer then stays. */
export function useNear(element: RefObject<Element | null>, initially: boolean, off = false): boolean {
  const [near, setNear] = useState(initially);
  useEffect(() => {
    if (!off && element.current) return watch(element.current, setNear);
  }, [element, off]);
  return near;
}
