/** Sessions with the scripted agent, a real process: opened in a folder of the test, closed after it, and nothing of them left. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Patience } from '@/lib/agents/acp-settings';
import type {
  AgentOutcome,
  AgentPrompt,
  AgentSession,
  AgentSessionOptions,
  AgentUpdate,
  PermissionQuestion,
  RunListener,
  ToolCallUpdate,
} from '@/lib/agents/agent';
import type { AgentState } from '@/lib/domain/conversation';
import { isGroupAlive } from '@/lib/process/process-group';
import { scriptedAgent } from './scripted-agent';

/** Where the test works; fresh for each. */
export const place = { dir: '', workspace: '' };
let opened: Opened[] = [];

beforeEach(async () => {
  place.dir = await realpath(await mkdtemp(join(tmpdir(), 'tidemark-acp-')));
  place.workspace = join(place.dir, 'work');
  await mkdir(place.workspace);
  await mkdir(join(place.dir, 'home'));
});
afterEach(async () => {
  await Promise.all(opened.map(({ session }) => session.close()));
  for (const { processes } of opened) {
    for (const { pid } of processes) expect(await isGroupAlive(pid), `group ${pid}`).toBe(false);
  }
  opened = [];
  await rm(place.dir, { recursive: true, force: true });
});

export interface Opened {
  session: AgentSession;
  states: AgentState[];
  state(): AgentState;
  late: AgentUpdate[];
  tokens: string[];
  processes: { type: string; pid: number }[];
}

export interface OpenOptions {
  args?: string[];
  command?: string;
  env?: Record<string, string>;
  fs?: boolean;
  resumeToken?: string | null;
  patience?: Partial<Patience>;
  mcp?: AgentSessionOptions['mcp'];
}

/** A session with the scripted agent, or with another program in its place; closed after the test. */
export function open({
  args = [],
  command,
  env = {},
  fs = false,
  resumeToken = null,
  patience = {},
  mcp = null,
}: OpenOptions = {}): Opened {
  const agent = scriptedAgent({ home: join(place.dir, 'home'), args, command, env, fs, patience });
  const one: Omit<Opened, 'session'> = {
    states: [],
    state: () => one.states.at(-1) as AgentState,
    late: [],
    tokens: [],
    processes: [],
  };
  const session = agent.open({
    workspace: place.workspace,
    resumeToken,
    onResumeToken: (token) => one.tokens.push(token),
    onState: (state) => one.states.push(state),
    onLateUpdate: (update) => one.late.push(update),
    onProcess: (event) => one.processes.push(event),
    mcp,
  });
  const whole = { ...one, session, state: one.state };
  opened.push(whole);
  return whole;
}

export interface Heard {
  outcome: AgentOutcome;
  updates: AgentUpdate[];
  /** The answer as a person reads it. */
  answer: string;
  calls: Map<string, ToolCallUpdate>;
  questions: PermissionQuestion[];
}

interface AskOptions {
  answer?: (question: PermissionQuestion, signal: AbortSignal) => Promise<string | null>;
  signal?: AbortSignal;
  images?: AgentPrompt['images'];
  onUpdate?: (update: AgentUpdate) => void;
  beforeWrite?: (path: string) => Promise<void>;
}

/** Sends a prompt and keeps what is heard of it. */
export async function ask(session: AgentSession, text: string, options: AskOptions = {}): Promise<Heard> {
  const heard: Heard = {
    outcome: { status: 'failed', stopReason: '', error: null },
    updates: [],
    answer: '',
    calls: new Map(),
    questions: [],
  };
  const listener: RunListener = {
    update(update) {
      heard.updates.push(update);
      options.onUpdate?.(update);
      if (update.type === 'text' && update.role === 'assistant') heard.answer += update.text;
      if (update.type !== 'tool') return;
      const before = heard.calls.get(update.call.id);
      const output = update.call.output ?? (before?.output ?? '') + (update.call.outputAppend ?? '');
      heard.calls.set(update.call.id, {
        ...before,
        ...update.call,
        output,
        meta: { ...before?.meta, ...update.call.meta },
      });
    },
    async permission(question, signal) {
      heard.questions.push(question);
      return options.answer ? options.answer(question, signal) : 'yes';
    },
    ...(options.beforeWrite ? { beforeWrite: options.beforeWrite } : {}),
  };
  const signal = options.signal ?? new AbortController().signal;
  heard.outcome = await session.prompt({ text, images: options.images ?? [] }, listener, signal);
  return heard;
}

export const calls = (heard: Heard) => [...heard.calls.values()];

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
