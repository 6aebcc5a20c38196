/** `tidemark start`, `stop` and `status`: the server as seen from a terminal. */
import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { constants as os } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Call, Command } from '../command';
import { CommandFailure, EXIT } from '../exit-codes';
import { type Door, openDoor, readServerFile } from '../server-door';

/** Milliseconds a start may take: on a fresh clone it installs and builds. */
const START_MS = 15 * 60_000;
/** Milliseconds a stop may take: runs are cancelled and agents ended first. */
const STOP_MS = 30_000;
const POLL_MS = 100;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The running server of this data folder, proven by an answer to our token; null where none answers. */
async function running(dataDir: string): Promise<Door | null> {
  try {
    const door = openDoor(dataDir);
    await door.json('GET', '/api/runs?limit=1');
    return door;
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === EXIT.away) return null;
    throw error;
  }
}

function link(door: Door): string {
  return `${door.url}/?token=${encodeURIComponent(door.token)}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folder that Tidemark is installed in: the bundle lies in its `dist`. */
function installFolder(): string {
  return dirname(dirname(fileURLToPath(import.meta.url)));
}

export const start: Command = {
  name: 'start',
  summary: 'start the server and print its link',
  usage: '',
  about:
    'Runs in the background and writes its log to server.log in the data folder. Where it runs already, its link is printed.',
  options: { foreground: { type: 'boolean', short: 'f', summary: 'stay in this terminal until Ctrl+C' } },
  examples: [
    ['tidemark start', 'start in the background'],
    ['TIDEMARK_PORT=5000 tidemark start', 'on another port'],
    ['tidemark start --foreground', 'stay and show what it says'],
  ],
  words: { least: 0, most: 0 },
  firstWords: null,
  async run(call) {
    const already = await running(call.dataDir);
    if (already) {
      report(call, already, 'Tidemark is running already at');
      return EXIT.done;
    }
    const script = join(installFolder(), 'scripts', 'start.mjs');
    const env = { ...process.env, TIDEMARK_DATA_DIR: call.dataDir };
    if (call.flag('foreground')) return stay(script, env);

    mkdirSync(call.dataDir, { recursive: true, mode: 0o700 });
    const logFile = join(call.dataDir, 'server.log');
    const log = openSync(logFile, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);
    const from = fstatSync(log).size;
    const child = spawn(process.execPath, [script], { env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with exit code ${code}`));
    });
    child.unref();
    const follow = followLog(logFile, from, (line) => call.screen.note(call.screen.paintNote('dim', line)));
    const deadline = Date.now() + START_MS;
    while (Date.now() < deadline) {
      const end = await Promise.race([ended, pause(POLL_MS)]);
      const door = await running(call.dataDir);
      if (door) {
        report(call, door, 'Tidemark is ready at');
        return EXIT.done;
      }
      follow();
      if (typeof end === 'string') {
        throw new CommandFailure(EXIT.failed, `Tidemark did not start: it ${end}.`, `Its log is ${logFile}`);
      }
    }
    throw new CommandFailure(EXIT.failed, 'Tidemark did not get ready in 15 minutes.', `Its log is ${logFile}`);
  },
};

function report({ json, screen }: Call, door: Door, words: string): void {
  if (json) screen.out(JSON.stringify({ running: true, url: door.url, link: link(door), pid: door.server.pid }));
  else screen.out(`${words} ${link(door)}`);
}

/** Prints what the log gained since the last call, line by line. */
function followLog(file: string, from: number, print: (line: string) => void): () => void {
  let at = from;
  let rest = '';
  return () => {
    const log = openSync(file, 'r');
    try {
      const chunk = Buffer.alloc(64 * 1024);
      for (let read = readSync(log, chunk, 0, chunk.length, at); read > 0; ) {
        at += read;
        const lines = (rest + chunk.toString('utf8', 0, read)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) print(line);
        read = readSync(log, chunk, 0, chunk.length, at);
      }
    } finally {
      closeSync(log);
    }
  };
}

/** Runs the server as our child: its signals and exit code are ours. */
function stay(script: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [script], { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Ctrl+C reaches the child by itself; it only must not end us first.
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (os.signals[signal as NodeJS.Signals] ?? 0)));
  });
}

export const stop: Command = {
  name: 'stop',
  summary: 'stop the server',
  usage: '',
  about: 'Runs that go on are ended first. Stopping what does not run is no failure.',
  options: {},
  examples: [['tidemark stop', 'stop the server of this data folder']],
  words: { least: 0, most: 0 },
  firstWords: null,
  async run({ dataDir, json, screen }) {
    // Only a server that answers to our token is ended: a number in a file may be another process by now.
    const door = await running(dataDir);
    const say = (stopped: boolean, words: string) => {
      if (json) screen.out(JSON.stringify({ stopped, pid: door?.server.pid ?? null }));
      else screen.out(words);
    };
    if (!door) {
      say(false, 'Tidemark is not running.');
      return EXIT.done;
    }
    const { pid } = door.server;
    process.kill(pid, 'SIGTERM');
    const deadline = Date.now() + STOP_MS;
    while (isAlive(pid) && readServerFile(dataDir)?.pid === pid) {
      if (Date.now() > deadline) {
        throw new CommandFailure(EXIT.failed, `Tidemark (process ${pid}) did not stop in ${STOP_MS / 1000} s.`);
      }
      await pause(POLL_MS);
    }
    say(true, 'Tidemark stopped.');
    return EXIT.done;
  },
};

export const status: Command = {
  name: 'status',
  summary: 'say whether the server runs, and where',
  usage: '',
  about: 'Exit code 0 when it runs, 69 when it does not.',
  options: {},
  examples: [
    ['tidemark status', 'address, version and data folder'],
    ['tidemark status --json | jq -r .link', 'the link for a browser'],
  ],
  words: { least: 0, most: 0 },
  firstWords: null,
  async run({ dataDir, json, screen }) {
    const door = await running(dataDir);
    if (json) {
      const facts = door && { url: door.url, link: link(door), pid: door.server.pid, version: door.server.version };
      screen.out(JSON.stringify({ running: door !== null, data_dir: dataDir, ...facts }));
      return door ? EXIT.done : EXIT.away;
    }
    if (!door) {
      screen.out(`Tidemark is not running.\nData folder  ${dataDir}\nStart it     tidemark start`);
      return EXIT.away;
    }
    const { pid, version } = door.server;
    screen.out(
      [
        `Tidemark ${version} is running.`,
        `Link         ${link(door)}`,
        `Process      ${pid}`,
        `Data folder  ${dataDir}`,
      ].join('\n'),
    );
    return EXIT.done;
  },
};
