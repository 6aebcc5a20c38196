/** Finds the Chromium that the system has. */
import { existsSync } from 'node:fs';

const PLACES = [
  process.env.TIDEMARK_E2E_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Its path, or undefined where there is none: then Playwright's own is used. */
export const systemBrowser = () => PLACES.find((place) => place && existsSync(place));
