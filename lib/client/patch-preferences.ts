/** How a reader likes patches drawn; one choice for all of them, kept in the browser. */
import { useSyncExternalStore } from 'react';

export interface PatchPreferences {
  view: 'unified' | 'split';
  wrap: boolean;
  /** Leaves out changes of blanks; never kept beyond the page, since it hides changes. */
  ignoreWhitespace: boolean;
}

const DEFAULTS: Readonly<PatchPreferences> = { view: 'unified', wrap: false, ignoreWhitespace: false };
const STORED_AS = 'tidemark.patch';

let current: PatchPreferences | null = null;
const listeners = new Set<() => void>();

function read(): PatchPreferences {
  current ??= { ...DEFAULTS, ...stored() };
  return current;
}

function stored(): Partial<PatchPreferences> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    const { view, wrap } = value as Partial<Record<keyof PatchPreferences, unknown>>;
    return {
      ...(view === 'unified' || view === 'split' ? { view } : {}),
      ...(typeof wrap === 'boolean' ? { wrap } : {}),
    };
  } catch {
    // No storage (a private window, a file from disk), or not ours: the defaults do.
    return {};
  }
}

export function choosePatchPreferences(chosen: Partial<PatchPreferences>): void {
  current = { ...read(), ...chosen };
  try {
    localStorage.setItem(STORED_AS, JSON.stringify({ view: current.view, wrap: current.wrap }));
  } catch {
    // Kept for this page alone.
  }
  for (const listener of listeners) listener();
}

export function usePatchPreferences(): PatchPreferences {
  return useSyncExternalStore(subscribe, read, () => DEFAULTS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
