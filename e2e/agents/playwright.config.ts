import { defineConfig } from 'playwright/test';
import shared from '../../playwright.config';

/** Real agents, in the browser chat or with hooks in terminals: not part of `npm test`, since they are downloaded. One at a time, since they are heavy. */
export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: process.env.TIDEMARK_E2E_HOOKS ? '*.hooks.ts' : '*.agents.ts',
  outputDir: '../../test-results',
  timeout: 10 * 60_000,
  expect: { timeout: 120_000 },
  fullyParallel: false,
  workers: 1,
  use: { ...shared.use, actionTimeout: 30_000 },
});
