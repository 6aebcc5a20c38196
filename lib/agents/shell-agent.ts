/** The built-in agent: a message is a command line, run by `/bin/sh -c` in the workspace, its output one tool call. */
import { stat } from 'node:fs/promises';
import type { AgentState } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { mintId, type ToolCallId } from '@/lib/domain/ids';
import { type Child, type ChildExit, startChild } from '@/lib/process/child';
import { isGroupAlive } from '@/lib/process/process-group';
import type { Agent, AgentOutcome, AgentSession, AgentSessionOptions, RunListener } from './agent';
import { createCommandOutput } from './command-output';
import { durationInWords } from './duration';

/** Milliseconds that helpers of a command (`tee` of a process substitution) get to finish after it ended. */
const LINGER_MS = 500;
/** Milliseconds without output after which a pipe that somebody outside the group still holds is given up. */
const PIPE_QUIET_MS = 200;
/** Milliseconds after which it is given up although output still comes. */
const PIPE_MAX_MS = 2_000;
/** Milliseconds between two looks at what a command left behind. */
const LOOK_MS = 25;
/** Characters of a command that its card's title shows; `input` has it whole. */
const TITLE_CHARS = 2_000;

const WHY_NOT_STARTED: Record<string, string> = {
  E2BIG: 'The command is too long for this system. Put it into a script file and run that.',
  EACCES: 'The workspace folder may not be entered.',
  EAGAIN: 'The system has no process left to give.',
  ERR_INVALID_ARG_VALUE: 'The command holds a null character.',
};

export interface ShellAgentSettings {
  /** The whole environment of a command. */
  env: Readonly<Record<string, string | undefined>>;
  /** Bytes of one command's output that are kept; past it the middle is left out, with a note. */
  outputBytes: number;
}

export function createShellAgent(settings: ShellAgentSettings): Agent {
  return {
    id: 'shell',
    name: 'Shell',
    kind: 'shell',
    availability: async () => ({ available: true }),
    open: (options) => openShell(settings, options),
  };
}

const STATE: AgentState = {
  phase: 'ready',
  note: null,
  choices: [],
  commands: [],
  usage: null,
  takesImages: false,
};

function openShell(settings: ShellAgentSettings, options: AgentSessionOptions): AgentSession {
  const going = new Set<Child>();
  let isClosed = false;
  options.onState(STATE);
  return {
    async prompt(prompt, listener, signal) {
      if (isClosed) return failure('closed', 'The session was closed.');
      if (signal.aborted) return { status: 'cancelled', stopReason: 'cancelled', error: null };
      const id = mintId<ToolCallId>('call');
      const { text } = prompt;
      // Announced before anything runs: what the command writes lies within its call, however busy the machine is.
      listener.update({
        type: 'tool',
        call: {
          id,
          title: text.length > TITLE_CHARS ? `${text.slice(0, TITLE_CHARS)}…` : text,
          tool: 'sh',
          kind: 'execute',
          status: 'in_progress',
          input: { command: text },
        },
      });
      // `exec` leaves one process, which is `/bin/sh -c <command>` with both outputs in one pipe, in their true order.
      const start = await startChild({
        command: '/bin/sh',
        args: ['-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', text],
        cwd: options.workspace,
        env: settings.env,
        stdin: 'ignore',
      });
      if (!start.started) {
        listener.update({ type: 'tool', call: { id, status: 'failed' } });
        return failure('not started', await whyNotStarted(start.code, options.workspace));
      }
      going.add(start.child);
      try {
        return await follow(start.child, { id, settings, options, listener, signal });
      } finally {
        going.delete(start.child);
      }
    },
    async choose() {
      throw new AppError('invalid_request', 'The shell has nothing to choose');
    },
    async close() {
      isClosed = true;
      await Promise.all([...going].map((child) => child.stop()));
    },
  };
}

interface Following {
  id: ToolCallId;
  settings: ShellAgentSettings;
  options: AgentSessionOptions;
  listener: RunListener;
  signal: AbortSignal;
}

/** Tells what a started command does until nothing of it is left. */
async function follow(child: Child, { id, settings, options, listener, signal }: Following): Promise<AgentOutcome> {
  const startedAt = performance.now();
  const startTime = child.startTime;
  const announced = startTime.then((time) => options.onProcess({ type: 'started', pid: child.pid, startTime: time }));
  const output = createCommandOutput(settings.outputBytes, (update) => {
    const { dropped } = update;
    const change = 'replace' in update ? { output: update.replace } : { outputAppend: update.append };
    listener.update({ type: 'tool', call: { id, ...change, ...(dropped > 0 ? { outputDropped: dropped } : {}) } });
  });
  let lastOutputAt = performance.now();
  const hear = (bytes: Uint8Array) => {
    lastOutputAt = performance.now();
    output.write(bytes);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);

  const stop = () => void child.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const exit = await child.exited;
  const tookMs = performance.now() - startedAt;
  const endedBackground = await endRest(child, () => performance.now() - lastOutputAt);
  signal.removeEventListener('abort', stop);
  output.finish();

  const outcome = signal.aborted ? CANCELLED : outcomeOf(exit);
  listener.update({ type: 'tool', call: { id, status: outcome.status } });
  const sentence = signal.aborted ? 'Stopped' : exitInWords(exit);
  const background = endedBackground ? ' Background processes that it left running were ended.' : '';
  listener.update({
    type: 'text',
    role: 'assistant',
    messageKey: 'exit',
    text: `${sentence} after ${durationInWords(tookMs)}.${background}`,
  });
  await announced;
  options.onProcess({ type: 'ended', pid: child.pid, startTime: await startTime });
  return outcome;
}

/**
 * After the command itself: lets its helpers finish, ends whatever it left in the background, and reads the pipe to
 * its end, or until it is quiet where a process that left the group still holds it. True where something was ended.
 */
async function endRest(child: Child, quietFor: () => number): Promise<boolean> {
  let isClosed = false;
  const closed = child.closed.then(() => {
    isClosed = true;
  });
  let hasRest = await isGroupAlive(child.pid);
  for (let waited = 0; hasRest && waited < LINGER_MS; waited += LOOK_MS) {
    await pause(LOOK_MS);
    hasRest = await isGroupAlive(child.pid);
  }
  if (!hasRest) {
    const deadline = performance.now() + PIPE_MAX_MS;
    await Promise.race([closed, pause(PIPE_QUIET_MS)]);
    while (!isClosed && quietFor() < PIPE_QUIET_MS && performance.now() < deadline) await pause(PIPE_QUIET_MS);
  }
  await child.stop();
  await closed;
  return hasRest;
}

const CANCELLED: AgentOutcome = { status: 'cancelled', stopReason: 'cancelled', error: null };

function outcomeOf({ code, signal }: ChildExit): AgentOutcome {
  if (code === 0) return { status: 'completed', stopReason: 'exit 0', error: null };
  return code === null
    ? failure(`signal ${signal}`, `The command was ended by ${signal}.`)
    : failure(`exit ${code}`, `The command exited with status ${code}.`);
}

function exitInWords({ code, signal }: ChildExit): string {
  return code === null ? `Ended by ${signal}` : `Exited with status ${code}`;
}

function failure(stopReason: string, error: string): AgentOutcome {
  return { status: 'failed', stopReason, error };
}

async function whyNotStarted(code: string, workspace: string): Promise<string> {
  const folder = await stat(workspace).catch(() => null);
  if (folder === null) return 'The workspace folder is not there any more.';
  if (!folder.isDirectory()) return 'The workspace is not a folder.';
  return WHY_NOT_STARTED[code] ?? `The command could not be started (${code}).`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
