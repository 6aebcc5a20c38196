/** The facts of a run in one line of pairs: who, how it ended, when, how long, and what its record rests on. */

import { Instant } from '@/components/ui/instant';
import { Link } from '@/components/ui/link';
import { formatDuration } from '@/lib/client/format';
import type { ChangeSummary } from '@/lib/domain/change';
import { counted } from '@/lib/domain/change-words';
import type { BaselineState, Run } from '@/lib/domain/run';
import styles from './run-facts.module.css';
import { RunStatusTag } from './run-status';

const BASELINE: Record<BaselineState, string> = {
  pending: 'being taken',
  ready: 'before the first write',
  late: 'late: taken while the run went on',
  missing: 'none',
};

export function RunFacts({
  run,
  agentName,
  change,
}: {
  run: Run;
  agentName: string | null;
  change: ChangeSummary | null;
}) {
  const { finishedAt, startedAt, baseline, baselineMs, baselineFiles } = run;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Outcome</dt>
        <dd>
          <RunStatusTag status={run.status} />
        </dd>
      </div>
      <div>
        <dt>Agent</dt>
        <dd>{agentName ?? (run.external ? 'outside host' : 'unknown')}</dd>
      </div>
      <div>
        <dt>Started</dt>
        <dd>
          <Instant at={startedAt} />
        </dd>
      </div>
      {finishedAt !== null && (
        <div>
          <dt>Took</dt>
          <dd>{formatDuration(finishedAt - startedAt)}</dd>
        </div>
      )}
      <div>
        <dt>Checkpoint</dt>
        <dd>
          {BASELINE[baseline]}
          {baselineMs !== null && `, ${formatDuration(baselineMs)}`}
          {baselineFiles !== null && `, ${counted(baselineFiles, 'file')}`}
        </dd>
      </div>
      {change && change.overlaps.length > 0 && (
        <div>
          <dt>At the same time</dt>
          <dd>
            {change.overlaps.map((id, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <Link href={`/runs/${id}`}>another run in this folder</Link>
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}
