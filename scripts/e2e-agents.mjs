/**
 * `npm run e2e:agents`: builds what is stale, then drives real agents in the browser chat, or with `-- --hooks` in terminals;
 * `--all` also those that are large or under their own terms.
 */
import { ensureBuilt, ensureInstalled, requireNode, run } from './prepare.mjs';

requireNode();
await ensureInstalled();
await ensureBuilt();
const wanted = process.argv.slice(2);
const rest = wanted.filter((argument) => argument !== '--all' && argument !== '--hooks');
const status = await run('npx', ['playwright', 'test', '--config', 'e2e/agents/playwright.config.ts', ...rest], {
  env: {
    ...process.env,
    TIDEMARK_E2E_ALL: wanted.includes('--all') ? '1' : '',
    TIDEMARK_E2E_HOOKS: wanted.includes('--hooks') ? '1' : '',
  },
});
process.exit(status);
