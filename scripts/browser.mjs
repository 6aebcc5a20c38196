/** Finds the Chromium that the browser tests drive, or gets one. */
import { existsSync } from 'node:fs';
import { systemBrowser } from '../e2e/support/system-browser.mjs';
import { run, say } from './prepare.mjs';

/** The path of a browser on this machine, Playwright's own included, or null. */
export async function findBrowser() {
  const found = systemBrowser();
  if (found) return found;
  const { chromium } = await import('playwright');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

/** Makes sure that there is a browser: Playwright's own download, else Debian's package where we may install one. */
export async function ensureBrowser() {
  if (await findBrowser()) return true;
  say('Getting a Chromium for the browser tests …');
  await run('npx', ['--no-install', 'playwright', 'install', 'chromium']);
  if (await findBrowser()) return true;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update', '-qq']);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  return (await findBrowser()) !== null;
}
