/** What browser tests start from: a server of their own from the build, real folders, and a browser that is let in. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, test as base, expect, type Page } from 'playwright/test';
import type { Client } from './conformance/client';
import { prepareScratch, type Scratch } from './conformance/commands';
import { Server } from './conformance/server';
import { Repository } from './support/repository';
import { SessionPage } from './support/session-page';

const PROJECT = process.cwd();
const SCRIPTED_AGENT = join(PROJECT, 'e2e', 'support', 'scripted-agent.mjs');

interface WorkerFixtures {
  scratch: Scratch;
  server: Server;
}

interface TestFixtures {
  /** What a program says to the same server. */
  client: Client;
  /** Makes repositories and folders that are removed with the test. */
  repositories: (files: Record<string, string | Uint8Array>, options?: { git?: boolean }) => Repository;
  /** Opens a session in a folder and shows it. */
  startSession: (workspace: string, agent?: 'shell' | 'scripted', page?: Page) => Promise<SessionPage>;
  /** A second browser that is let in too. */
  anotherContext: () => Promise<BrowserContext>;
  /** Complaints of the browser that the test expects, as parts of their text. */
  expectedComplaints: string[];
  complaints: undefined;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  scratch: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const base = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-e2e-server-')));
      await use(prepareScratch(base, process.env.PATH ?? ''));
      rmSync(base, { recursive: true, force: true, maxRetries: 3 });
    },
    { scope: 'worker' },
  ],

  server: [
    async ({ scratch }, use) => {
      const server = await startServer(scratch, 'data');
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  client: async ({ server }, use) => use(server.client),

  context: async ({ context, server }, use) => {
    await letIn(context, server);
    await use(context);
  },

  anotherContext: async ({ browser, server }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      opened.push(context);
      await letIn(context, server);
      return context;
    });
    for (const context of opened) await context.close();
  },

  baseURL: async ({ server }, use) => use(server.client.url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  repositories: async ({}, use) => {
    const made: Repository[] = [];
    await use((files, options) => {
      const repository = Repository.create(files, options);
      made.push(repository);
      return repository;
    });
    for (const repository of made) repository.remove();
  },

  startSession: async ({ client, page, server }, use) => {
    await use(async (workspace, agent = 'shell', where = page) => {
      const session = await client.createSession({ workspace, agent });
      await where.goto(`${server.client.url}/sessions/${session.id}`);
      return new SessionPage(where);
    });
  },

  expectedComplaints: [[], { option: true }],

  // An error in the browser's console is a failure, whatever the page looks like.
  complaints: [
    async ({ page, expectedComplaints }, use) => {
      const heard: string[] = [];
      page.on('pageerror', (error) => heard.push(`${error.name}: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') heard.push(message.text());
      });
      await use(undefined);
      expect(heard.filter((text) => !expectedComplaints.some((expected) => text.includes(expected)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Starts a server of the test's own; it has the shell and the scripted agent. */
export function startServer(scratch: Scratch, name: string, env: Record<string, string> = {}): Promise<Server> {
  const agents = join(scratch.base, 'agents.json');
  writeFileSync(
    agents,
    JSON.stringify({
      agents: [{ id: 'scripted', name: 'Scripted', command: process.execPath, args: [SCRIPTED_AGENT], env: {} }],
    }),
  );
  return Server.start(PROJECT, scratch, {
    dataDir: join(scratch.base, name),
    env: { TIDEMARK_AGENTS: agents, ...env },
  });
}

/** Opens the link that the server printed, once, as a person does; `at` another address of it. */
export async function letIn(context: BrowserContext, server: Server, at = server.client.url): Promise<void> {
  const page = await context.newPage();
  const { token_file } = JSON.parse(readFileSync(join(server.dataDir, 'server.json'), 'utf8'));
  await page.goto(`${at}/enter?token=${encodeURIComponent(readFileSync(token_file, 'utf8').trim())}`);
  await page.close();
}
