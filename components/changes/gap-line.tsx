/** What the record does not cover, in one readable line: unknown is not unchanged. */
import { TriangleAlert } from 'lucide-react';
import type { Gap } from '@/lib/domain/change';
import { gapInWords } from '@/lib/domain/gap-words';
import styles from './gap-line.module.css';
import { plainText } from './plain-text';

/** Gaps said in full; more are counted and folded. */
const SAID = 3;

export function GapLine({ gaps }: { gaps: readonly Gap[] }) {
  const said = gaps.slice(0, SAID);
  const folded = gaps.slice(SAID);
  return (
    <div className={styles.gaps}>
      <TriangleAlert aria-hidden="true" className={styles.icon} />
      <div>
        <span>Not covered: {plainText(said.map(gapInWords).join('; '))}</span>
        {folded.length > 0 && (
          <details className={styles.more}>
            <summary>{folded.length} more</summary>
            <ul>
              {folded.map((gap) => (
                <li key={`${gap.reason} ${gap.path ?? ''}`}>{plainText(gapInWords(gap))}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  );
}
