/** The token that lets programs in, and the cookie made of it that lets browsers in. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { address } from './address';
import { settings } from './env';
import { processState } from './process-state';

/** Name of the token's file in the data folder. */
export const TOKEN_FILE = 'token';

/** The token: from the settings, else from the data folder, else made and kept there (0600). */
export function token(): string {
  return processState('token', () => {
    const { token: given, dataDir } = settings();
    if (given !== null) {
      keep(dataDir, given);
      return given;
    }
    try {
      const kept = readFileSync(join(dataDir, TOKEN_FILE), 'utf8').trim();
      if (kept.length >= 16) return kept;
    } catch {
      // There is none yet.
    }
    const made = randomBytes(32).toString('base64url');
    keep(dataDir, made);
    return made;
  });
}

/** The command line and the hooks read it from there. */
function keep(dataDir: string, value: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, TOKEN_FILE);
  writeFileSync(path, `${value}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/** The cookie's name holds the port: browsers share cookies between the ports of one host. */
export function cookieName(): string {
  return `tidemark_${address().port}`;
}

/** What stands in the cookie: made of the token, useless as one. */
export function cookieValue(): string {
  return createHmac('sha256', token()).update('tidemark cookie').digest('base64url');
}

export function isToken(candidate: string): boolean {
  return sameSecret(candidate, token());
}

export function isCookie(candidate: string): boolean {
  return sameSecret(candidate, cookieValue());
}

function sameSecret(candidate: string, secret: string): boolean {
  const [a, b] = [candidate, secret].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}
