/** Every limit in force: its value, the variable that sets it, and whether it is the default. */
import { bytesInWords } from '@/lib/domain/change-words';
import { DEFAULT_LIMITS, type Limits } from '@/lib/domain/limits';
import { limitVariable } from '@/lib/domain/settings';
import styles from './limits-table.module.css';

/** What each limit bounds, in words. */
const WORDS: Record<keyof Limits, string> = {
  scanFiles: 'Files looked at in a folder without git',
  scanMs: 'Time of one look at a folder without git',
  plainFileBytes: 'One file’s content where there is no git at all',
  fileBytes: 'One file: untracked, captured, or a side of a comparison',
  trackedFileBytes: 'A tracked file that git still counts',
  untrackedBytes: 'New untracked files read in one snapshot',
  untrackedFiles: 'New untracked files read in one snapshot',
  ignoredFileBytes: 'A small ignored file that is watched',
  ignoredFiles: 'Ignored files that are watched',
  summaryRows: 'Rows of a change shown at once',
  storedRows: 'Rows of a change that are stored',
  patchBytes: 'One stored patch',
  changePatchBytes: 'All stored patches of a change',
  listingBytes: 'One listing of git',
  lineDiffMs: 'One comparison of lines for a card',
  toolDiffLines: 'Lines of a diff shown to a model',
  gitMs: 'One git command',
  baselineWaitMs: 'Waiting for the checkpoint before a run begins',
  checkpointMs: 'Silence after which an outside run is given up',
  retentionDays: 'Days that changes are kept',
  retentionRuns: 'Runs kept in a session',
  retentionBytes: 'All patches and contents',
  outputBytes: 'Output of one call',
};

export function LimitsTable({ limits }: { limits: Limits }) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">At most</th>
            <th scope="col">Set by</th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(WORDS) as (keyof Limits)[]).map((limit) => (
            <tr key={limit}>
              <th scope="row">{WORDS[limit]}</th>
              <td className={styles.value}>
                {valueInWords(limit, limits[limit])}
                {limits[limit] !== DEFAULT_LIMITS[limit] && <span className={styles.own}>set</span>}
              </td>
              <td className={styles.variable}>{limitVariable(limit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function valueInWords(limit: keyof Limits, value: number): string {
  if (limit.endsWith('Bytes')) return bytesInWords(value);
  if (!limit.endsWith('Ms')) return value.toLocaleString('en-US');
  if (value < 1_000) return `${value} ms`;
  return value < 60_000 ? `${value / 1_000} s` : `${value / 60_000} min`;
}
