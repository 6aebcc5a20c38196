/** Says that something is going on; `label` where no text beside it does. */
import styles from './spinner.module.css';

export function Spinner({ label }: { label?: string }) {
  return (
    <span className={styles.spinner} {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })} />
  );
}
