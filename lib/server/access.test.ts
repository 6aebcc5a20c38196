import { beforeEach, describe, expect, it } from 'vitest';
import { parseSettings } from '@/lib/domain/settings';
import { proofOf, refuseForeign, requireOwner } from './access';
import { setAddress } from './address';
import { processState } from './process-state';
import { cookieName, cookieValue } from './token';

const TOKEN = 'a-token-of-enough-letters';

beforeEach(() => {
  processState('settings', () =>
    parseSettings({
      env: {
        TIDEMARK_TOKEN: TOKEN,
        TIDEMARK_ALLOWED_HOSTS: 'box.lan',
        TIDEMARK_PUBLIC_URL: 'https://diffs.example.org/',
      },
      platform: 'linux',
      home: '/nowhere',
    }),
  );
  processState('token', () => TOKEN);
  setAddress({ host: '127.0.0.1', port: 4777 });
});

const visitor = (headers: Record<string, string>, method = 'GET') => ({
  method,
  headers: new Headers({ host: '127.0.0.1:4777', ...headers }),
});
const codeOf = (act: () => void) => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const bearer = { authorization: `Bearer ${TOKEN}` };
const cookie = () => ({ cookie: `other=1; ${cookieName()}=${cookieValue()}` });

describe('refuseForeign', () => {
  it.each(['127.0.0.1:4777', 'localhost:4777', '[::1]:4777', 'box.lan', 'box.lan:8080'])('lets %s in', (host) => {
    expect(codeOf(() => refuseForeign(visitor({ host })))).toBeNull();
  });
  it.each(['evil.example:4777', '127.0.0.1:80', '127.0.0.1', 'localhost.evil.example:4777', '', '127.0.0.1:4777.evil'])(
    'refuses the host %j',
    (host) => {
      expect(codeOf(() => refuseForeign(visitor({ host })))).toBe('forbidden_host');
    },
  );
  it.each(['http://127.0.0.1:4777', 'http://localhost:4777', 'https://diffs.example.org'])(
    'lets origin %s in',
    (origin) => {
      expect(codeOf(() => refuseForeign(visitor({ origin })))).toBeNull();
    },
  );
  it.each([
    'null',
    'http://evil.example',
    'http://127.0.0.1:1',
    'file://',
    'http://diffs.example.org',
    'chrome-extension://x',
  ])('refuses the origin %s', (origin) => {
    expect(codeOf(() => refuseForeign(visitor({ origin })))).toBe('forbidden_origin');
  });
});

describe('requireOwner', () => {
  it('takes the token and the cookie, each for what it is', () => {
    expect(proofOf(visitor(bearer))).toBe('token');
    expect(proofOf(visitor(cookie()))).toBe('cookie');
    expect(proofOf(visitor({ authorization: `Bearer ${cookieValue()}` }))).toBeNull();
    expect(proofOf(visitor({ cookie: `${cookieName()}=${TOKEN}` }))).toBeNull();
    expect(proofOf(visitor({ authorization: `Bearer ${TOKEN}x` }))).toBeNull();
  });
  it('refuses whoever has neither', () => {
    expect(codeOf(() => requireOwner(visitor({})))).toBe('unauthorized');
  });
  it('wants our origin beside the cookie where something can change', () => {
    expect(codeOf(() => requireOwner(visitor(cookie(), 'POST')))).toBe('forbidden_origin');
    expect(codeOf(() => requireOwner(visitor({ ...cookie(), origin: 'http://127.0.0.1:4777' }, 'POST')))).toBeNull();
    expect(codeOf(() => requireOwner(visitor(bearer, 'POST')))).toBeNull();
    expect(codeOf(() => requireOwner(visitor(cookie())))).toBeNull();
  });
});
