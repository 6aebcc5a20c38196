/** One run in a list: its prompt in one line, where it belongs, how and when it ended. */

import { Instant } from '@/components/ui/instant';
import { Link } from '@/components/ui/link';
import type { Run } from '@/lib/domain/run';
import styles from './run-link.module.css';
import { RunStatusTag } from './run-status';

export function RunLink({ run, context }: { run: Run; context: string }) {
  return (
    <Link href={`/runs/${run.id}`} className={styles.link}>
      <span className={styles.prompt}>{run.prompt.trim() || 'A run without a prompt'}</span>
      <span className={styles.context}>{context}</span>
      <RunStatusTag status={run.status} />
      <span className={styles.when}>
        <Instant at={run.startedAt} />
      </span>
    </Link>
  );
}
