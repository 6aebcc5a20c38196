/** What the order of time works with: the wings that it introduces to each other, and the state of what is going on. */
import type { Agent, AgentSession } from '@/lib/agents/agent';
import type { Capture } from '@/lib/capture/capture';
import type { AgentState } from '@/lib/domain/conversation';
import type { SessionId } from '@/lib/domain/ids';
import type { Settings } from '@/lib/domain/settings';
import type { Store } from '@/lib/store/database';
import type { EventBus } from './event-bus';
import type { LiveRun, LiveRuns } from './live-run';

/** The agent of one session, kept between its prompts. */
export interface OpenAgent {
  agentId: string;
  session: AgentSession;
  readonly state: AgentState;
  lastUsedAt: number;
}

/** Plain data on `globalThis`, so that every module graph of the one process acts on the same. */
export interface House {
  store: Store;
  capture: Capture;
  agents: Agent[];
  settings: Settings;
  bus: EventBus;
  live: LiveRuns;
  openAgents: Map<SessionId, OpenAgent>;
  /** The last run of a session whose agent may still write: a background subagent outlives its prompt. */
  lateWork: Map<SessionId, LiveRun>;
  /** Set when the server stops: nothing new begins. */
  stopping: boolean;
}
