/** Runs a prompt with the session's agent: baseline, prompt, updates in order, end. */
import type { Agent, AgentPrompt, AgentUpdate, RunListener } from '@/lib/agents/agent';
import type { Session } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import type { SessionId } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import { type Ear, listen } from '@/lib/process/ear';
import { removeAgentProcess, saveAgentProcess } from '@/lib/store/run-store';
import { resumeToken, saveResumeToken } from '@/lib/store/session-store';
import { toolServerFor, withDriftNote } from './agent-offers';
import { addText, setPlan } from './conversation-log';
import { publish } from './event-bus';
import { finishRun } from './finish-run';
import type { House, OpenAgent } from './house';
import { endLateWork, hearLate } from './late-work';
import { type LiveRun, NO_AGENT_STATE } from './live-run';
import { askPermission } from './permissions';
import { beginRun, settleBaseline } from './start-run';
import { retitle } from './titles';
import { type CallOptions, hearCall } from './tool-runs';

/**
 * Starts a run of the session's own agent and returns at once; the run goes on behind. Throws `agent_unavailable`,
 * `run_in_progress`, `workspace_unavailable`.
 */
export async function startAgentRun(house: House, session: Session, prompt: AgentPrompt): Promise<Run> {
  const agent = await requireAgent(house, session);
  await endLateWork(house, session.id);
  const { run, live } = await beginRun(house, session, {
    external: false,
    prompt: prompt.text,
    // A shell command is one call: the run's own change is that call's.
    looksAfterCalls: agent.kind !== 'shell',
    request: null,
  });
  if (live) void drive(house, live, agent, prompt);
  return run;
}

async function requireAgent(house: House, session: Session): Promise<Agent> {
  const agent = house.agents.find((candidate) => candidate.id === session.agent);
  if (!agent) {
    throw new AppError('agent_unavailable', 'This session has no agent of its own; an outside host records its runs.');
  }
  const availability = await agent.availability();
  if (!availability.available) throw new AppError('agent_unavailable', availability.reason);
  return agent;
}

async function drive(house: House, live: LiveRun, agent: Agent, prompt: AgentPrompt): Promise<void> {
  try {
    await settleBaseline(house, live);
    if (live.abort.signal.aborted) {
      await finishRun(house, live, { status: 'cancelled', stopReason: 'cancelled', error: null, completion: null });
      return;
    }
    const open = openAgentOf(house, live.session, agent);
    const told = { ...prompt, text: await withDriftNote(house, live, prompt.text) };
    const ear = listen();
    const outcome = await open.session
      .prompt(told, listenerFor(house, live, ear), live.abort.signal)
      .finally(() => ear.stop());
    open.lastUsedAt = Date.now();
    await finishRun(house, live, { ...outcome, completion: null, mayWriteLate: agent.kind === 'acp' });
  } catch (error) {
    console.error('A run failed inside Tidemark:', error);
    await finishRun(house, live, {
      status: 'failed',
      stopReason: 'internal',
      error: 'Tidemark itself failed while it ran the agent. What the run changed is listed all the same.',
      completion: null,
    });
  }
}

function listenerFor(house: House, live: LiveRun, ear: Ear): RunListener {
  // It goes on without us; and where we are slow to hear of a call, it may have written by then.
  const options = (): CallOptions => ({ paths: 'announced', mayBeginAt: ear.since(), request: null });
  return {
    // What still comes while the run is being ended (its session is deleted, Tidemark stops) has nowhere to go.
    update: (update) => {
      if (live.ending === null) hear(house, live, update, options());
    },
    permission: async (question, signal) => {
      if (live.ending !== null) return null;
      const { entry } = hearCall(house, live, question.call, options());
      // The agent waits for the answer: the files it names are copied before it may touch them.
      await entry.started.catch(() => undefined);
      return askPermission(house, live, question, AbortSignal.any([signal, live.abort.signal]));
    },
  };
}

function hear(house: House, live: LiveRun, update: AgentUpdate, options: CallOptions): void {
  switch (update.type) {
    case 'text':
      addText(house, live, update.role, update.messageKey, update.text);
      return;
    case 'tool':
      hearCall(house, live, update.call, options);
      return;
    case 'plan':
      setPlan(house, live, update.entries);
      return;
    case 'title':
      retitle(house, live.session.id, update.title);
      return;
  }
}

/** The session's agent, opened at its first prompt and kept between prompts. */
export function openAgentOf(house: House, session: Session, agent: Agent): OpenAgent {
  const existing = house.openAgents.get(session.id);
  if (existing && existing.agentId === agent.id) return existing;
  // An agent may tell its state while it is being opened.
  let state = NO_AGENT_STATE;
  const open: OpenAgent = {
    agentId: agent.id,
    get state() {
      return state;
    },
    lastUsedAt: Date.now(),
    session: agent.open({
      workspace: session.workspace,
      resumeToken: resumeToken(house.store, session.id),
      onResumeToken: (token) => saveResumeToken(house.store, session.id, token),
      onState: (told) => {
        state = told;
        publish(house, { event: 'agent.updated', sessionId: session.id, runId: null, agent: told });
      },
      onLateUpdate: (update) => hearLate(house, session.id, update),
      onProcess: ({ type, pid, startTime }) => {
        if (type === 'started') saveAgentProcess(house.store, { pid, startTime, sessionId: session.id });
        else removeAgentProcess(house.store, pid);
      },
      mcp: toolServerFor(house, session.id),
    }),
  };
  house.openAgents.set(session.id, open);
  return open;
}

/** Ends the agent of a session, where one is open. */
export async function closeAgentOf(house: House, sessionId: SessionId): Promise<void> {
  const open = house.openAgents.get(sessionId);
  house.openAgents.delete(sessionId);
  await open?.session.close();
  await endLateWork(house, sessionId);
}

/** Closes agents that nobody prompted for a while. */
export async function closeIdleAgents(house: House, idleMs: number): Promise<void> {
  const now = Date.now();
  for (const [sessionId, open] of house.openAgents) {
    const busy = [...house.live.values()].some((live) => live.session.id === sessionId);
    if (!busy && now - open.lastUsedAt > idleMs) await closeAgentOf(house, sessionId);
  }
}
