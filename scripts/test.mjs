/** `npm test`: installs what is missing, a browser too, then runs every check and ends with `N passed, N failed`. */
import { spawnSync } from 'node:child_process';
import { ensureInstalled, ROOT, requireNode, run, say } from './prepare.mjs';

requireNode();
process.chdir(ROOT);
await ensureInstalled();
const { ensureBrowser } = await import('./browser.mjs');
if (!(await ensureBrowser())) say('No Chromium could be found or installed: the browser tests will fail.');
if (spawnSync('python3', ['--version']).error)
  say('There is no python3: the test of the README’s Python host will fail.');
process.exit(await run(process.execPath, ['scripts/validate.mjs'], { stdio: 'inherit' }));
