/** The frame of the owner's pages: the rail, and the page beside it. */
import type { ReactNode } from 'react';
import type { SessionOverview } from '@/lib/domain/conversation';
import { Rail } from './rail';
import styles from './shell.module.css';

export function Shell({ sessions, children }: { sessions: SessionOverview[]; children: ReactNode }) {
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        Skip to the page
      </a>
      <Rail initial={sessions} />
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
