/** An open menu: arrows, Home, End and letters move, Enter chooses, Escape closes and gives the focus back. */
'use client';

import { Check } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
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

export function MenuList({
  id,
  label,
  items,
  align,
  side,
  onClose,
}: {
  id: string;
  label: string;
  items: MenuItem[];
  align: 'start' | 'end';
  side: 'below' | 'above';
  /** `toButton`: what closed it leaves the focus to the button that opened it. */
  onClose: (toButton: boolean) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);

  useLayoutEffect(() => {
    const entries = entriesOf(list.current);
    (entries.find((entry) => entry.getAttribute('aria-checked') === 'true') ?? entries[0])?.focus();
  }, []);

  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      // The button beside it closes the menu by its own click.
      if (!list.current?.parentElement?.contains(event.target as Node)) close(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, []);

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
      onClose(true);
    } else if (event.key === 'Tab') onClose(false);
  };

  return (
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
            onClose(true);
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
