/** The mark and the name: two lines that water left. */
import styles from './brand.module.css';

export function Brand() {
  return (
    <span className={styles.brand}>
      <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true">
        <path d="M2 9c2.5-3 5-3 7.5 0s5 3 7.5 0S21 7 22 7.500" />
        <path d="M2 15c2.5-3 5-3 7.500 0s5 3 7.500 0 4-2 5-1.500" className={styles.faint} />
      </svg>
      <b>Tidemark</b>
    </span>
  );
}
