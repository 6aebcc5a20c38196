/** The tools of an opened patch: one tab stop, arrows move within. */
'use client';

import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import styles from './patch-toolbar.module.css';

export interface Tool {
  id: string;
  label: string;
  /** Set for one that is on or off. */
  pressed?: boolean;
  disabled?: boolean;
  /** Why it is disabled, or what it does. */
  title?: string;
  onPress: () => void;
}

export function PatchToolbar({
  path,
  note,
  tools,
  children,
}: {
  path: string;
  /** What is compared with what. */
  note: string;
  tools: Tool[];
  children?: ReactNode;
}) {
  const [active, setActive] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tools.length, End: tools.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(tools.length - 1, Math.max(0, active + step));
    setActive(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')[next]?.focus();
  };
  return (
    <div className={styles.bar}>
      <span className={styles.note}>{note}</span>
      <span className={styles.space} />
      <div role="toolbar" aria-label={`View of ${path}`} className={styles.tools} onKeyDown={onKeyDown}>
        {tools.map(({ id, label, pressed, disabled, title, onPress }, index) => (
          <button
            key={id}
            type="button"
            data-tool={id}
            className={classNames(styles.tool, pressed && styles.on)}
            aria-pressed={pressed}
            aria-disabled={disabled || undefined}
            title={title}
            tabIndex={index === Math.min(active, tools.length - 1) ? 0 : -1}
            onFocus={() => setActive(index)}
            onClick={() => {
              if (!disabled) onPress();
            }}
          >
            {label}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
