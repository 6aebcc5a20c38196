/** Opens a conversation with an agent that was just started: the earlier one where it can be resumed, else a new one. */
import type { AcpConnection } from './acp-connection';
import { isRecord } from './acp-content';
import type { AgentSessionOptions } from './agent';

/** JSON-RPC's word for a method that nobody handles. */
const METHOD_NOT_FOUND = -32601;
/** Milliseconds of silence that end a replay, and what it may take at most. */
const REPLAY_QUIET_MS = 250;
const MAX_REPLAY_MS = 10_000;

export interface Opening {
  connection: AcpConnection;
  /** The agent as people call it. */
  name: string;
  workspace: string;
  mcp: AgentSessionOptions['mcp'];
  /** The id of the earlier conversation, or null. */
  token: string | null;
  /** Milliseconds that each request may take. */
  openMs: number;
  /** Says what is being done. */
  tell(note: string): void;
  /**
   * From now on updates of this conversation are heard (empty: of whichever begins), and whether they repeat what is
   * stored already.
   */
  listen(sessionId: string, isReplay: boolean): void;
  /** When the last update came, `performance.now()`. */
  heardAt(): number;
}

export interface Opened {
  sessionId: string;
  /** What the agent answered: its modes, models and options. */
  answer: unknown;
  takesImages: boolean;
  /** Why an earlier conversation was not resumed; null where it was, or there was none. */
  lost: string | null;
}

/** Rejects with the agent's error. */
export async function openConversation(opening: Opening): Promise<Opened> {
  const { connection, name, workspace, mcp, token, openMs, tell, listen } = opening;
  const capabilities = isRecord(connection.capabilities) ? connection.capabilities.agentCapabilities : undefined;
  const able = isRecord(capabilities) ? capabilities : {};
  const takesImages = isRecord(able.promptCapabilities) && able.promptCapabilities.image === true;
  const where = { cwd: workspace, mcpServers: mcpServers(mcp, able.mcpCapabilities) };
  let lost: string | null = null;
  if (token !== null) {
    tell(`Resuming the conversation with ${name}`);
    listen(token, true);
    const resumed = await resume(opening, resumeMethods(able), { sessionId: token, ...where });
    if ('answer' in resumed) {
      listen(token, false);
      return { sessionId: token, answer: resumed.answer, takesImages, lost };
    }
    lost = resumed.lost;
  }
  // Its first updates may be read before its answer is.
  listen('', false);
  tell(`Opening a conversation with ${name}`);
  const answer = await connection.request('session/new', where, openMs);
  const sessionId = isRecord(answer) ? answer.sessionId : undefined;
  if (typeof sessionId !== 'string') throw new Error('it opened no conversation');
  listen(sessionId, false);
  return { sessionId, answer, takesImages, lost };
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

/** `lost` says why, where the agent does not know the conversation any more. */
async function resume(
  { connection, name, openMs, heardAt }: Opening,
  methods: ResumeMethod[],
  params: object,
): Promise<{ answer: unknown } | { lost: string }> {
  let lost = `${name} cannot resume`;
  for (const method of methods) {
    try {
      const answer = (await connection.request(method, params, openMs)) ?? null;
      // Gemini answers before it has repeated everything.
      if (method === 'session/load') await replayEnded(heardAt);
      return { answer };
    } catch (error) {
      if (!connection.isOpen() || !isRpcError(error)) throw error;
      lost = connection.failure(error);
      // Qwen offers to resume and then does not know the method.
      if (error.code !== METHOD_NOT_FOUND) break;
    }
  }
  return { lost };
}

/** Resolves once nothing was repeated for a moment. */
async function replayEnded(heardAt: () => number): Promise<void> {
  const deadline = performance.now() + MAX_REPLAY_MS;
  for (let now = performance.now(); now < deadline; now = performance.now()) {
    const quietFor = now - heardAt();
    if (quietFor >= REPLAY_QUIET_MS) return;
    await new Promise((resolve) => setTimeout(resolve, REPLAY_QUIET_MS - quietFor));
  }
}

function mcpServers(mcp: AgentSessionOptions['mcp'], capabilities: unknown): unknown[] {
  if (mcp === null) return [];
  if ('command' in mcp) return [{ name: 'tidemark', ...mcp }];
  // An agent that does not speak HTTP to servers is offered none, rather than failing on it.
  return isRecord(capabilities) && capabilities.http === true ? [{ type: 'http', name: 'tidemark', ...mcp }] : [];
}

function isRpcError(error: unknown): error is Error & { code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}
