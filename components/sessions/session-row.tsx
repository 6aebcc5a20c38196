/** One session in the list: how it is, its name, its runs and lines, when something last happened. */

import { Counts } from '@/components/ui/counts';
import { Instant } from '@/components/ui/instant';
import { Link } from '@/components/ui/link';
import { counted } from '@/lib/domain/change-words';
import type { SessionOverview } from '@/lib/domain/conversation';
import styles from './session-row.module.css';
import { SessionDot, sessionWord } from './session-state';

export function SessionRow({ session }: { session: SessionOverview }) {
  const word = sessionWord(session);
  return (
    <li>
      <Link href={`/sessions/${session.id}`} className={styles.row}>
        <SessionDot session={session} />
        <span className={styles.title}>{session.title}</span>
        {word && <span className={styles.word}>{word}</span>}
        <span className={styles.runs}>{counted(session.runCount, 'run')}</span>
        <span className={styles.lines}>
          {session.additions + session.deletions > 0 && (
            <Counts additions={session.additions} deletions={session.deletions} aligned />
          )}
        </span>
        <span className={styles.when}>
          <Instant at={session.updatedAt} />
        </span>
      </Link>
    </li>
  );
}
