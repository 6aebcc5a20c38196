/** The list of all keys, by place. */
'use client';

import { Dialog } from '@/components/ui/dialog';
import { Link } from '@/components/ui/link';
import { usePreferences } from '@/lib/client/use-preferences';
import { SHORTCUTS } from './shortcut-list';
import styles from './shortcuts-dialog.module.css';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { preferences } = usePreferences();
  return (
    <Dialog title="Keyboard" onClose={onClose} wide>
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
  );
}
