/** The calls of a run in order, each with what it changed. */
'use client';

import { ChangeBlock } from '@/components/changes/change-block';
import { ToolCallCard } from '@/components/chat/tool-call-card';
import { Notice } from '@/components/ui/notice';
import type { ChangeSummary } from '@/lib/domain/change';
import type { ToolCall } from '@/lib/domain/conversation';
import type { Run } from '@/lib/domain/run';
import styles from './call-by-call.module.css';

export function CallByCall({
  run,
  toolCalls,
  toolChanges,
}: {
  run: Run;
  toolCalls: ToolCall[];
  toolChanges: ChangeSummary[];
}) {
  if (toolCalls.length === 0) {
    return <Notice kind="info">No calls were announced in this run; the whole run counts as one command.</Notice>;
  }
  const changeOf = new Map(toolChanges.map((change) => [change.toolCallId, change]));
  return (
    <>
      {toolChanges.length === 0 && (
        <Notice kind="info">
          {toolCalls.length === 1
            ? 'This call is the whole run: what it changed is what the run changed.'
            : 'No call changed a file by itself.'}
        </Notice>
      )}
      <ol className={styles.calls}>
        {toolCalls.map((toolCall) => {
          const change = changeOf.get(toolCall.id);
          return (
            <li key={toolCall.id}>
              <ToolCallCard toolCall={toolCall} workspace={run.workspace}>
                {change && <ChangeBlock change={change} label={toolCall.title} />}
              </ToolCallCard>
            </li>
          );
        })}
      </ol>
    </>
  );
}
