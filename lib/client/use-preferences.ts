/** The reader's preferences as React state: one source for all components, written back to the cookie and the document. */
'use client';

import { createContext, createElement, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import { DEFAULT_PREFERENCES, formatPreferences, PREFERENCES_COOKIE, type Preferences } from './preferences';

interface PreferencesState {
  preferences: Preferences;
  choose: (chosen: Partial<Preferences>) => void;
}

const PreferencesContext = createContext<PreferencesState>({ preferences: DEFAULT_PREFERENCES, choose: () => {} });

/** A year, in seconds. */
const MAX_AGE = 31_536_000;

export function PreferencesProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const [preferences, setPreferences] = useState(initial);
  const choose = useCallback(
    (chosen: Partial<Preferences>) => {
      const next = { ...preferences, ...chosen };
      setPreferences(next);
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and without TLS
      document.cookie = `${PREFERENCES_COOKIE}=${formatPreferences(next)}; path=/; max-age=${MAX_AGE}; SameSite=Lax`;
      showPreferences(document.documentElement, next);
    },
    [preferences],
  );
  const state = useMemo(() => ({ preferences, choose }), [preferences, choose]);
  return createElement(PreferencesContext, { value: state }, children);
}

export function usePreferences(): PreferencesState {
  return use(PreferencesContext);
}

function showPreferences(root: HTMLElement, preferences: Preferences): void {
  if (preferences.theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = preferences.theme;
  if (preferences.palette === 'standard') delete root.dataset.palette;
  else root.dataset.palette = preferences.palette;
}
