/** A long-lived child in a process group of its own: started with its failures as values, ended with everything it started. */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endGroup, processStartTime } from './process-group';
import { descendantsOf, listProcesses } from './process-list';

/** Milliseconds a group gets between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000;

/** Milliseconds that the pipes of an ended group get to run dry. */
const PIPES_MS = 100;

export interface ChildOptions {
  command: string;
  args: string[];
  cwd: string;
  /** The whole environment of the child. */
  env: Readonly<Record<string, string | undefined>>;
  /** `pipe` for a conversation; `ignore` gives it an empty standard input. */
  stdin: 'pipe' | 'ignore';
}

/** How a process ended: exactly one is not null. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  /** Also the id of its process group. */
  pid: number;
  /** Tells this process from a later one with the same id; empty where it ended before anybody could look. */
  startTime: Promise<string>;
  /** Null where it was not asked for. */
  stdin: Writable | null;
  stdout: Readable;
  stderr: Readable;
  /** The process itself is gone; members of its group may live on and hold the pipes. */
  exited: Promise<ChildExit>;
  /** The process is gone and nobody holds its pipes any more. */
  closed: Promise<void>;
  /**
   * Ends the whole group, and the groups that its descendants made for themselves: SIGTERM, SIGKILL after `graceMs`,
   * pipes closed. Resolves when no member lives. Safe to call again, and after the process ended by itself.
   */
  stop(graceMs?: number): Promise<void>;
}

export type ChildStart = { started: true; child: Child } | { started: false; code: string; message: string };

/** Starts a program. A program that cannot be started is a value with the system's code (`ENOENT`, `EACCES`, `E2BIG`). */
export async function startChild({ command, args, cwd, env, stdin }: ChildOptions): Promise<ChildStart> {
  let spawned: ReturnType<typeof spawn>;
  try {
    spawned = spawn(command, args, {
      cwd,
      env: { ...env } as NodeJS.ProcessEnv,
      detached: true,
      stdio: [stdin, 'pipe', 'pipe'],
    });
  } catch (error) {
    return notStarted(error);
  }
  const exited = new Promise<ChildExit>((resolve) => {
    spawned.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise<void>((resolve) => {
    spawned.once('close', () => resolve());
  });
  const failure = await new Promise<unknown>((resolve) => {
    spawned.once('spawn', () => resolve(null));
    spawned.on('error', resolve);
  });
  const { pid, stdout, stderr } = spawned;
  if (pid === undefined || stdout === null || stderr === null) return notStarted(failure);
  // A pipe whose reader died fails on write; who writes learns of the end by `exited`.
  spawned.stdin?.on('error', () => {});

  let stopping: Promise<void> | null = null;
  const stop = (graceMs = GRACE_MS): Promise<void> => {
    stopping ??= endFamily(pid, graceMs).then(async () => {
      // What the group still wrote is read; but whoever left the group may hold the other ends.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, PIPES_MS))]);
      spawned.stdin?.destroy();
      stdout.destroy();
      stderr.destroy();
    });
    return stopping;
  };
  // Not awaited: Node throws away what an ended child wrote unless somebody reads by then.
  const startTime = processStartTime(pid).then((time) => time ?? '');
  return { started: true, child: { pid, startTime, stdin: spawned.stdin, stdout, stderr, exited, closed, stop } };
}

/** Whom a dying parent leaves behind cannot be found afterwards, so they are looked up first. */
async function endFamily(pid: number, graceMs: number): Promise<void> {
  const family = new Set((await descendantsOf(pid)).map((member) => member.pid));
  const groups = new Set([pid]);
  // Twice, since one may just have been on its way into a group of its own.
  for (let round = 0; round < 2; round += 1) {
    for (const member of await listProcesses()) if (family.has(member.pid)) groups.add(member.group);
    await Promise.all([...groups].map((group) => endGroup(group, graceMs)));
  }
}

function notStarted(error: unknown): ChildStart {
  const { code, message } = error as NodeJS.ErrnoException;
  return { started: false, code: code ?? 'UNKNOWN', message };
}
