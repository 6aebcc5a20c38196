/** One conversation with an agent that speaks ACP: started for its first prompt, kept between prompts, resumed after a restart. */
import { AppError } from '@/lib/domain/errors';
import { type Choice, choicesOf, withChosen } from './acp-choices';
import { type AcpConnection, startAcp } from './acp-connection';
import { isRecord } from './acp-content';
import { openConversation } from './acp-conversation';
import { createAcpFiles } from './acp-files';
import type { AcpAgentEntry, AcpSettings } from './acp-settings';
import { createTranslator, type Translator } from './acp-translate';
import { usageOfAnswer } from './acp-usage';
import type {
  AgentOutcome,
  AgentPrompt,
  AgentSession,
  AgentSessionOptions,
  AgentUpdate,
  PermissionQuestion,
  RunListener,
} from './agent';
import { endLeftCommands } from './left-commands';
import { StateTeller } from './state-teller';
import { createUpdateStream, type UpdateStream } from './update-stream';

/** One prompt that is going on. */
interface Going {
  listener: RunListener;
  stream: UpdateStream;
  signal: AbortSignal;
}

export class AcpSession implements AgentSession {
  private readonly state: StateTeller;
  /** What the user chose, so that a restarted agent is told again. */
  private readonly chosen = new Map<string, string>();
  private resumeToken: string | null;
  private connection: AcpConnection | null = null;
  private starting: Promise<{ failure: string } | null> | null = null;
  /** The conversation whose updates are heard; empty while one begins. */
  private sessionId = '';
  private translator: Translator = createTranslator();
  /** The agent repeats the history of a loaded session: it is stored already. */
  private isReplaying = false;
  /** When the last update came. */
  private heardAt = Number.NEGATIVE_INFINITY;
  private going: Going | null = null;
  /** Permission requests in the order they were read; the SDK calls back a moment later, in the same order. */
  private questions: (PermissionQuestion | null)[] = [];
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
    this.state = new StateTeller((state) => options.onState(state));
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
      if (problem === ABORTED || signal.aborted) return CANCELLED;
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
    const choice = this.state.choices.find((candidate) => candidate.id === choiceId);
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
      this.translator.stopped();
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
      this.state.apply({ usage: usageOfAnswer(answer) });
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
    this.state.flush();
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
    const progress = this.state.progress();
    this.translator = createTranslator();
    this.questions = [];
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
      const problem = await this.beginConversation(connection, signal, progress.now);
      if (problem !== null) {
        await connection.stop();
        return this.notStarted(problem);
      }
      this.connection = connection;
      void connection.ended.then(() => this.agentEnded(connection));
      this.state.set({ phase: 'ready', note: null });
      await this.chooseAgain();
      return null;
    } finally {
      progress.end();
    }
  }

  /** Null when there is a conversation, else why there is none. */
  private async beginConversation(
    connection: AcpConnection,
    signal: AbortSignal,
    tell: (note: string) => void,
  ): Promise<string | null> {
    const { entry, options, settings } = this;
    const stop = () => void connection.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { sessionId, answer, takesImages, lost } = await openConversation({
        connection,
        name: entry.name,
        workspace: options.workspace,
        mcp: options.mcp,
        token: this.resumeToken,
        openMs: settings.patience.openMs,
        tell,
        listen: (id, isReplay) => {
          // What was repeated is no call of the next prompt.
          if (this.isReplaying && !isReplay) this.translator = createTranslator();
          this.sessionId = id;
          this.isReplaying = isReplay;
        },
        heardAt: () => this.heardAt,
      });
      if (lost !== null) this.tellLostMemory(lost);
      if (sessionId !== this.resumeToken) options.onResumeToken(sessionId);
      this.resumeToken = sessionId;
      this.state.apply({ choices: choicesOf(answer) });
      this.state.set({ takesImages });
      return null;
    } catch (error) {
      return connection.failure(error);
    } finally {
      signal.removeEventListener('abort', stop);
      this.isReplaying = false;
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
    if (isOurs) this.state.apply(state);
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
    const answered = going.listener.permission(question, signal).catch(() => null);
    const answer = await untilAborted(answered, signal);
    // An answer that crossed the cancel is too late.
    return answer === ABORTED || signal.aborted ? null : answer;
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
      const options = choicesOf(answer);
      const chosen = withChosen([...this.state.choices], (candidate) => candidate.id === choice.id, value);
      this.state.apply({ choices: options.length > 0 ? options : chosen });
    } catch (error) {
      throw new AppError('agent_unavailable', connection.failure(error));
    }
  }

  /** A fresh process of the agent knows nothing of what was chosen before. */
  private async chooseAgain(): Promise<void> {
    for (const [id, value] of this.chosen) {
      const choice = this.state.choices.find((candidate) => candidate.id === id);
      if (!choice || choice.current === value) continue;
      // What it does not offer any more stays as it is, for the user to see.
      await this.makeChoice(choice, value).catch(() => undefined);
    }
  }

  private notStarted(failure: string): { failure: string } {
    this.state.set({ phase: 'off', note: null });
    return { failure };
  }

  private agentEnded(connection: AcpConnection): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.late.flush();
    this.state.set({ phase: 'off', note: null });
  }
}

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

const ABORTED = Symbol('aborted');

/** What goes on for somebody else goes on; whoever aborted does not wait for it. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | typeof ABORTED> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    abort = () => resolve(ABORTED);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (abort) signal.removeEventListener('abort', abort);
  }
}
