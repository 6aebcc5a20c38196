/** The keys that work everywhere, and the button that lists all of them; the list itself is loaded when it is asked for. */
'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { KeyHint } from '@/components/ui/key-hint';
import { Later, LaterPart } from '@/components/ui/later';
import { usePreferences } from '@/lib/client/use-preferences';
import styles from './shortcuts.module.css';

export const SEARCH_FIELD = 'search';

const shortcutsDialog = new LaterPart(() => import('./shortcuts-dialog').then((module) => module.ShortcutsDialog));

export function Shortcuts() {
  const [open, setOpen] = useState(false);
  const { preferences } = usePreferences();
  const router = useRouter();

  useEffect(() => {
    if (!preferences.shortcuts) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.key === '?') setOpen(true);
      else if (event.key === '/') showSearch();
      else if (event.key === 'c') router.push('/sessions/new');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [preferences.shortcuts, router]);

  return (
    <>
      <button type="button" className={styles.opener} onClick={() => setOpen(true)}>
        Keys <KeyHint>?</KeyHint>
      </button>
      {open && <Later part={shortcutsDialog} props={{ onClose: () => setOpen(false) }} />}
    </>
  );
}

function showSearch(): void {
  const field = document.getElementById(SEARCH_FIELD);
  // On a phone the rail, and the field in it, is a popover.
  if (field && !field.checkVisibility()) field.closest<HTMLElement>('[popover]')?.showPopover();
  field?.focus();
}

/** Whether keys are text there. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.role === 'textbox')
  );
}
