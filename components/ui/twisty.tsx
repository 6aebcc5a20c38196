/** The triangle in front of whatever opens; it turns by the state of the control that holds it. */
import styles from './twisty.module.css';

export function Twisty() {
  return (
    <svg className={styles.twisty} viewBox="0 0 10 10" aria-hidden="true">
      <path d="M3 1.5 7.5 5 3 8.500Z" />
    </svg>
  );
}
