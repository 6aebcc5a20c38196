/** Runs real commands as a person at a prompt would, in an environment that holds nothing of the caller's git. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds a set-up command may take. */
const COMMAND_MS = 300_000;

/** Where everything of a conformance run lies, and the environment of its commands and servers. */
export interface Scratch {
  /** The temporary folder, by its real path. */
  base: string;
  home: string;
  env: Record<string, string>;
}

/** A home of its own, so that the configuration of whoever runs this decides nothing. */
export function prepareScratch(base: string, path: string): Scratch {
  const home = join(base, 'home');
  mkdirSync(home);
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Tester\n\temail = tester@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n[pull]\n\trebase = false\n[gc]\n\tauto = 0\n',
  );
  return {
    base,
    home,
    env: { PATH: path, HOME: home, LC_ALL: 'C.UTF-8', TZ: 'UTC', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
  };
}

export interface CommandResult {
  status: number;
  stdout: Buffer;
  stderr: string;
}

/** Runs a program to its end, whatever its status. */
export function runCommand(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; input?: string | Uint8Array },
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      // Nothing of the caller's environment is wanted, `NODE_ENV` included.
      env: options.env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A program that does not read its input closes it; that is its business.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const text = Buffer.concat(stderr).toString();
      resolve({ status: code ?? 128, stdout: Buffer.concat(stdout), stderr: signal ? `${text}(${signal})` : text });
    });
  });
}

/** Runs a program that must succeed. Resolves with what it printed; throws with what it complained of. */
export async function mustRun(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; input?: string | Uint8Array },
): Promise<string> {
  const { status, stdout, stderr } = await runCommand(command, args, options);
  if (status === 0) return stdout.toString();
  throw new Error(`${command} ${args.join(' ')} ended with status ${status}: ${stderr.trim() || stdout.toString()}`);
}
