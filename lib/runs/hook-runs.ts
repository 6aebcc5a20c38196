/** Records what terminal agents tell by their hooks: the same runs, calls and answers that a chat makes. */
import type { Session } from '@/lib/domain/conversation';
import { AppError, isAppError } from '@/lib/domain/errors';
import { kindOfTool } from '@/lib/domain/file-tools';
import { HOOK_AGENT_NAMES, type IntakeAgent } from '@/lib/domain/hooks';
import { mintId, type RunId } from '@/lib/domain/ids';
import { findRun } from '@/lib/store/run-store';
import { findOutsideSession, resumeToken } from '@/lib/store/session-store';
import { addMessage } from './conversation-log';
import { finishRun } from './finish-run';
import { type HookBook, type HookTalk, intakeOf, rememberParent, rootOf, talkOf } from './hook-book';
import type { HookEvent, HookRequest } from './hook-event';
import { readHookEvent } from './hook-payload';
import { type HookCommand, type HookFacts, takeHookEvent, takeSilence, withoutRun } from './hook-state';
import type { House } from './house';
import type { LiveRun } from './live-run';
import { startOutsideRun } from './outside-run';
import { privatePathsOf } from './private-paths';
import { createSession, refuseOutsideRoots } from './sessions';
import { completeCall, hearCall } from './tool-runs';

/** Milliseconds an agent waits for its run's baseline: its hook gives up after two seconds, the way there and back included. */
const PROMPT_WAIT_MS = 1_500;
/** Milliseconds an agent waits for the captures of a file tool. */
const TOOL_WAIT_MS = 250;
/** Characters of a prompt or an answer that are kept. */
const MAX_TEXT_CHARS = 1_000_000;
const MAX_TITLE_CHARS = 80;

/**
 * Takes one request. Resolves when its agent may go on: at once, but for a prompt (after the baseline) and the start
 * of a file tool (after its captures), both bounded. Never rejects.
 */
export async function takeHookRequest(
  house: House,
  book: HookBook,
  agent: IntakeAgent,
  request: HookRequest,
): Promise<void> {
  const now = Date.now();
  const intake = intakeOf(book, agent);
  intake.events += 1;
  intake.lastEventAt = now;
  const event = readHookEvent(agent, request);
  if (!event || isOwnConversation(house, event.session)) return;
  const heard = ofRoot(book, agent, event);
  const talk = talkOf(book, agent, heard.session, now);
  const patience = patienceFor(heard, talk);
  const taken = talk.tail.then(() => takeEvent(house, book, talk, heard, now + patience));
  talk.tail = taken.catch((error: unknown) => {
    console.error(`A hook event of ${HOOK_AGENT_NAMES[agent]} could not be recorded:`, error);
  });
  await within(
    taken.then(({ captured }) => captured).catch(() => undefined),
    patience,
  );
}

/** Milliseconds that the agent is kept waiting at most. */
function patienceFor(event: HookEvent, talk: HookTalk): number {
  if (event.type === 'prompt') return PROMPT_WAIT_MS;
  if (event.type !== 'tool_started') return 0;
  // A call without a run begins one (Tidemark came late): it needs its baseline. Any other waits until it is written
  // down, which takes no time, since what it changes is its work from then on; and a file tool until its files are copied.
  return talk.state.run === null ? PROMPT_WAIT_MS : TOOL_WAIT_MS;
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  if (ms === 0) return;
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    work,
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(timer);
}

/** Whether it is a conversation that we run over ACP: its hooks fire as well, and are recorded already. */
function isOwnConversation(house: House, conversation: string): boolean {
  return [...house.openAgents.keys()].some((sessionId) => resumeToken(house.store, sessionId) === conversation);
}

/** An event of a subagent that has a conversation of its own, as one of the conversation it belongs to. */
function ofRoot(book: HookBook, agent: IntakeAgent, event: HookEvent): HookEvent {
  if (event.type === 'session_started' && event.parent !== null) {
    rememberParent(book, agent, event.session, event.parent);
  }
  const root = rootOf(book, agent, event.session);
  return root === null ? event : { ...event, session: root, subagent: event.session };
}

/**
 * Takes one event, whose agent goes on at `goesOnAt` (ms) at the latest. `captured` resolves when the files that a call
 * is about to change are copied.
 */
async function takeEvent(
  house: House,
  book: HookBook,
  talk: HookTalk,
  event: HookEvent,
  goesOnAt: number,
): Promise<{ captured: Promise<unknown> }> {
  if (event.cwd !== null && event.subagent === null) talk.cwd = event.cwd;
  const { run } = talk.state;
  const live = run && liveOf(house, run.id);
  if (live) live.touchedAt = Date.now();
  const facts: HookFacts = {
    now: Date.now(),
    openRun: !run || live ? 'live' : findRun(house.store, run.id)?.status === 'interrupted' ? 'expired' : 'closed',
    mintRunId: () => mintId<RunId>('run'),
  };
  const step = takeHookEvent(talk.state, event, facts);
  talk.state = step.state;
  const captures: Promise<unknown>[] = [];
  for (const command of step.commands) {
    if (command.type === 'start_run') await begin(house, book, talk, command);
    else if (command.type === 'start_tool') captures.push(startTool(house, command, goesOnAt));
    else await carryOut(house, command);
  }
  return { captured: Promise.all(captures) };
}

/** A call begins. Resolves when its files are copied; for what changes no named file, at once. */
async function startTool(
  house: House,
  { runId, toolCallId: id, call }: CommandOf<'start_tool'>,
  goesOnAt: number,
): Promise<void> {
  const live = liveOf(house, runId);
  if (!live) return;
  const changesFiles = call.paths.length > 0;
  const isPrivate = call.paths.some(privatePathsOf(house.settings, live.recorder.location));
  const { entry } = hearCall(
    house,
    live,
    {
      id,
      title: call.title,
      tool: call.tool,
      kind: kindOfTool(call.tool),
      status: 'in_progress',
      input: isPrivate ? null : call.input,
      locations: call.paths.map((path) => ({ path })),
      ...(call.snippets.length > 0 && !isPrivate && { meta: { snippets: call.snippets } }),
    },
    // What changes no named file goes on as soon as it is written down, which is now.
    { paths: call.paths, mayBeginAt: changesFiles ? goesOnAt : Math.min(Date.now(), goesOnAt), request: null },
  );
  if (changesFiles) await entry.started;
}

/** Ends runs whose background tasks have been silent for too long. */
export async function endSilentTalks(house: House, book: HookBook, now: number): Promise<void> {
  for (const talk of book.talks.values()) {
    if (talk.state.run === null) continue;
    talk.tail = talk.tail.then(async () => {
      const step = takeSilence(talk.state, now);
      talk.state = step.state;
      for (const command of step.commands) if (command.type === 'complete_run') await carryOut(house, command);
    });
    await talk.tail;
  }
}

function liveOf(house: House, runId: RunId): LiveRun | null {
  const live = house.live.get(runId);
  return live && live.ending === null ? live : null;
}

type CommandOf<Type extends HookCommand['type']> = Extract<HookCommand, { type: Type }>;

async function carryOut(
  house: House,
  command: Exclude<HookCommand, { type: 'start_run' | 'start_tool' }>,
): Promise<void> {
  // A person may have cancelled it meanwhile.
  const live = liveOf(house, command.runId);
  if (!live) return;
  switch (command.type) {
    case 'complete_tool': {
      const { status, output } = command;
      // What it changed is found behind: its agent goes on meanwhile, and the run's end waits for it.
      completeCall(house, live, command.toolCallId, { status, ...(output !== null && { output }) }, status).catch(
        (error: unknown) => console.error('The end of a call could not be recorded:', error),
      );
      return;
    }
    case 'say':
      addMessage(house, live, command.role, command.text.slice(0, MAX_TEXT_CHARS));
      return;
    case 'complete_run':
      await finishRun(house, live, {
        status: command.status,
        stopReason: command.reason.slice(0, 200),
        error: command.error?.slice(0, 10_000) ?? null,
        message: command.message?.slice(0, MAX_TEXT_CHARS),
        completion: null,
      });
      return;
  }
}

/** Begins a run, and says why not where that cannot be: an agent in a folder that is gone, or not allowed. */
async function begin(
  house: House,
  book: HookBook,
  talk: HookTalk,
  { runId, prompt: text }: CommandOf<'start_run'>,
): Promise<void> {
  const prompt = text.slice(0, MAX_TEXT_CHARS);
  const intake = intakeOf(book, talk.agent);
  try {
    talk.session = await sessionFor(house, talk, prompt);
    refuseOutsideRoots(house, talk.session.workspace);
    await startOutsideRun(house, talk.session, { prompt, runId, request: '' });
    intake.problem = null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    talk.state = withoutRun(talk.state);
    intake.problem = `${error.message}${talk.cwd === null ? '' : ` (${talk.cwd})`}`;
  }
}

/**
 * The session of a conversation: one for each folder it works in, found again after a restart and when the agent
 * resumes the conversation. A folder inside the session's is the same work.
 */
async function sessionFor(house: House, talk: HookTalk, prompt: string): Promise<Session> {
  const key = `${talk.agent}:${talk.conversation}`;
  const { cwd } = talk;
  const first = findOutsideSession(house.store, key);
  if (first && (cwd === null || isWithin(cwd, first.workspace))) return first;
  const root = cwd === null ? null : (await house.capture.locate(cwd)).root;
  if (first && root !== null && isWithin(root, first.workspace)) return first;
  if (cwd === null) throw new AppError('workspace_unavailable', 'The agent did not say in which folder it works.');
  const outsideKey = first ? `${key}:${root}` : key;
  const other = first ? findOutsideSession(house.store, outsideKey) : null;
  if (other) return other;
  const { session } = await createSession(house, {
    workspace: cwd,
    title: titleOf(prompt) ?? HOOK_AGENT_NAMES[talk.agent],
    outsideKey,
    request: null,
  });
  return session;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** The first line of a prompt, short enough for a list. */
function titleOf(prompt: string): string | null {
  const line = prompt.trim().split('\n')[0]?.trim() ?? '';
  if (line === '') return null;
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 1).trimEnd()}…` : line;
}
