/** How a session is: a dot for eyes, a word for ears. */
import { classNames } from '@/components/ui/class-names';
import type { SessionOverview } from '@/lib/domain/conversation';
import styles from './session-state.module.css';

/** In one word, or null where there is nothing to say. */
export function sessionWord({
  isRunning,
  lastStatus,
}: Pick<SessionOverview, 'isRunning' | 'lastStatus'>): string | null {
  if (isRunning) return 'running';
  if (lastStatus === 'failed' || lastStatus === 'interrupted' || lastStatus === 'cancelled') return lastStatus;
  return null;
}

export function SessionDot({ session }: { session: Pick<SessionOverview, 'isRunning' | 'lastStatus'> }) {
  const word = sessionWord(session);
  const look = word === 'running' ? styles.live : word === 'failed' || word === 'interrupted' ? styles.failed : null;
  return <span aria-hidden="true" className={classNames(styles.dot, look)} title={word ?? undefined} />;
}
