/** How a run ended, or that it goes on: a word, with a colour only where something is wrong. */
import { classNames } from '@/components/ui/class-names';
import type { RunStatus } from '@/lib/domain/run';
import styles from './run-status.module.css';

export function RunStatusTag({ status }: { status: RunStatus }) {
  return <span className={classNames(styles.tag, styles[status])}>{status}</span>;
}
