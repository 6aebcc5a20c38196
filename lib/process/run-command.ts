/** Runs one command to its end, bounded in time and output; how it ended is a result, never an exception. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Milliseconds between asking a command to stop and killing it. */
const KILL_GRACE_MS = 2_000;
/** Milliseconds for which the pipes of a command that was stopped may stay open after it ended. */
const PIPES_GRACE_MS = 200;
/** Bytes of standard error that are kept, the last ones: enough for a few hundred messages. */
const STDERR_BYTES = 256 * 1024;

export interface CommandOptions {
  cwd: string;
  /** The whole environment of the command; nothing is inherited. */
  env: Readonly<Record<string, string | undefined>>;
  /** What it reads; its standard input is empty when this is missing. */
  input?: Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Milliseconds after which it is stopped. */
  timeoutMs: number;
  /** Bytes of output kept in `stdout`; past it the command is stopped and `overflowed` is set. */
  maxOutputBytes?: number;
  /** Takes the output as it comes; then `stdout` stays empty. Returning `false` stops the command. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a consumer that returns nothing is the usual one
  onOutput?: (chunk: Buffer) => boolean | void;
  /** Takes what it writes to its file descriptor 3, which is there only then. */
  onThird?: (chunk: Buffer) => void;
  signal?: AbortSignal | undefined;
}

export interface CommandResult {
  /** Null when a signal ended it or it never started. */
  exitCode: number | null;
  stdout: Buffer;
  /** The last part of standard error. */
  stderr: Buffer;
  timedOut: boolean;
  aborted: boolean;
  /** It printed more than `maxOutputBytes`. */
  overflowed: boolean;
  /** `onOutput` had seen enough. */
  stopped: boolean;
  /** The program could not be started: `ENOENT`, `EMFILE`, `EAGAIN`… */
  startError: NodeJS.ErrnoException | null;
}

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which no other command is started. To start one stops the loop for the time of
 * a `fork` (4 to 15 ms, by the size of the server), and four in one turn would be felt.
 */
function ownTurn(): Promise<unknown> {
  const turn = lastTurn;
  lastTurn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return turn;
}

/** Runs `program` with `args`, never through a shell. Resolves when it ended and its output was read. */
export async function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  await ownTurn();
  return new Promise((resolve) => {
    const result: CommandResult = {
      exitCode: null,
      stdout: Buffer.alloc(0),
      stderr: Buffer.alloc(0),
      timedOut: false,
      aborted: false,
      overflowed: false,
      stopped: false,
      startError: null,
    };
    if (options.signal?.aborted) {
      result.aborted = true;
      resolve(result);
      return;
    }
    let child: ChildProcessByStdio<Writable, Readable, Readable>;
    try {
      child = spawn(program, args, {
        cwd: options.cwd,
        env: { ...options.env } as NodeJS.ProcessEnv,
        stdio: ['pipe', 'pipe', 'pipe', options.onThird ? 'pipe' : 'ignore'],
        windowsHide: true,
      }) as typeof child;
    } catch (error) {
      result.startError = error as NodeJS.ErrnoException;
      resolve(result);
      return;
    }

    const kept: Buffer[] = [];
    let keptBytes = 0;
    const errors: Buffer[] = [];
    let errorBytes = 0;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = () => {
      child.kill('SIGTERM');
      killTimer ??= setTimeout(() => child.kill('SIGKILL'), KILL_GRACE_MS);
    };
    const timer = setTimeout(() => {
      result.timedOut = true;
      stop();
    }, options.timeoutMs);
    const onAbort = () => {
      result.aborted = true;
      stop();
    };
    options.signal?.addEventListener('abort', onAbort, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      if (result.stopped || result.overflowed) return;
      if (options.onOutput) {
        if (options.onOutput(chunk) === false) {
          result.stopped = true;
          stop();
        }
        return;
      }
      if (options.maxOutputBytes !== undefined && keptBytes + chunk.length > options.maxOutputBytes) {
        result.overflowed = true;
        kept.push(chunk.subarray(0, options.maxOutputBytes - keptBytes));
        stop();
        return;
      }
      kept.push(chunk);
      keptBytes += chunk.length;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors.push(chunk);
      errorBytes += chunk.length;
      while (errorBytes - (errors[0]?.length ?? 0) > STDERR_BYTES) errorBytes -= errors.shift()?.length ?? 0;
    });
    if (options.onThird) (child.stdio[3] as Readable).on('data', options.onThird);
    child.on('error', (error) => {
      result.startError ??= error;
      if (child.pid === undefined) finish();
    });
    // A command that stops reading early ends the pipe; its exit status tells the rest.
    child.stdin.on('error', () => {});
    feed(child.stdin, options.input).catch(() => child.stdin.destroy());
    let pipesTimer: NodeJS.Timeout | undefined;
    child.on('exit', () => {
      if (!result.timedOut && !result.aborted && !result.overflowed && !result.stopped) return;
      // A child of a command that was stopped may hold its pipes open; nobody reads them any more.
      pipesTimer = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        (child.stdio[3] as Readable | null)?.destroy();
      }, PIPES_GRACE_MS);
    });
    child.on('close', (code) => {
      clearTimeout(pipesTimer);
      result.exitCode = code;
      finish();
    });

    function finish(): void {
      clearTimeout(timer);
      clearTimeout(killTimer);
      options.signal?.removeEventListener('abort', onAbort);
      result.stdout = kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept);
      result.stderr = Buffer.concat(errors);
      resolve(result);
    }
  });
}

/**
 * Runs a command and hands its output over as it is asked for, so that a slow reader slows the command. Ends by throwing
 * what `failure` makes of an exit other than 0. Leaving the loop early stops the command.
 */
export async function* streamCommand(
  program: string,
  args: readonly string[],
  options: Pick<CommandOptions, 'cwd' | 'env' | 'timeoutMs' | 'signal'>,
  failure: (result: Pick<CommandResult, 'exitCode' | 'stderr' | 'timedOut' | 'aborted'>) => Error,
): AsyncGenerator<Buffer, void> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const result = { exitCode: null as number | null, stderr: Buffer.alloc(0), timedOut: false, aborted: false };
  const timer = setTimeout(() => {
    result.timedOut = true;
    child.kill('SIGKILL');
  }, options.timeoutMs);
  const onAbort = () => {
    result.aborted = true;
    child.kill('SIGKILL');
  };
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  child.stderr.on('data', (chunk: Buffer) => {
    if (result.stderr.length < STDERR_BYTES) result.stderr = Buffer.concat([result.stderr, chunk]);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    result.exitCode = await ended;
    if (result.exitCode !== 0) throw failure(result);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}

async function feed(stdin: Writable, input: CommandOptions['input']): Promise<void> {
  if (input === undefined) {
    stdin.end();
    return;
  }
  if (input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  for await (const chunk of input) {
    if (stdin.destroyed) return;
    if (!stdin.write(chunk)) {
      await new Promise<void>((resolve) => {
        const done = () => {
          stdin.off('drain', done);
          stdin.off('close', done);
          resolve();
        };
        stdin.once('drain', done);
        stdin.once('close', done);
      });
    }
  }
  stdin.end();
}
