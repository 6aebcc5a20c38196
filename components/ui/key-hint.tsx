/** A key shown to eyes beside what it does; the name of the control says the rest. Fingers have no keys. */
import { classNames } from './class-names';
import styles from './key-hint.module.css';

export function KeyHint({ children, className }: { children: string; className?: string | undefined }) {
  return (
    <span aria-hidden="true" className={styles.hint}>
      <kbd className={classNames(className)}>{children}</kbd>
    </span>
  );
}
