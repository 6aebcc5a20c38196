/** Lets one server at a time use a data folder, and tells programs where that server is. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStartTime } from '@/lib/process/process-group';
import { TOKEN_FILE } from './token';

/** `<data>/server.json`: how the command line finds the server (DESIGN §9). */
export interface ServerFile {
  url: string;
  pid: number;
  token_file: string;
  version: string;
  /** With the pid: tells a server that lives from one that crashed and whose pid is another's now. */
  start_time: string;
}

const SERVER_FILE = 'server.json';
const LOCK_FILE = 'server.lock';

/** The server that uses the data folder now, or null. */
export async function runningServer(dataDir: string): Promise<Pick<ServerFile, 'url' | 'pid'> | null> {
  const lock = readJson<{ pid: number; start_time: string }>(join(dataDir, LOCK_FILE));
  if (!lock || lock.pid === process.pid || (await processStartTime(lock.pid)) !== lock.start_time) return null;
  const file = readJson<ServerFile>(join(dataDir, SERVER_FILE));
  return { url: file?.pid === lock.pid ? file.url : '', pid: lock.pid };
}

/**
 * Takes the data folder for this process. Returns the server that has it already, or null when it is ours now.
 * Two that start at once: exactly one creates the lock file.
 */
export async function lockDataFolder(dataDir: string): Promise<Pick<ServerFile, 'url' | 'pid'> | null> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, LOCK_FILE);
  const mine = JSON.stringify({ pid: process.pid, start_time: (await processStartTime(process.pid)) ?? '' });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 });
      return null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const running = await runningServer(dataDir);
    if (running) return running;
    // Left by a server that crashed: moved aside, so that of two that find it only one removes it.
    const stale = `${path}.${process.pid}`;
    try {
      renameSync(path, stale);
      rmSync(stale, { force: true });
    } catch {
      // Another process was faster.
    }
  }
  return (await runningServer(dataDir)) ?? { url: '', pid: 0 };
}

/** Tells programs where the server is. */
export async function announceServer(dataDir: string, url: string, version: string): Promise<void> {
  const file: ServerFile = {
    url,
    pid: process.pid,
    token_file: join(dataDir, TOKEN_FILE),
    version,
    start_time: (await processStartTime(process.pid)) ?? '',
  };
  const path = join(dataDir, SERVER_FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Gives the data folder back. Synchronous: it also runs when the process exits. */
export function unlockDataFolder(dataDir: string): void {
  const lock = join(dataDir, LOCK_FILE);
  if (!existsSync(lock) || readJson<{ pid: number }>(lock)?.pid !== process.pid) return;
  rmSync(join(dataDir, SERVER_FILE), { force: true });
  rmSync(lock, { force: true });
}

function readJson<Value>(path: string): Value | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Value;
  } catch {
    return null;
  }
}
