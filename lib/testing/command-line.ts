/** The real `tidemark`, bundled once a test file and run as a process, with a home and a data folder of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Variables of a process. */
export type Env = Record<string, string | undefined>;

export interface CommandResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface CommandLine {
  /** Holds everything below; removed by `remove`. */
  folder: string;
  home: string;
  dataDir: string;
  /** The bundle. */
  program: string;
  env: Env;
  run(args: string[], options?: { cwd?: string; input?: string; env?: Env }): Promise<CommandResult>;
  /** Starts it and leaves it running. */
  start(args: string[], options?: { cwd?: string; env?: Env; detached?: boolean }): ChildProcess;
  remove(): void;
}

export async function commandLine(): Promise<CommandLine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-cli-')));
  const home = join(folder, 'home');
  const dataDir = join(folder, 'data');
  const program = join(folder, 'tidemark', 'dist', 'tidemark.mjs');
  for (const made of [home, dataDir, join(folder, 'tidemark')]) mkdirSync(made, { recursive: true });
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'bundle-cli.mjs'), program]);
  cpSync(join(root, 'package.json'), join(folder, 'tidemark', 'package.json'));
  const env: Env = { PATH: process.env.PATH, HOME: home, TIDEMARK_DATA_DIR: dataDir, LANG: 'C.UTF-8' };

  return {
    folder,
    home,
    dataDir,
    program,
    env,
    run: (args, { cwd = home, input, env: more } = {}) =>
      finished(
        spawn(process.execPath, [program, ...args], { cwd, env: { ...env, ...more } as NodeJS.ProcessEnv }),
        input,
      ),
    start: (args, { cwd = home, env: more, detached = false } = {}) =>
      spawn(process.execPath, [program, ...args], { cwd, env: { ...env, ...more } as NodeJS.ProcessEnv, detached }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What a child wrote and how it ended. */
export function finished(child: ChildProcess, input = ''): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...written }));
  });
}
