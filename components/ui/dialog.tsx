/** A modal dialog on the browser's own `<dialog>`: it keeps the focus, closes on Escape and gives the focus back. */
'use client';

import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button';
import { classNames } from './class-names';
import styles from './dialog.module.css';

export function Dialog({
  title,
  open,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  open: boolean;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself; the click is for the ground around it
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={classNames(styles.dialog, wide && styles.wide)}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {open && (
        <div className={styles.body}>
          <header className={styles.header}>
            <h2 id={id} className={styles.title}>
              {title}
            </h2>
            <IconButton label="Close" icon={X} onClick={onClose} />
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
