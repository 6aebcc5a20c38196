/** What changed in the workspace while no run went on: one folded line above the run that found it. */
'use client';

import { ChangeBlock } from '@/components/changes/change-block';
import { Disclosure } from '@/components/ui/disclosure';
import { Instant } from '@/components/ui/instant';
import type { ChangeSummary } from '@/lib/domain/change';
import { counted, moveCommand, moveInWords } from '@/lib/domain/change-words';
import styles from './drift-notice.module.css';

export function DriftNotice({ drift, label }: { drift: ChangeSummary; label: string }) {
  const moves = drift.git?.moves ?? [];
  const moved = drift.git?.movedCount ?? 0;
  return (
    <Disclosure
      className={styles.drift}
      summary={
        <span className={styles.words}>
          <b>Changed outside runs</b>{' '}
          <span className={styles.detail}>
            {drift.changedCount > 0 || moved === 0 ? counted(drift.changedCount, 'file') : null}
            {drift.changedCount > 0 && moved > 0 && ', and '}
            {moved > 0 && `${counted(moved, 'file')} came with git`}
            {drift.startedAt !== null && drift.finishedAt !== null && (
              <>
                {' '}
                between <Instant at={drift.startedAt} /> and <Instant at={drift.finishedAt} />
              </>
            )}
            {moves.slice(0, 2).map((move) => (
              <span key={`${move.action} ${move.to}`}>
                {' · '}
                <span className="mono">{moveCommand(move)}</span> {moveInWords(move)}
              </span>
            ))}
            {moves.length > 2 && ` · ${counted(moves.length - 2, 'more git command')}`}
          </span>
        </span>
      }
    >
      <div className={styles.block}>
        <ChangeBlock change={drift} label={`before ${label}`} />
      </div>
    </Disclosure>
  );
}
