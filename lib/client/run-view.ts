/** What a run shows and in which order: its steps, what waits for an answer, and where its change block stands. */
import type { ChangedFile, ChangeSummary } from '@/lib/domain/change';
import {
  isMutating,
  type Message,
  type PermissionRequest,
  type PlanEntry,
  type TimelineItem,
  type ToolCall,
} from '@/lib/domain/conversation';
import type { ChangeProgress } from '@/lib/domain/events';
import type { MessageId, ToolCallId } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import type { LiveOutput } from './live-output';
import type { RunRecord } from './timeline';

export type Step =
  | { type: 'text'; message: Message; isStreaming: boolean }
  | { type: 'thought'; message: Message; isStreaming: boolean }
  | { type: 'tool'; call: ToolCall; live: LiveOutput | null; ownFiles: number }
  | { type: 'permission'; permission: PermissionRequest };

export interface RunView {
  prompt: string;
  run: Run | null;
  isRunning: boolean;
  /** In order; permissions stand behind the call that they are about. */
  steps: Step[];
  /** The last thing that the agent said; the change block stands under it. Null where it said nothing. */
  answerId: MessageId | null;
  plan: readonly PlanEntry[];
  drift: ChangeSummary | null;
  change: ChangeSummary | null;
  progress: ChangeProgress | null;
}

export function viewRun(record: RunRecord): RunView {
  const { run, items } = record;
  const change = items.find((item) => item.type === 'change')?.change ?? null;
  const isRunning = run?.status === 'running';
  const ownFiles = filesByCall(change?.files ?? record.progress?.files ?? [], items);
  const last = items.findLast((item) => item.type === 'message' || item.type === 'tool_call');
  const permissionsByCall = groupedByCall(record.permissions);
  const placed = new Set<PermissionRequest>();
  const steps: Step[] = [];
  for (const item of items) {
    if (item.type === 'message' && item.message.role !== 'user') {
      const isStreaming = isRunning && item === last;
      steps.push({ type: item.message.role === 'thought' ? 'thought' : 'text', message: item.message, isStreaming });
    }
    if (item.type === 'tool_call') {
      const { toolCall } = item;
      const live = record.live[toolCall.id] ?? null;
      const files = mayHaveWritten(toolCall) ? (ownFiles.get(toolCall.id) ?? 0) : 0;
      steps.push({ type: 'tool', call: toolCall, live, ownFiles: files });
      for (const permission of permissionsByCall.get(toolCall.id) ?? []) {
        steps.push({ type: 'permission', permission });
        placed.add(permission);
      }
    }
  }
  for (const permission of record.permissions) {
    if (!placed.has(permission)) steps.push({ type: 'permission', permission });
  }
  return {
    prompt: promptOf(record),
    run,
    isRunning,
    steps,
    answerId: answerOf(steps),
    plan: record.plan,
    drift: items.find((item) => item.type === 'drift')?.drift ?? null,
    change,
    progress: record.progress,
  };
}

/** Whether what changed while a call went on can be its work: it does more than read, and it was let go. */
function mayHaveWritten({ kind, status }: ToolCall): boolean {
  return isMutating(kind) && status !== 'pending' && status !== 'rejected';
}

function groupedByCall(permissions: readonly PermissionRequest[]): Map<ToolCallId | null, PermissionRequest[]> {
  const groups = new Map<ToolCallId | null, PermissionRequest[]>();
  for (const permission of permissions) {
    const group = groups.get(permission.toolCallId);
    if (group) group.push(permission);
    else groups.set(permission.toolCallId, [permission]);
  }
  return groups;
}

function promptOf({ run, items }: RunRecord): string {
  const spoken = items.find((item) => item.type === 'message' && item.message.role === 'user');
  return run?.prompt || (spoken?.type === 'message' ? spoken.message.text : '');
}

function answerOf(steps: Step[]): MessageId | null {
  const answer = steps.findLast((step) => step.type === 'text');
  return answer?.type === 'text' ? answer.message.id : null;
}

/**
 * How many files each call changed, for a list of its own under its card. Empty where that list would only repeat the
 * run's: one call is the whole run.
 */
function filesByCall(files: readonly ChangedFile[], items: readonly TimelineItem[]): Map<ToolCallId, number> {
  const counts = new Map<ToolCallId, number>();
  let isOneCall = true;
  let first: ToolCallId | null = null;
  for (const { origin, toolCallIds } of files) {
    if (origin === 'git') continue;
    for (const id of toolCallIds) counts.set(id, (counts.get(id) ?? 0) + 1);
    const [id, ...others] = toolCallIds;
    first ??= id ?? null;
    if (id === undefined || others.length > 0 || id !== first) isOneCall = false;
  }
  const calls = items.filter((item) => item.type === 'tool_call').length;
  return isOneCall || calls <= 1 ? new Map() : counts;
}
