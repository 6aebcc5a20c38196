/** Starts Tidemark servers of the conformance run's own, each on a free port with a data folder of its own, and ends them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './client';
import { runCommand, type Scratch } from './commands';

/** Milliseconds a server may take to be ready, and to stop. */
const READY_MS = 60_000;
const STOP_MS = 15_000;

export interface ServerOptions {
  /** The data folder; an earlier one for a restart. */
  dataDir: string;
  /** Variables beside, or instead of, those of the scratch. */
  env?: Record<string, string>;
  /** Runs the server as another user, where this one may. */
  uid?: number;
}

/** Servers that are running now. */
const running = new Set<ChildProcess>();

/** Ends every server at once: for when the runner itself is ended. */
export function endEveryServer(): void {
  for (const child of running) child.kill('SIGKILL');
}

export class Server {
  readonly client: Client;

  private constructor(
    readonly dataDir: string,
    readonly pid: number,
    private readonly child: ChildProcess,
    private readonly exited: Promise<void>,
    url: string,
    token: string,
  ) {
    this.client = new Client(url, token);
  }

  /** Starts a server from the build in `project`. Throws with what it printed where it does not come up. */
  static async start(project: string, scratch: Scratch, options: ServerOptions): Promise<Server> {
    const { dataDir, env = {}, uid } = options;
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const child = spawn(process.execPath, [join(project, 'dist', 'serve.mjs')], {
      cwd: project,
      env: {
        ...scratch.env,
        NODE_ENV: 'production',
        NEXT_TELEMETRY_DISABLED: '1',
        TIDEMARK_PORT: '0',
        ...env,
        TIDEMARK_DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    running.add(child);
    let printed = '';
    const exited = new Promise<void>((resolve) =>
      child.once('close', () => {
        running.delete(child);
        resolve();
      }),
    );
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The server was not ready in time: ${printed}`)), READY_MS);
      const hear = (chunk: Buffer) => {
        printed = (printed + chunk.toString()).slice(-20_000);
        if (/^Tidemark is ready at /m.test(printed)) {
          clearTimeout(timer);
          resolve();
        }
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('error', reject);
      void exited.then(() => {
        clearTimeout(timer);
        reject(new Error(`The server did not start: ${printed}`));
      });
    });
    try {
      await ready;
      const file = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'));
      const token = readFileSync(file.token_file, 'utf8').trim();
      return new Server(dataDir, file.pid, child, exited, file.url, token);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  get isRunning(): boolean {
    return running.has(this.child);
  }

  /** Ends it as a person would; as the power cut does where it does not listen. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    await this.exited;
    clearTimeout(timer);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Bytes of memory that it occupies now. */
  async memory(): Promise<number> {
    const { stdout } = await runCommand('ps', ['-o', 'rss=', '-p', String(this.pid)], {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '' },
    });
    return Number(stdout.toString().trim()) * 1024;
  }
}
