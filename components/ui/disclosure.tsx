/** A heading that opens what it names: a real button with `aria-expanded`; what is closed is not in the document. */
'use client';

import { type ReactNode, useId, useState } from 'react';
import { classNames } from './class-names';
import styles from './disclosure.module.css';
import { Twisty } from './twisty';

export function Disclosure({
  summary,
  level,
  label,
  defaultOpen = false,
  onOpen,
  className,
  children,
}: {
  /** What stands on the button. */
  summary: ReactNode;
  /** Makes the button a heading of this level, for lists that are read by headings. */
  level?: 2 | 3 | 4;
  /** The accessible name, where the visible text is not one. */
  label?: string;
  defaultOpen?: boolean;
  /** Called each time it opens. */
  onOpen?: () => void;
  className?: string | undefined;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(defaultOpen);
  const id = useId();
  const button = (
    <button
      type="button"
      className={styles.button}
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      aria-label={label}
      onClick={() => {
        if (!open) onOpen?.();
        setOpen(!open);
      }}
    >
      <Twisty />
      {summary}
    </button>
  );
  const Heading = level ? (`h${level}` as const) : null;
  return (
    <div className={classNames(styles.disclosure, className)}>
      {Heading ? <Heading className={styles.heading}>{button}</Heading> : button}
      {open && <div id={id}>{children}</div>}
    </div>
  );
}
