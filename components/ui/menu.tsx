/** A button that opens a menu. */
'use client';

import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import buttonStyles from './button.module.css';
import { Later, LaterPart } from './later';
import styles from './menu.module.css';
import type { MenuItem } from './menu-list';

const menuList = new LaterPart(() => import('./menu-list').then(({ MenuList }) => MenuList));

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
        // On the way to a click.
        onPointerEnter={menuList.load}
        onFocus={menuList.load}
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
        <Later
          part={menuList}
          props={{
            id,
            label,
            items,
            align,
            side,
            onClose: (toButton) => {
              setOpen(false);
              if (toButton) button.current?.focus();
            },
          }}
        />
      )}
    </span>
  );
}
