/** An agent that speaks ACP: started for its first prompt, kept between prompts, resumed after a restart, stopped for good. */
import type { AgentState, AgentUsage } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { endGroup } from '@/lib/process/process-group';
import { type Choice, choicesOf, withChosen } from './acp-choices';
import { type AcpConnection, startAcp } from './acp-connection';
import { isRecord } from './acp-content';
import { createAcpFiles } from './acp-files';
import { createTranslator, type StateChange, type Translator, usageOfAnswer } from './acp-translate';
import type {
  Agent,
  AgentOutcome,
  AgentPrompt,
  AgentSession,
  AgentSessionOptions,
  AgentUpdate,
  PermissionQuestion,
  RunListener,
} from './agent';
import { findCommand } from './find-command';
import { createUpdateStream, type UpdateStream } from './update-stream';

/** One agent that speaks ACP, as the catalog or the user's file names it. */
export interface AcpAgentEntry {
  id: string;
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Offer to read and write files for it (AGENT-FACTS §0.4: off unless asked for). */
  fs: boolean;
  /** How a person gets it. */
  install: string;
}

export interface AcpSettings {
  /** The environment that agents are given. */
  env: Readonly<Record<string, string | undefined>>;
  /** Our version, told to the agent. */
  version: string;
  /** Bytes of one file that an agent may read or write through us. */
  fileBytes: number;
  patience: Patience;
}

/** Milliseconds that an agent gets. */
export interface Patience {
  /** To introduce itself; cold starts take up to 40 s (AGENT-FACTS §0.16). */
  startMs: number;
  /** To open or resume a conversation. */
  openMs: number;
  /** To stop after it was asked to; then its process group is ended. */
  cancelMs: number;
  /** To make a choice. */
  chooseMs: number;
}

export const DEFAULT_PATIENCE: Readonly<Patience> = {
  startMs: 60_000,
  openMs: 60_000,
  cancelMs: 10_000,
  chooseMs: 15_000,
};

/** Milliseconds of silence that end a replay, and what it may take at most. */
const REPLAY_QUIET_MS = 250;
const MAX_REPLAY_MS = 10_000;
/** Milliseconds that commands of a cancelled prompt get to end by themselves, and then by SIGTERM. */
const LEFT_COMMANDS_MS = 1_000;
/** Milliseconds between two looks at them. */
const LOOK_MS = 50;
/** Milliseconds between two words about a slow start. */
const PROGRESS_MS = 1_000;

export function createAcpAgent(entry: AcpAgentEntry, settings: AcpSettings): Agent {
  const env = { ...settings.env, ...entry.env };
  return {
    id: entry.id,
    name: entry.name,
    kind: 'acp',
    async availability() {
      if ((await findCommand(entry.command, env.PATH)) !== null) return { available: true };
      return { available: false, reason: `The command ${entry.command} was not found. ${entry.install}` };
    },
    open: (options) => new AcpSession(entry, { ...settings, env }, options),
  };
}

/** One prompt that is going on. */
interface Going {
  listener: RunListener;
  stream: UpdateStream;
  signal: AbortSignal;
}

class AcpSession implements AgentSession {
  private state: AgentState = { phase: 'off', note: null, choices: [], commands: [], usage: null, takesImages: false };
  private choices: Choice[] = [];
  /** What the user chose, so that a restarted agent is told again. */
  private readonly chosen = new Map<string, string>();
  private resumeToken: string | null;
  private connection: AcpConnection | null = null;
  private starting: Promise<{ failure: string } | null> | null = null;
  private sessionId = '';
  private translator: Translator = createTranslator();
  /** The agent repeats the history of a loaded session: it is stored already. */
  private isReplaying = false;
  /** When the last update came. */
  private heardAt = Number.NEGATIVE_INFINITY;
  private going: Going | null = null;
  /** Permission requests in the order they were read; the SDK calls back a moment later, in the same order. */
  private readonly questions: (PermissionQuestion | null)[] = [];
  private readonly late: UpdateStream;
  private isClosed = false;
  private readonly closing = new AbortController();

  constructor(
    private readonly entry: AcpAgentEntry,
    private readonly settings: AcpSettings,
    private readonly options: AgentSessionOptions,
  ) {
    this.resumeToken = options.resumeToken;
    this.late = createUpdateStream((update) => options.onLateUpdate(update));
    options.onState(this.state);
  }

  async start(): Promise<void> {
    await this.ready(this.closing.signal);
  }

  async prompt(prompt: AgentPrompt, listener: RunListener, signal: AbortSignal): Promise<AgentOutcome> {
    if (this.going) return failed('busy', `${this.entry.name} is still busy with another message.`);
    if (signal.aborted) return CANCELLED;
    const going: Going = { listener, signal, stream: createUpdateStream((update) => listener.update(update)) };
    this.going = going;
    try {
      const problem = await untilAborted(this.ready(signal), signal);
      if (problem === 'aborted' || signal.aborted) return CANCELLED;
      if (problem) return failed('not started', problem.failure);
      return await this.ask(prompt, going);
    } finally {
      going.stream.flush();
      this.going = null;
    }
  }

  async choose(choiceId: string, value: string): Promise<void> {
    const problem = await this.ready(this.closing.signal);
    if (problem) throw new AppError('agent_unavailable', problem.failure);
    const choice = this.choices.find((candidate) => candidate.id === choiceId);
    if (!choice?.values.some((candidate) => candidate.value === value)) {
      throw new AppError('invalid_request', `${this.entry.name} has no such choice`);
    }
    await this.makeChoice(choice, value);
    this.chosen.set(choiceId, value);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.closing.abort();
    await this.starting;
    await this.connection?.stop();
    await this.connection?.ended;
  }

  /** Sends the prompt and waits for its end, however it comes. */
  private async ask(prompt: AgentPrompt, going: Going): Promise<AgentOutcome> {
    const { connection, sessionId } = this;
    const { signal } = going;
    if (!connection) return failed('not started', `${this.entry.name} is not running.`);
    if (prompt.images.length > 0 && !this.state.takesImages) {
      return failed('no images', `${this.entry.name} takes no images.`);
    }
    let killTimer: NodeJS.Timeout | undefined;
    // Not awaited: the prompt does not wait for it, and nothing of the prompt runs before it is there.
    const groupsBefore = connection.commandGroups();
    const cancel = () => {
      connection.notify('session/cancel', { sessionId });
      // Whoever does not stop when asked is ended.
      killTimer = setTimeout(() => void connection.stop(), this.settings.patience.cancelMs);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await connection.request('session/prompt', {
        sessionId,
        prompt: [
          { type: 'text', text: prompt.text },
          ...prompt.images.map(({ mimeType, data }) => ({ type: 'image', mimeType, data })),
        ],
      });
      this.changeState({ usage: usageOfAnswer(answer) });
      if (signal.aborted) await endLeftCommands(connection, await groupsBefore);
      return this.finish(going, outcomeOf(answer, this.entry.name));
    } catch (error) {
      return this.finish(going, failed('error', connection.failure(error)));
    } finally {
      clearTimeout(killTimer);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Ends the calls that the agent left open and tells everything that is held back, before the run ends. */
  private finish(going: Going, outcome: AgentOutcome): AgentOutcome {
    const final = going.signal.aborted ? CANCELLED : outcome;
    for (const update of this.translator.end(final.status)) going.stream.push(update);
    going.stream.flush();
    return final;
  }

  /** Makes sure that the agent runs and has a conversation; null when it does. */
  private async ready(signal: AbortSignal): Promise<{ failure: string } | null> {
    if (this.isClosed) return { failure: 'The session was closed.' };
    if (this.connection?.isOpen()) return null;
    const stopping = AbortSignal.any([signal, this.closing.signal]);
    this.starting ??= this.startAgent(stopping).finally(() => {
      this.starting = null;
    });
    return this.starting;
  }

  private async startAgent(signal: AbortSignal): Promise<{ failure: string } | null> {
    const { entry, settings, options } = this;
    const progress = this.tellProgress();
    try {
      progress.now(`Starting ${entry.name}`);
      const started = await startAcp(
        {
          name: entry.name,
          command: entry.command,
          args: entry.args,
          cwd: options.workspace,
          env: settings.env,
          version: settings.version,
          startMs: settings.patience.startMs,
          onProcess: options.onProcess,
          files: entry.fs
            ? createAcpFiles({
                workspace: options.workspace,
                fileBytes: settings.fileBytes,
                beforeWrite: async (path) => this.going?.listener.beforeWrite?.(path),
              })
            : null,
          handlers: {
            update: (params) => this.hear(params),
            permissionSeen: (params) => this.hearPermission(params),
            permission: (asking) => this.answerPermission(asking),
          },
        },
        signal,
      );
      if ('failure' in started) return this.notStarted(started.failure);
      const { connection } = started;
      const problem = await this.openConversation(connection, signal, progress.now);
      if (problem !== null) {
        await connection.stop();
        return this.notStarted(problem);
      }
      this.connection = connection;
      void connection.ended.then(() => this.agentEnded(connection));
      this.setState({ phase: 'ready', note: null });
      await this.chooseAgain();
      return null;
    } finally {
      progress.end();
    }
  }

  /** Resumes the earlier conversation where there is one and the agent can, else begins one. */
  private async openConversation(
    connection: AcpConnection,
    signal: AbortSignal,
    tell: (note: string) => void,
  ): Promise<string | null> {
    const { entry, options, settings } = this;
    const capabilities = isRecord(connection.capabilities) ? connection.capabilities.agentCapabilities : undefined;
    const able = isRecord(capabilities) ? capabilities : {};
    const promptCapabilities = isRecord(able.promptCapabilities) ? able.promptCapabilities : {};
    const where = { cwd: options.workspace, mcpServers: mcpServers(options.mcp, able.mcpCapabilities) };
    const stop = () => void connection.stop();
    signal.addEventListener('abort', stop, { once: true });
    this.translator = createTranslator();
    try {
      let answer: unknown;
      if (this.resumeToken !== null) {
        tell(`Resuming the conversation with ${entry.name}`);
        const resumed = await this.resume(connection, resumeMethods(able), { sessionId: this.resumeToken, ...where });
        if ('lost' in resumed) this.tellLostMemory(resumed.lost);
        else answer = resumed.answer;
      }
      if (answer === undefined) {
        // Its first updates may be read before its answer is.
        this.sessionId = '';
        tell(`Opening a conversation with ${entry.name}`);
        answer = await connection.request('session/new', where, settings.patience.openMs);
        const id = isRecord(answer) ? answer.sessionId : undefined;
        if (typeof id !== 'string') return `${entry.name} opened no conversation.`;
        this.sessionId = id;
        this.resumeToken = id;
        options.onResumeToken(id);
      }
      this.choices = choicesOf(answer);
      this.setState({ choices: this.choices.map(toAgentChoice), takesImages: promptCapabilities.image === true });
      return null;
    } catch (error) {
      return connection.failure(error);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** `lost` says why, where the agent does not know the conversation any more. */
  private async resume(
    connection: AcpConnection,
    methods: ResumeMethod[],
    params: { sessionId: string },
  ): Promise<{ answer: unknown } | { lost: string }> {
    this.sessionId = params.sessionId;
    this.isReplaying = true;
    let lost = `${this.entry.name} cannot resume`;
    try {
      for (const method of methods) {
        try {
          const answer = (await connection.request(method, params, this.settings.patience.openMs)) ?? null;
          // Gemini answers before it has repeated everything.
          if (method === 'session/load') await this.replayEnded();
          return { answer };
        } catch (error) {
          if (!connection.isOpen() || !isRpcError(error)) throw error;
          lost = connection.failure(error);
          // Qwen offers to resume and then does not know the method.
          if (error.code !== METHOD_NOT_FOUND) break;
        }
      }
      return { lost };
    } finally {
      this.isReplaying = false;
      this.translator = createTranslator();
    }
  }

  /** Resolves once nothing was repeated for a moment. */
  private async replayEnded(): Promise<void> {
    const deadline = performance.now() + MAX_REPLAY_MS;
    for (let now = performance.now(); now < deadline; now = performance.now()) {
      const quietFor = now - this.heardAt;
      if (quietFor >= REPLAY_QUIET_MS) return;
      await new Promise((resolve) => setTimeout(resolve, REPLAY_QUIET_MS - quietFor));
    }
  }

  private tellLostMemory(why: string): void {
    const { name } = this.entry;
    this.pass({
      type: 'text',
      role: 'assistant',
      messageKey: 'tidemark',
      text: `*${name} starts without the earlier conversation (${why.replace(/\.$/, '')}).*\n\n`,
    });
  }

  /** Every `session/update`, in order, straight from the stream. */
  private hear(params: unknown): void {
    if (!isRecord(params)) return;
    this.heardAt = performance.now();
    const { updates, state } = this.translator.update(params.update);
    // One process holds one conversation: another id is a subagent's, whose deeds count and whose talk does not.
    const isOurs = this.sessionId === '' || params.sessionId === this.sessionId;
    if (isOurs) this.changeState(state);
    if (this.isReplaying) return;
    for (const update of updates) if (isOurs || update.type === 'tool') this.pass(update);
  }

  private hearPermission(params: unknown): void {
    const asked = this.translator.permission(params);
    this.questions.push(asked?.question ?? null);
    for (const update of asked?.updates ?? []) this.pass(update);
  }

  private pass(update: AgentUpdate): void {
    (this.going?.stream ?? this.late).push(update);
  }

  /** Asks the human; what nobody can answer is denied. */
  private async answerPermission(asking: AbortSignal): Promise<string | null> {
    const question = this.questions.shift() ?? null;
    const { going, translator } = this;
    if (!going || !question) return null;
    const signal = AbortSignal.any([going.signal, asking]);
    const answer = signal.aborted ? null : await this.answerOf(question, going, signal);
    const option = question.options.find((candidate) => candidate.optionId === answer);
    translator.answered(question.call.id, option?.kind ?? null);
    return option?.optionId ?? null;
  }

  private async answerOf(question: PermissionQuestion, going: Going, signal: AbortSignal): Promise<string | null> {
    going.stream.flush();
    const aborted = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    return Promise.race([going.listener.permission(question, signal).catch(() => null), aborted]);
  }

  private async makeChoice(choice: Choice, value: string): Promise<void> {
    const { connection, sessionId } = this;
    if (!connection) return;
    const params = {
      'session/set_config_option': { sessionId, configId: choice.id, value },
      'session/set_mode': { sessionId, modeId: value },
      'session/set_model': { sessionId, modelId: value },
    }[choice.request];
    try {
      const answer = await connection.request(choice.request, params, this.settings.patience.chooseMs);
      const options = isRecord(answer) && Array.isArray(answer.configOptions) ? choicesOf(answer) : null;
      this.changeState({
        choices:
          options !== null && options.length > 0
            ? options
            : withChosen(this.choices, (candidate) => candidate.id === choice.id, value),
      });
    } catch (error) {
      throw new AppError('agent_unavailable', connection.failure(error));
    }
  }

  /** A fresh process of the agent knows nothing of what was chosen before. */
  private async chooseAgain(): Promise<void> {
    for (const [id, value] of this.chosen) {
      const choice = this.choices.find((candidate) => candidate.id === id);
      if (!choice || choice.current === value) continue;
      // What it does not offer any more stays as it is, for the user to see.
      await this.makeChoice(choice, value).catch(() => undefined);
    }
  }

  private changeState({ choices, mode, commands, usage }: StateChange): void {
    if (choices) this.choices = choices;
    if (mode !== undefined) this.choices = withChosen(this.choices, (choice) => choice.category === 'mode', mode);
    const change: Partial<AgentState> = {
      ...(choices || mode !== undefined ? { choices: this.choices.map(toAgentChoice) } : {}),
      ...(commands ? { commands } : {}),
      ...(usage && Object.keys(usage).length > 0 ? { usage: { ...NO_USAGE, ...this.state.usage, ...usage } } : {}),
    };
    if (Object.keys(change).length > 0) this.setState(change);
  }

  private setState(change: Partial<AgentState>): void {
    this.state = { ...this.state, ...change };
    this.options.onState(this.state);
  }

  private notStarted(failure: string): { failure: string } {
    this.setState({ phase: 'off', note: null });
    return { failure };
  }

  private agentEnded(connection: AcpConnection): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.late.flush();
    this.setState({ phase: 'off', note: null });
  }

  /** Says every second how long a start has been going on. */
  private tellProgress(): { now(note: string): void; end(): void } {
    const startedAt = performance.now();
    let note = '';
    const tell = () => {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      this.setState({ phase: 'starting', note: seconds < 2 ? note : `${note} (${seconds} s)` });
    };
    const timer = setInterval(tell, PROGRESS_MS);
    return {
      now: (words) => {
        note = words;
        tell();
      },
      end: () => clearInterval(timer),
    };
  }
}

/** JSON-RPC's word for a method that nobody handles. */
const METHOD_NOT_FOUND = -32601;
const NO_USAGE: AgentUsage = { used: null, size: null, inputTokens: null, outputTokens: null, cost: null };
const CANCELLED: AgentOutcome = { status: 'cancelled', stopReason: 'cancelled', error: null };

function failed(stopReason: string, error: string): AgentOutcome {
  return { status: 'failed', stopReason, error };
}

function outcomeOf(answer: unknown, name: string): AgentOutcome {
  const stopReason = isRecord(answer) && typeof answer.stopReason === 'string' ? answer.stopReason : 'unknown';
  switch (stopReason) {
    case 'cancelled':
      return CANCELLED;
    case 'refusal':
      return failed(stopReason, `${name} refused to answer this message.`);
    case 'unknown':
      return failed(stopReason, `${name} ended without saying why.`);
    default:
      return { status: 'completed', stopReason, error: null };
  }
}

type ResumeMethod = 'session/load' | 'session/resume';

/** What the agent says it can, in the order of preference: `session/resume` repeats nothing. */
function resumeMethods(able: { [key: string]: unknown }): ResumeMethod[] {
  const canResume = isRecord(able.sessionCapabilities) && isRecord(able.sessionCapabilities.resume);
  return [
    ...(canResume ? (['session/resume'] as const) : []),
    ...(able.loadSession === true ? (['session/load'] as const) : []),
  ];
}

function mcpServers(mcp: AgentSessionOptions['mcp'], capabilities: unknown): unknown[] {
  if (mcp === null) return [];
  if ('command' in mcp) return [{ name: 'tidemark', ...mcp }];
  // An agent that does not speak HTTP to servers is offered none, rather than failing on it.
  return isRecord(capabilities) && capabilities.http === true ? [{ type: 'http', name: 'tidemark', ...mcp }] : [];
}

/** Codex says that it was cancelled and lets its command run on: what the prompt started is ended with it. */
async function endLeftCommands(connection: AcpConnection, before: Set<number>): Promise<void> {
  const left = async () => [...(await connection.commandGroups())].filter((group) => !before.has(group));
  const deadline = performance.now() + LEFT_COMMANDS_MS;
  let groups = await left();
  while (groups.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    groups = await left();
  }
  await Promise.all(groups.map((group) => endGroup(group, LEFT_COMMANDS_MS)));
}

/** What is still starting for somebody else goes on; this prompt does not wait for it. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | 'aborted'> {
  return Promise.race([
    work,
    new Promise<'aborted'>((resolve) => {
      signal.addEventListener('abort', () => resolve('aborted'), { once: true });
    }),
  ]);
}

function toAgentChoice({ request: _, ...choice }: Choice) {
  return choice;
}

function isRpcError(error: unknown): error is Error & { code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}
