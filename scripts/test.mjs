/** `npm test`: installs what is missing, a browser too, then runs every check and ends with `N passed, N failed`. */
import { ensureInstalled, ROOT, requireNode, run, say } from './prepare.mjs';

requireNode();
process.chdir(ROOT);
await ensureInstalled();
const { ensureBrowser } = await import('./browser.mjs');
if (!(await ensureBrowser())) say('No Chromium could be found or installed: the browser tests will fail.');
process.exit(await run(process.execPath, ['scripts/validate.mjs'], { stdio: 'inherit' }));
