/** What a program that writes files looks like to the house: one session of it, its updates in order, its outcome. */
import type {
  AgentState,
  Json,
  PermissionOption,
  PlanEntry,
  ToolKind,
  ToolLocation,
  ToolStatus,
} from '@/lib/domain/conversation';
import type { ToolCallId } from '@/lib/domain/ids';
import type { TerminalStatus } from '@/lib/domain/run';

export interface AgentPrompt {
  text: string;
  images: { mimeType: string; data: string }[];
}

/** What is new about a tool call; absent fields stay as they were. The first sight of an id creates the call. */
export interface ToolCallUpdate {
  id: ToolCallId;
  title?: string;
  tool?: string;
  kind?: ToolKind;
  status?: ToolStatus;
  /** Absolute, or relative to the workspace; a hint, never the truth. */
  locations?: ToolLocation[];
  input?: Json;
  /** Replaces the output so far. */
  output?: string;
  /** Adds to the output so far. */
  outputAppend?: string;
  /** Bytes of output that the agent threw away because of a limit since it last said so. Nothing is added after it. */
  outputDropped?: number;
  /** Merged, key by key, into the call's `meta`; the call-time snippet stands in `meta.snippets`. */
  meta?: { [key: string]: Json };
  /** Takes the place of the whole `meta`, verbatim: what an outside host says of its own call. */
  metaWhole?: Json;
}

export type AgentUpdate =
  | { type: 'text'; role: 'assistant' | 'thought'; messageKey: string | null; text: string }
  | { type: 'tool'; call: ToolCallUpdate }
  | { type: 'plan'; entries: PlanEntry[] }
  | { type: 'title'; title: string };

export interface PermissionQuestion {
  call: ToolCallUpdate;
  title: string;
  options: PermissionOption[];
}

/** Hears what an agent does during one prompt. */
export interface RunListener {
  /** Called synchronously in the order of arrival; must not throw. */
  update(update: AgentUpdate): void;
  /** Asks the human. Null means cancelled. The agent waits for the answer. */
  permission(question: PermissionQuestion, signal: AbortSignal): Promise<string | null>;
  /** We are about to write a file for the agent (absolute path): resolves when what it held has been captured. */
  beforeWrite?(path: string): Promise<void>;
}

export interface AgentOutcome {
  status: Exclude<TerminalStatus, 'interrupted'>;
  /** In the agent's own word: `end_turn`, `max_tokens`, `exit 1`, `signal SIGKILL`. */
  stopReason: string;
  /** What a person is told where the status is `failed`; names no secret. */
  error: string | null;
}

/** One conversation with one agent in one workspace. */
export interface AgentSession {
  /**
   * Runs one prompt. Resolves when the agent stopped and every update of the run was delivered; never rejects.
   * An aborted signal cancels: politely first, then by ending the agent's process group.
   */
  prompt(prompt: AgentPrompt, listener: RunListener, signal: AbortSignal): Promise<AgentOutcome>;
  /** Starts the agent ahead of its first prompt, so that its choices and commands are known; tells `onState`. Never rejects. */
  start?(): Promise<void>;
  /** Chooses a value of one of `state.choices`, starting the agent where it does not run. Throws an `AppError`. */
  choose(choiceId: string, value: string): Promise<void>;
  /** Ends the agent and its process group; resolves when they are gone. */
  close(): Promise<void>;
}

export interface AgentSessionOptions {
  /** Real path. */
  workspace: string;
  /** What `onResumeToken` was given in an earlier life of this session, or null. */
  resumeToken: string | null;
  onResumeToken(token: string): void;
  onState(state: AgentState): void;
  /** Updates that arrive while no prompt is running: a background subagent still writes. */
  onLateUpdate(update: AgentUpdate): void;
  /** A process group was started or ended, so that it can be ended after a crash of ours. */
  onProcess(event: { type: 'started' | 'ended'; pid: number; startTime: string }): void;
  /** MCP server to offer to the agent, or null. */
  mcp:
    | { url: string; headers: { name: string; value: string }[] }
    | { command: string; args: string[]; env: { name: string; value: string }[] }
    | null;
}

/** An agent that this server may start. */
export interface Agent {
  id: string;
  name: string;
  kind: 'shell' | 'acp';
  /** Whether it could be started now; `reason` says in a sentence why not and what to type. */
  availability(): Promise<{ available: true } | { available: false; reason: string }>;
  /** Opens a session; starts nothing until the first prompt. */
  open(options: AgentSessionOptions): AgentSession;
}
