/** A button that opens a menu: arrows, Home, End and letters move, Enter chooses, Escape closes and gives the focus back. */
'use client';

import { Check, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names';
import styles from './menu.module.css';

export interface MenuItem {
  id: string;
  label: string;
  detail?: string | null;
  /** Set for one of several: the menu shows which is chosen. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  onChoose: () => void;
}

export function Menu({
  label,
  icon: Icon,
  face,
  items,
  align = 'start',
  side = 'below',
  buttonClassName,
}: {
  /** The accessible name of the button. */
  label: string;
  /** Stands on the button alone. */
  icon?: LucideIcon;
  /** Or what else stands on it, with a look of its own. */
  face?: ReactNode;
  buttonClassName?: string | undefined;
  items: MenuItem[];
  align?: 'start' | 'end';
  side?: 'below' | 'above';
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!open) return;
    const entries = entriesOf(list.current);
    (entries.find((entry) => entry.getAttribute('aria-checked') === 'true') ?? entries[0])?.focus();
  }, [open]);

  useEffect(() => {
    if (!open) return;
    const close = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!list.current?.contains(target) && !button.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [open]);

  const closeToButton = () => {
    setOpen(false);
    button.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const entries = entriesOf(list.current);
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const next = nextEntry(event.key, at, entries);
    if (next !== null) {
      event.preventDefault();
      entries[next]?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      closeToButton();
    } else if (event.key === 'Tab') setOpen(false);
  };

  return (
    <span className={styles.menu}>
      <button
        ref={button}
        type="button"
        className={Icon ? buttonStyles.iconButton : buttonClassName}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        {Icon ? <Icon aria-hidden="true" className={buttonStyles.icon} /> : face}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={classNames(styles.list, styles[align], styles[side])}
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              tabIndex={-1}
              className={classNames(styles.item, item.danger && styles.danger)}
              disabled={item.disabled}
              onClick={() => {
                closeToButton();
                item.onChoose();
              }}
              {...(item.checked === undefined
                ? { role: 'menuitem' }
                : { role: 'menuitemradio', 'aria-checked': item.checked })}
            >
              {item.checked !== undefined && (
                <Check aria-hidden="true" className={classNames(styles.check, item.checked && styles.checked)} />
              )}
              <span className={styles.words}>
                {item.label}
                {item.detail && <span className={styles.detail}>{item.detail}</span>}
              </span>
            </button>
          ))}
        </div>
      )}
    </span>
  );
}

function entriesOf(list: HTMLElement | null): HTMLElement[] {
  return list ? [...list.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')] : [];
}

/** Where a key leads from entry `at`, or null where it leads nowhere. */
function nextEntry(key: string, at: number, entries: HTMLElement[]): number | null {
  const count = entries.length;
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key.length !== 1 || key === ' ') return null;
  for (let step = 1; step <= count; step += 1) {
    const index = (at + step) % count;
    if (entries[index]?.textContent?.trim().toLowerCase().startsWith(key.toLowerCase())) return index;
  }
  return null;
}
