import { defineConfig } from 'playwright/test';
import { systemBrowser } from './e2e/support/system-browser.mjs';

const executablePath = systemBrowser();

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
    // A trace costs a fifth of the time: `npx playwright test --trace=retain-on-failure` where one is wanted.
    screenshot: 'only-on-failure',
    launchOptions: { ...(executablePath !== undefined && { executablePath }), args: ['--no-sandbox'] },
  },
});
