/** Lines added and removed: `+12 −4` in aligned columns for eyes, "12 additions, 4 deletions" for ears. */
import { countsInWords, MINUS } from '@/lib/domain/change-words';
import { classNames } from './class-names';
import styles from './counts.module.css';

export function Counts({
  additions,
  deletions,
  aligned = false,
  silent = false,
}: {
  additions: number;
  deletions: number;
  /** In columns under each other, as in a list. */
  aligned?: boolean;
  /** The words stand elsewhere, e.g. in the name of the control that holds this. */
  silent?: boolean;
}) {
  return (
    <span className={classNames(styles.counts, aligned && styles.aligned)}>
      {!silent && <span className="sr">{countsInWords({ additions, deletions }) ?? 'no line changes'}</span>}
      <span aria-hidden="true" className={styles.signs}>
        <span className={classNames(styles.added, additions === 0 && styles.zero)}>+{additions}</span>{' '}
        <span className={classNames(styles.removed, deletions === 0 && styles.zero)}>
          {MINUS}
          {deletions}
        </span>
      </span>
    </span>
  );
}
