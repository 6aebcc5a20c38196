/** What stands in a timeline: sessions, messages, tool calls, permission requests. */
import type { ChangeSummary } from './change';
import { assertNever } from './errors';
import type { MessageId, PermissionId, RunId, SessionId, ToolCallId } from './ids';
import type { Run, RunStatus } from './run';
import type { WorkspaceKind } from './workspace';

export interface Session {
  id: SessionId;
  title: string;
  /** The real path of the folder. */
  workspace: string;
  workspaceKind: WorkspaceKind;
  /** The agent that runs its prompts; null where an outside host does. */
  agent: string | null;
  createdAt: number;
}

/** A session as lists show it. */
export interface SessionOverview extends Session {
  /** The folder for eyes only: the home folder is `~`. */
  displayWorkspace: string;
  runCount: number;
  /** Lines written and taken away by its runs in all; not how much is left of them. */
  additions: number;
  deletions: number;
  /** Of its newest run; null where it has none. */
  lastStatus: RunStatus | null;
  isRunning: boolean;
  updatedAt: number;
}

export type MessageRole = 'user' | 'assistant' | 'thought';

export interface Message {
  id: MessageId;
  runId: RunId;
  role: MessageRole;
  text: string;
  createdAt: number;
}

/** As the Agent Client Protocol names them. */
export const TOOL_KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

const READING_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think', 'fetch']);

/** Whether a call of this kind can change the file that it names. */
export function isMutating(kind: ToolKind): boolean {
  return !READING_KINDS.has(kind);
}

export const TOOL_STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'rejected', 'cancelled'] as const;
export type ToolStatus = (typeof TOOL_STATUSES)[number];

export function isToolOpen(status: ToolStatus): boolean {
  return status === 'pending' || status === 'in_progress';
}

export interface ToolLocation {
  path: string;
  line?: number;
}

/** Any lossless JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ToolCall {
  id: ToolCallId;
  runId: RunId;
  title: string;
  /** The tool's own name where the agent tells it (`Edit`, `Bash`). */
  tool: string | null;
  kind: ToolKind;
  status: ToolStatus;
  locations: ToolLocation[];
  input: Json;
  output: string | null;
  /** Bytes of the whole output; more than `output` holds where it was cut. */
  outputBytes: number;
  outputTruncated: boolean;
  /** Kept verbatim; the hunks of an applied edit stand in `meta.diffs`. */
  meta: Json;
  /** A list's form: long output is cut and the hunks in `meta` are left out; the call itself has them. */
  brief: boolean;
  startedAt: number;
  finishedAt: number | null;
}

export interface PlanEntry {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
  priority: 'high' | 'medium' | 'low';
}

export interface PermissionOption {
  optionId: string;
  name: string;
  kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
}

export interface PermissionRequest {
  id: PermissionId;
  runId: RunId;
  toolCallId: ToolCallId | null;
  title: string;
  options: PermissionOption[];
  createdAt: number;
  /** Null while it waits; an option, or cancelled (`optionId` null). */
  answer: { optionId: string | null; at: number } | null;
}

/** One thing in a timeline. `at` is its place: grows within a session, never reused. */
export type TimelineItem =
  | { type: 'message'; at: number; message: Message }
  | { type: 'run'; at: number; run: Run }
  | { type: 'tool_call'; at: number; toolCall: ToolCall }
  | { type: 'change'; at: number; change: ChangeSummary }
  | { type: 'drift'; at: number; drift: ChangeSummary };

/** The run that a timeline item belongs to. */
export function runIdOfItem(item: TimelineItem): RunId {
  switch (item.type) {
    case 'message':
      return item.message.runId;
    case 'run':
      return item.run.id;
    case 'tool_call':
      return item.toolCall.runId;
    case 'change':
      return item.change.runId;
    case 'drift':
      return item.drift.runId;
    default:
      return assertNever(item);
  }
}

/** One thing an agent lets the user choose: its mode, its model, or an option of its own. */
export interface AgentChoice {
  id: string;
  name: string;
  category: 'mode' | 'model' | 'other';
  current: string;
  values: { value: string; name: string; description: string | null }[];
}

export interface AgentCommand {
  name: string;
  description: string;
  hint: string | null;
}

export interface AgentUsage {
  /** Tokens in the context window now, and its size, where the agent tells. */
  used: number | null;
  size: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  cost: { amount: number; currency: string } | null;
}

/** What a session's agent offers and how it is; not stored, told anew by the agent. */
export interface AgentState {
  phase: 'off' | 'starting' | 'ready';
  /** What a slow start is doing, in words. */
  note: string | null;
  choices: AgentChoice[];
  commands: AgentCommand[];
  usage: AgentUsage | null;
  takesImages: boolean;
}
