/** A modal dialog on the browser's own `<dialog>`: it keeps the focus, closes on Escape and gives the focus back. */
'use client';

import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from './button';
import { classNames } from './class-names';
import styles from './dialog.module.css';

/** Open as long as it is rendered; by the side of the page, since what asks for it may be folded away (the rail of a phone). */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!element.open) element.showModal();
    // Closed before it is taken away, so that the focus goes back to where it was.
    return () => element.close();
  }, []);

  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself; the click is for the ground around it
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={classNames(styles.dialog, wide && styles.wide)}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.body}>
        <header className={styles.header}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <IconButton label="Close" icon={X} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
