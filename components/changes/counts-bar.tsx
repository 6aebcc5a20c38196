/** The share of additions and deletions as one small bar, for eyes only. */
import styles from './counts-bar.module.css';

export function CountsBar({ additions, deletions }: { additions: number; deletions: number }) {
  if (additions + deletions === 0) return null;
  return (
    <span className={styles.bar} aria-hidden="true">
      {additions > 0 && <i className={styles.added} style={{ flexGrow: additions }} />}
      {deletions > 0 && <i className={styles.removed} style={{ flexGrow: deletions }} />}
    </span>
  );
}
