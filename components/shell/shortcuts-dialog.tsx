/** The keys of the product: the list that `?` opens, and the keys that work everywhere. */
'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { KeyHint } from '@/components/ui/key-hint';
import { usePreferences } from '@/lib/client/use-preferences';
import { SHORTCUTS } from './shortcuts';
import styles from './shortcuts-dialog.module.css';

export const SEARCH_FIELD = 'search';

export function ShortcutsDialog() {
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
      <Dialog title="Keyboard" open={open} onClose={() => setOpen(false)} wide>
        {!preferences.shortcuts && (
          <p className={styles.note}>
            Single keys are switched off in the <Link href="/settings">settings</Link>; those with Enter, Escape and the
            arrows work.
          </p>
        )}
        <div className={styles.groups}>
          {SHORTCUTS.map((group) => (
            <section key={group.where}>
              <h3 className={styles.where}>{group.where}</h3>
              <dl className={styles.keys}>
                {group.keys.map(({ keys, does }) => (
                  <div key={does}>
                    <dt>
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </Dialog>
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
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.role === 'textbox')
  );
}
