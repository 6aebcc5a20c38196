/** What is worth knowing while one writes: the checkpoint of the newest run, and how full the agent's memory is. */
import { formatCompact, formatDuration } from '@/lib/client/format';
import { counted } from '@/lib/domain/change-words';
import type { AgentState } from '@/lib/domain/conversation';
import type { Run } from '@/lib/domain/run';
import styles from './composer-facts.module.css';

export function ComposerFacts({ run, agent }: { run: Run | null; agent: AgentState | null }) {
  const usage = agent ? usageInWords(agent) : null;
  return (
    <span className={styles.facts}>
      {agent?.phase === 'starting' && <span role="status">{agent.note ?? 'Starting the agent'}</span>}
      {usage && <span title="Of what the agent can keep in mind">{usage}</span>}
      {run && <span>{checkpointInWords(run)}</span>}
    </span>
  );
}

function checkpointInWords({ baseline, baselineMs, baselineFiles, status }: Run): string | null {
  if (baseline === 'pending') return status === 'running' ? 'taking the checkpoint' : null;
  if (baseline === 'missing') return 'no checkpoint';
  if (baselineMs === null) return baseline === 'late' ? 'checkpoint late' : null;
  const files = baselineFiles === null ? '' : `, ${counted(baselineFiles, 'file')}`;
  return `checkpoint in ${formatDuration(baselineMs)}${files}`;
}

function usageInWords({ usage }: AgentState): string | null {
  if (!usage) return null;
  const { used, size, inputTokens, outputTokens, cost } = usage;
  const parts: string[] = [];
  if (used !== null && size !== null) parts.push(`${formatCompact(used)} of ${formatCompact(size)} tokens`);
  else if (used !== null) parts.push(`${formatCompact(used)} tokens`);
  else if (inputTokens !== null || outputTokens !== null) {
    parts.push(`${formatCompact((inputTokens ?? 0) + (outputTokens ?? 0))} tokens`);
  }
  if (cost) parts.push(`${cost.amount.toFixed(2)} ${cost.currency}`);
  return parts.length === 0 ? null : parts.join(' · ');
}
