/** Parts of the page whose code is loaded when they are first needed, or a little before. */
'use client';

import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Notice } from './notice';

/** A component that is loaded later: made once, beside the component that shows it. */
export class LaterPart<Props extends object> {
  private component: ComponentType<Props> | null = null;
  private failure: unknown = null;
  private isLoading = false;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly importPart: () => Promise<ComponentType<Props>>) {}

  /** Begins to load the code; again after it could not be loaded. */
  readonly load = (): void => {
    if (this.component !== null || this.isLoading) return;
    this.isLoading = true;
    this.failure = null;
    this.tell();
    void this.importPart()
      .then(
        (component) => {
          this.component = component;
        },
        (error: unknown) => {
          this.failure = error;
        },
      )
      .finally(() => {
        this.isLoading = false;
        this.tell();
      });
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly loaded = (): ComponentType<Props> | null => this.component;
  readonly failed = (): unknown => this.failure;
}

/**
 * Shows a part, and `fallback` until its code is there; where it could not be loaded, a notice that offers to try again,
 * and the rest of the page stays. In place of `React.lazy` where somebody waits after a click: React keeps what a Suspense
 * boundary showed for at least 300 ms (`FALLBACK_THROTTLE_MS` in ReactFiberWorkLoop.js), even if the code comes in five.
 */
export function Later<Props extends object>({
  part,
  props,
  fallback = null,
}: {
  part: LaterPart<Props>;
  props: Props;
  fallback?: ReactNode;
}) {
  const Component = useSyncExternalStore(part.subscribe, part.loaded, () => null);
  const failure = useSyncExternalStore(part.subscribe, part.failed, () => null);
  // What failed before anybody asked (on the way to a button) is tried again.
  const [old] = useState(part.failed);
  useEffect(part.load, []);
  if (Component !== null) return <Component {...props} />;
  if (failure === null || failure === old) return fallback;
  return (
    <Notice kind="error" onRetry={part.load}>
      This part of the page could not be loaded. Is Tidemark still running?
    </Notice>
  );
}
