/** What stands where nothing is yet: says what will be here and what to do to get it. */
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export function EmptyState({
  icon: Icon,
  title,
  level = 2,
  children,
}: {
  icon?: LucideIcon;
  title: string;
  /** 1 where it is all that a page says. */
  level?: 1 | 2;
  children?: ReactNode;
}) {
  const Title = `h${level}` as const;
  return (
    <div className={styles.empty}>
      {Icon && <Icon aria-hidden="true" className={styles.icon} />}
      <Title className={styles.title}>{title}</Title>
      {children && <div className={styles.text}>{children}</div>}
    </div>
  );
}
