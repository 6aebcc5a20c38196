/** One run as others see it: what was asked and answered, and what it changed. The same on a link and in a file. */
'use client';

import { ChangeDoor } from '@/components/changes/change-door';
import { PageChangeBlock } from '@/components/changes/page-change-block';
import { LazyMarkdown } from '@/components/chat/lazy-markdown';
import { Instant } from '@/components/ui/instant';
import type { ChangeBodies } from '@/lib/client/change-bodies';
import { formatDuration } from '@/lib/client/format';
import type { ChangeSummary } from '@/lib/domain/change';
import { counted } from '@/lib/domain/change-words';
import type { RunExport } from '@/lib/domain/run-export';
import styles from './shared-run.module.css';

export interface SharedRunProps {
  run: RunExport['run'];
  change: ChangeSummary | null;
  leftOut: number;
  bodies: ChangeBodies;
  /** How this page came to be, in a sentence. */
  note: string;
}

const OUTCOME: Record<RunExport['run']['status'], string> = {
  running: 'still running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'stopped',
  interrupted: 'interrupted',
};

export function SharedRunView({ run, change, leftOut, bodies, note }: SharedRunProps) {
  return (
    <main className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>A run in {run.workspace}</h1>
        <p className={styles.facts}>
          {run.agent && <span>{run.agent}</span>}
          <span>{OUTCOME[run.status]}</span>
          <span>
            <Instant at={run.startedAt} />
          </span>
          {run.finishedAt !== null && <span>took {formatDuration(run.finishedAt - run.startedAt)}</span>}
        </p>
      </header>
      {run.prompt !== null && run.prompt.trim() !== '' && (
        <section aria-label="Prompt" className={styles.prompt}>
          {run.prompt}
        </section>
      )}
      {run.answer !== null && run.answer.trim() !== '' && (
        <section aria-label="Answer" className={styles.answer}>
          <LazyMarkdown text={run.answer} />
        </section>
      )}
      {change ? (
        <ChangeDoor bodies={bodies}>
          <h2 className="sr">Changes</h2>
          <PageChangeBlock change={change} />
        </ChangeDoor>
      ) : (
        <p className={styles.facts}>This run changed no files.</p>
      )}
      {leftOut > 0 && <p className={styles.note}>{counted(leftOut, 'file')} left out by whoever shared this.</p>}
      <footer className={styles.note}>{note} What looks like a secret is masked.</footer>
    </main>
  );
}
