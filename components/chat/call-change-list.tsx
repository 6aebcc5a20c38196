/** The list of what changed while one call went on, read when it is opened. */
'use client';

import { useQuery } from '@tanstack/react-query';
import { ChangeBlock } from '@/components/changes/change-block';
import { Notice } from '@/components/ui/notice';
import { Spinner } from '@/components/ui/spinner';
import { RequestFailed, readJson } from '@/lib/client/read-json';
import type { ChangeSummary } from '@/lib/domain/change';
import { fromWire, type Wire } from '@/lib/domain/events';
import { changeIdOf, type RunId, type SessionId, type ToolCallId } from '@/lib/domain/ids';
import styles from './call-change.module.css';

export function CallChangeList({
  sessionId,
  runId,
  toolCallId,
  label,
}: {
  sessionId: SessionId;
  runId: RunId;
  toolCallId: ToolCallId;
  label: string;
}) {
  const changeId = changeIdOf({ source: 'tool', runId, toolCallId });
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['change', sessionId, changeId],
    queryFn: async ({ signal }) => {
      const url = `/api/sessions/${sessionId}/workspace-run-changes/${encodeURIComponent(changeId)}`;
      const { change } = await readJson<{ change: Wire<ChangeSummary> }>(url, { signal });
      return fromWire<ChangeSummary>(change);
    },
    retry: false,
  });
  if (data) return <ChangeBlock change={data} label={label} />;
  if (error instanceof RequestFailed && error.code === 'not_found') {
    return (
      <p className={styles.words} role="status">
        It was too short, or too close to others, for a record of its own. The run's list says what they changed
        together.
      </p>
    );
  }
  if (error) {
    return (
      <Notice kind="error" onRetry={() => void refetch()} retrying={isFetching}>
        {error.message}
      </Notice>
    );
  }
  return (
    <p className={styles.words} role="status">
      <Spinner /> Reading the list
    </p>
  );
}
