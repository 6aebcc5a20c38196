/** Things one presses: a button, a button that is only an icon, a link that looks like a button. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names';
import { KeyHint } from './key-hint';
import { Link } from './link';
import { Spinner } from './spinner';

export type ButtonLook = 'plain' | 'primary' | 'ghost' | 'danger';

interface ButtonFace {
  look?: ButtonLook;
  icon?: LucideIcon;
  /** The key that does the same, shown beside the words. */
  shortcut?: string;
}

function Face({ icon: Icon, shortcut, busy, children }: ButtonFace & { busy?: boolean; children?: ReactNode }) {
  return (
    <>
      {busy ? <Spinner /> : Icon && <Icon aria-hidden="true" className={styles.icon} />}
      {children}
      {shortcut && <KeyHint className={styles.shortcut}>{shortcut}</KeyHint>}
    </>
  );
}

export function Button({
  look = 'plain',
  icon,
  shortcut,
  busy = false,
  className,
  children,
  ...rest
}: ButtonFace & { busy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      className={classNames(styles.button, styles[look], className)}
      {...rest}
    >
      <Face {...(icon && { icon })} {...(shortcut && { shortcut })} busy={busy}>
        {children}
      </Face>
    </button>
  );
}

/** A button whose only content is an icon; `label` is its name for everybody: read out, and shown on hover by the browser. */
export function IconButton({
  label,
  icon: Icon,
  className,
  ...rest
}: { label: string; icon: LucideIcon } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(styles.iconButton, className)}
      {...rest}
    >
      <Icon aria-hidden="true" className={styles.icon} />
    </button>
  );
}

export function ButtonLink({
  look = 'plain',
  icon,
  shortcut,
  className,
  children,
  ...rest
}: ButtonFace & ComponentProps<typeof Link>) {
  return (
    <Link className={classNames(styles.button, styles[look], className)} {...rest}>
      <Face {...(icon && { icon })} {...(shortcut && { shortcut })}>
        {children}
      </Face>
    </Link>
  );
}
