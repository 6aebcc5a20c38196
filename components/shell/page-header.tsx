/** The head of a page: its name, what it is about, what can be done with it; on a phone, the way to the rail. */
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './page-header.module.css';

export function PageHeader({ title, sub, actions }: { title: ReactNode; sub?: ReactNode; actions?: ReactNode }) {
  return (
    <header className={styles.header}>
      <button type="button" popoverTarget="rail" className={styles.rail} aria-label="Sessions">
        <Menu aria-hidden="true" size={20} />
      </button>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {sub && <p className={styles.sub}>{sub}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
