/** How a run ended where it did not simply complete, and what goes on before its first sign of life. */
import { CircleSlash, CircleX, Unplug } from 'lucide-react';
import { Spinner } from '@/components/ui/spinner';
import type { Run } from '@/lib/domain/run';
import styles from './run-outcome.module.css';

export function RunOutcome({ run, hasSteps }: { run: Run; hasSteps: boolean }) {
  switch (run.status) {
    case 'completed':
      return null;
    case 'running':
      if (hasSteps) return null;
      return (
        <p className={styles.outcome}>
          <Spinner /> {run.baseline === 'pending' ? 'Taking the checkpoint' : 'Waiting for the agent'}
        </p>
      );
    case 'failed':
      return (
        <p className={styles.outcome}>
          <CircleX aria-hidden="true" className={styles.bad} />
          <span>
            <b>Failed</b> {run.error ?? run.stopReason}
          </span>
        </p>
      );
    case 'cancelled':
      return (
        <p className={styles.outcome}>
          <CircleSlash aria-hidden="true" />
          <span>
            <b>Stopped</b> {run.error}
          </span>
        </p>
      );
    case 'interrupted':
      return (
        <p className={styles.outcome}>
          <Unplug aria-hidden="true" className={styles.bad} />
          <span>
            <b>Interrupted</b> {run.error ?? 'Tidemark stopped while this run went on.'}
          </span>
        </p>
      );
  }
}
