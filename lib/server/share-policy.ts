/** What a browser may do on a share page: run our own scripts, show what the link's door serves, and nothing else. */
import { AppError } from '@/lib/domain/errors';
import { errorResponse } from './http';

/** Nobody keeps, indexes or is told of what a link shows. */
export const SHARE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The page of a link, not one of the resources below it. */
const PAGE = /^\/s\/[^/]+\/?$/;

/** Refuses everything but reading under `/s/`; null where the request may go on. */
export function refuseSharedWrite(method: string): Response | null {
  if (method === 'GET' || method === 'HEAD') return null;
  return errorResponse(new AppError('method_not_allowed', 'What is shared can only be read.'));
}

/** The policy of a share page, or null where `pathname` is none. `nonce` marks the scripts that Next writes inline. */
export function sharePolicy(pathname: string, nonce: string): string | null {
  if (!PAGE.test(pathname)) return null;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    // React writes the widths and heights of its elements as attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
