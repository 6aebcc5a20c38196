/** What tests of terminals and programs start from: a server of their own, the built `tidemark`, and real folders. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'playwright/test';
import { type CommandResult, finished } from '@/lib/testing/command-line';
import type { Client } from '../conformance/client';
import { prepareScratch, type Scratch } from '../conformance/commands';
import { Server } from '../conformance/server';
import { Repository } from '../support/repository';

export const PROJECT = process.cwd();
const PROGRAM = join(PROJECT, 'dist', 'tidemark.mjs');

/** The built command line, for one data folder. */
export interface Tidemark {
  dataDir: string;
  home: string;
  env: Record<string, string>;
  run(args: string[], options?: { cwd?: string; input?: string; env?: Record<string, string> }): Promise<CommandResult>;
  start(args: string[], options?: { cwd?: string; detached?: boolean }): ChildProcess;
}

interface Fixtures {
  client: Client;
  tidemark: Tidemark;
  repository: (files?: Record<string, string>) => Repository;
  /** A folder of the test's own. */
  folder: string;
  /** Starts a server of the test's own, on a data folder of its own. */
  anotherServer: (env?: Record<string, string>) => Promise<{ server: Server; tidemark: Tidemark }>;
}

export const test = base.extend<Fixtures, { scratch: Scratch; server: Server }>({
  scratch: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-terminals-')));
      await use(prepareScratch(folder, process.env.PATH ?? ''));
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ scratch }, use) => {
      const server = await Server.start(PROJECT, scratch, { dataDir: join(scratch.base, 'data') });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  client: async ({ server }, use) => use(server.client),
  tidemark: async ({ server, scratch, folder }, use) => use(tidemarkFor(server.dataDir, scratch, join(folder, 'home'))),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  folder: async ({}, use) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-terminal-')));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  repository: async ({}, use) => {
    const made: Repository[] = [];
    await use((files = { 'hello.txt': 'hello world\n', 'doomed.txt': 'doomed\n' }) => {
      const repository = Repository.create(files);
      made.push(repository);
      return repository;
    });
    for (const repository of made) repository.remove();
  },
  anotherServer: async ({ scratch, folder }, use) => {
    const servers: Server[] = [];
    await use(async (env = {}) => {
      const dataDir = join(folder, `data-${servers.length}`);
      const server = await Server.start(PROJECT, scratch, { dataDir, env });
      servers.push(server);
      return { server, tidemark: tidemarkFor(dataDir, scratch, join(folder, 'home')) };
    });
    for (const server of servers) if (server.isRunning) await server.stop();
  },
});

export { expect };

export function tidemarkFor(dataDir: string, scratch: Scratch, home: string): Tidemark {
  mkdirSync(home, { recursive: true });
  const env: Record<string, string> = { ...scratch.env, HOME: home, TIDEMARK_DATA_DIR: dataDir };
  const started = (args: string[], cwd: string, more: Record<string, string>, detached: boolean) =>
    spawn(process.execPath, [PROGRAM, ...args], { cwd, env: { ...env, ...more } as NodeJS.ProcessEnv, detached });
  return {
    dataDir,
    home,
    env,
    run: (args, { cwd = home, input, env: more = {} } = {}) => finished(started(args, cwd, more, false), input),
    start: (args, { cwd = home, detached = false } = {}) => started(args, cwd, {}, detached),
  };
}
