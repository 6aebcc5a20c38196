/** A part of the page whose code is loaded when it is first needed, or a little before. */
'use client';

import { type ComponentType, useEffect, useSyncExternalStore } from 'react';

export interface Later<Props> {
  /** Begins to load the code; again after it could not be loaded. */
  load: () => void;
  /** The component, or null until its code is there. Throws in render where it could not be loaded. */
  usePart: () => ComponentType<Props> | null;
}

/**
 * Like `React.lazy`, for parts that one waits for after a click: React keeps the fallback of a Suspense boundary for at
 * least 300 ms (`FALLBACK_THROTTLE_MS` in ReactFiberWorkLoop.js) even if the code comes in five.
 */
export function later<Props>(importPart: () => Promise<ComponentType<Props>>): Later<Props> {
  let part: ComponentType<Props> | null = null;
  let failure: { error: unknown } | null = null;
  let isLoading = false;
  const listeners = new Set<() => void>();
  const load = () => {
    if (part !== null || isLoading) return;
    isLoading = true;
    failure = null;
    void importPart()
      .then(
        (component) => {
          part = component;
        },
        (error: unknown) => {
          failure = { error };
        },
      )
      .finally(() => {
        isLoading = false;
        for (const listener of listeners) listener();
      });
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const current = () => part;
  const currentFailure = () => failure;
  return {
    load,
    usePart: () => {
      const failed = useSyncExternalStore(subscribe, currentFailure, () => null);
      useEffect(load, []);
      const component = useSyncExternalStore(subscribe, current, () => null);
      if (failed !== null) throw failed.error;
      return component;
    },
  };
}
