/** `tidemark run -- COMMAND`: any process as a run. Its streams, signals and exit code pass through untouched. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { ChangeSummary } from '@/lib/domain/change';
import { fromWire, type Wire } from '@/lib/domain/events';
import type { Run } from '@/lib/domain/run';
import { changeLines } from '../change-list';
import type { Call, Command } from '../command';
import { CommandFailure, EXIT } from '../exit-codes';
import { terminalSession } from '../terminal-session';

/** Milliseconds for the start of a run: the server itself waits at most 10 s for the baseline. */
const START_MS = 60_000;
/** Milliseconds for the end of a run: the comparison of a very large folder. */
const END_MS = 10 * 60_000;
/** Milliseconds between signs of life: a run of an outside host expires after 30 minutes without any request. */
const ALIVE_MS = 5 * 60_000;

/** Signals that somebody sends to a command to say something to it. */
const PASSED: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
/** A terminal sends these to the command itself, since it belongs to the same group. */
const FROM_TERMINAL: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** As a shell says it. */
const WHY_NOT_RUN: Record<string, string> = {
  ENOENT: 'command not found',
  EACCES: 'permission denied',
  ENOEXEC: 'not a program that this system runs',
  E2BIG: 'argument list too long',
};

export const run: Command = {
  name: 'run',
  summary: 'run a command and list the files it changed',
  usage: '[--workspace DIR] [--title TEXT] -- COMMAND...',
  about: [
    'The command gets your terminal, its signals are passed on, and its exit code becomes that of `tidemark run`.',
    'The list and the link stand on standard error, so that a pipe gets what the command wrote and nothing else.',
    'With --json one JSON document stands on standard output, and the output of the command on standard error.',
    'Without a server nothing is run: exit code 69.',
  ].join('\n'),
  options: {
    workspace: {
      type: 'string',
      short: 'w',
      value: 'DIR',
      summary: 'the folder to work in and to watch (default: this one)',
    },
    title: { type: 'string', short: 't', value: 'TEXT', summary: 'a session of its own under this title' },
  },
  examples: [
    ['tidemark run -- npm run format', 'what does the formatter touch?'],
    ['tidemark run --workspace ~/code/web -- make icons', 'in another folder'],
    ['tidemark run --json -- ./codegen.sh | jq .change.changed_count', 'for a program'],
  ],
  words: 'command-line',
  firstWords: null,
  run: runCommand,
};

async function runCommand(call: Call): Promise<number> {
  const { screen } = call;
  const door = call.door();
  const workspace = resolve(call.text('workspace') ?? '.');
  const { sessionId, run: started } = await terminalSession(door, {
    workspace,
    title: call.text('title'),
    prompt: `$ ${commandLine(call.words)}`,
    timeoutMs: START_MS,
  });
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/runs/${encodeURIComponent(started.id)}`;
  if (started.baseline !== 'ready') {
    screen.note(screen.paintNote('yellow', 'tidemark: the first snapshot is not ready; early changes may be missed'));
  }

  const alive = setInterval(() => {
    door.json('GET', `/api/runs/${encodeURIComponent(started.id)}`).catch(() => {});
  }, ALIVE_MS);
  const ending = await runToEnd(call.words, workspace, call.json);
  clearInterval(alive);

  try {
    const answer = await door.json<{ run: Wire<Run>; change: Wire<ChangeSummary> | null }>(
      'POST',
      `${path}/complete`,
      ending.report,
      { timeoutMs: END_MS },
    );
    const link = `${door.url}/runs/${encodeURIComponent(started.id)}`;
    if (call.json) {
      screen.out(JSON.stringify({ run: answer.run, change: answer.change, link, exit_code: ending.exitCode }));
    } else {
      const change = answer.change === null ? null : fromWire<ChangeSummary>(answer.change);
      screen.note('');
      for (const line of change ? changeLines(change, screen.paintNote) : ['No files changed']) screen.note(line);
      screen.note(screen.paintNote('dim', link));
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    screen.note(`tidemark: what this command changed was not recorded. ${error.message}`);
  }
  if (ending.raise) raise(ending.raise);
  return ending.exitCode;
}

interface Ending {
  exitCode: number;
  /** The signal to end ourselves with, so that a shell sees what really happened. */
  raise: NodeJS.Signals | null;
  report: { status: 'completed' | 'failed' | 'cancelled'; error?: string };
}

/** Runs the command in our place: our streams, our terminal, our signals. */
async function runToEnd([command = '', ...args]: string[], cwd: string, json: boolean): Promise<Ending> {
  let child: ChildProcess;
  try {
    child = spawn(command, args, { cwd, stdio: ['inherit', json ? 2 : 'inherit', 'inherit'] });
  } catch (error) {
    return notRun(command, error as NodeJS.ErrnoException);
  }
  const handlers = PASSED.map((signal) => {
    const pass = () => {
      if (!(FROM_TERMINAL.has(signal) && process.stdin.isTTY)) child.kill(signal);
    };
    process.on(signal, pass);
    return { signal, pass };
  });
  try {
    return await new Promise<Ending>((done) => {
      child.once('error', (error) => done(notRun(command, error)));
      child.once('exit', (code, signal) => done(signal === null ? exited(code ?? 0) : signalled(signal)));
    });
  } finally {
    for (const { signal, pass } of handlers) process.off(signal, pass);
  }
}

function exited(code: number): Ending {
  return {
    exitCode: code,
    raise: null,
    report: code === 0 ? { status: 'completed' } : { status: 'failed', error: `exit ${code}` },
  };
}

function signalled(signal: NodeJS.Signals): Ending {
  const asked = signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP';
  return {
    exitCode: 128 + (constants.signals[signal] ?? 0),
    raise: asked ? signal : null,
    report: { status: asked ? 'cancelled' : 'failed', error: `signal ${signal}` },
  };
}

function notRun(command: string, error: NodeJS.ErrnoException): Ending {
  const why = (error.code && WHY_NOT_RUN[error.code]) ?? error.message;
  process.stderr.write(`tidemark: ${command}: ${why}\n`);
  return {
    exitCode: error.code === 'ENOENT' ? EXIT.commandNotFound : EXIT.notExecutable,
    raise: null,
    report: { status: 'failed', error: `${command}: ${why}` },
  };
}

/** Ends us as the command ended, and leaves the exit code to the caller where that does not work. */
function raise(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** The words as a shell would take them. */
function commandLine(words: string[]): string {
  return words
    .map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}
