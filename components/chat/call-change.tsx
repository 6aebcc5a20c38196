/** What changed while one call went on: the same compact list as under the run, folded. */
'use client';

import { Disclosure } from '@/components/ui/disclosure';
import { Later, LaterPart } from '@/components/ui/later';
import { counted } from '@/lib/domain/change-words';
import type { RunId, SessionId, ToolCallId } from '@/lib/domain/ids';
import styles from './call-change.module.css';

const callChangeList = new LaterPart(() => import('./call-change-list').then(({ CallChangeList }) => CallChangeList));

export function CallChange({
  files,
  ...props
}: {
  sessionId: SessionId;
  runId: RunId;
  toolCallId: ToolCallId;
  /** Rows of the run's change that this call had a hand in. */
  files: number;
  label: string;
}) {
  return (
    <Disclosure
      className={styles.change}
      summary={<span className={styles.words}>Changed {counted(files, 'file')} during this call</span>}
    >
      <Later part={callChangeList} props={props} />
    </Disclosure>
  );
}
