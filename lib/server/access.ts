/** Decides who may come in: Host on every request, Origin on every one that has it, the token or the cookie made of it. */
import { AppError } from '@/lib/domain/errors';
import { address } from './address';
import { settings } from './env';
import { cookieName, isCookie, isToken } from './token';

/** What access is decided by; a `Request` has it all. */
export interface Visitor {
  method: string;
  headers: Pick<Headers, 'get'>;
}

/** Host names under which this computer calls itself. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Refuses a request that did not mean us (`forbidden_host`: a rebound DNS name; `forbidden_origin`: another site's
 * page, or a sandboxed one, whose origin is "null").
 */
export function refuseForeign({ headers }: Visitor): void {
  const host = headers.get('host') ?? '';
  if (!isOurHost(host)) {
    throw new AppError(
      'forbidden_host',
      'This address is not one of this server. Open it by the printed link, or name it in TIDEMARK_ALLOWED_HOSTS.',
    );
  }
  const origin = headers.get('origin');
  if (origin !== null && !isOurOrigin(origin)) {
    throw new AppError('forbidden_origin', 'Pages of other sites may not use this server.');
  }
}

function isOurHost(host: string): boolean {
  const { host: own, port } = address();
  const allowed = settings().allowedHosts;
  if (allowed.includes(host)) return true;
  const name = host.replace(/:\d+$/, '');
  const givenPort = /:(\d+)$/.exec(host)?.[1] ?? '80';
  if (allowed.includes(name)) return true;
  if (Number(givenPort) !== port) return false;
  return LOOPBACK_NAMES.includes(name) || name === own || name === `[${own}]`;
}

function isOurOrigin(origin: string): boolean {
  const { publicUrl } = settings();
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true;
  try {
    const url = new URL(origin);
    return (url.protocol === 'http:' || url.protocol === 'https:') && isOurHost(url.host);
  } catch {
    return false;
  }
}

/** How a request proved itself, or null. */
export function proofOf({ headers }: Visitor): 'token' | 'cookie' | null {
  const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (bearer !== undefined) return isToken(bearer.trim()) ? 'token' : null;
  const cookie = cookieOf(headers.get('cookie') ?? '', cookieName());
  return cookie !== null && isCookie(cookie) ? 'cookie' : null;
}

/**
 * Refuses whoever is not the owner. With the cookie alone, a request that can change something needs our Origin:
 * a form of another site would carry the cookie too.
 */
export function requireOwner(visitor: Visitor): void {
  refuseForeign(visitor);
  const proof = proofOf(visitor);
  if (proof === null) {
    throw new AppError('unauthorized', 'Send "Authorization: Bearer <token>"; the token stands in the data folder.');
  }
  const reads = visitor.method === 'GET' || visitor.method === 'HEAD';
  if (proof === 'cookie' && !reads && visitor.headers.get('origin') === null) {
    throw new AppError('forbidden_origin', 'A request with the cookie alone must say which page it comes from.');
  }
}

function cookieOf(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
}
