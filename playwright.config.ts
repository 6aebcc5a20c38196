import { existsSync } from 'node:fs';
import { defineConfig } from 'playwright/test';

/** Where systems keep a Chromium; else Playwright's own is used. */
const PLACES = [
  process.env.TIDEMARK_E2E_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));

/** Browser tests against the built server; each worker starts one of its own. */
export default defineConfig({
  testDir: 'e2e',
  // What ends in .test.ts beside them is vitest's.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 860 },
    colorScheme: 'light',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    launchOptions: { ...(executablePath !== undefined && { executablePath }), args: ['--no-sandbox'] },
  },
});
