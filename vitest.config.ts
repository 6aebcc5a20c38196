import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@\//, replacement: at('./') },
      { find: 'server-only', replacement: at('./node_modules/server-only/empty.js') },
    ],
  },
  test: {
    include: ['{app,components,lib,cli,bench,e2e}/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of their time goes to git: two at once are right on two cores as well, where vitest would run one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    setupFiles: ['lib/testing/loud-console.ts'],
  },
});
