/** One sentence that matters: what failed and how to try again, what to mind, what is so. */
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { classNames } from './class-names';
import styles from './notice.module.css';

const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info };

export function Notice({
  kind,
  title,
  onRetry,
  retrying = false,
  children,
}: {
  /** `error` is announced at once. */
  kind: 'error' | 'warning' | 'info';
  title?: string;
  onRetry?: () => void;
  retrying?: boolean;
  children?: ReactNode;
}) {
  const Icon = ICONS[kind];
  return (
    <div className={classNames(styles.notice, styles[kind])} role={kind === 'error' ? 'alert' : undefined}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>
        {title && <b>{title}</b>}
        {children}
      </div>
      {onRetry && (
        <Button onClick={onRetry} busy={retrying}>
          Try again
        </Button>
      )}
    </div>
  );
}
