/** Stands before every page and route: foreign Hosts and Origins are refused, `?token=` becomes the cookie. */
import { type NextRequest, NextResponse } from 'next/server';
import { proofOf, refuseForeign } from '@/lib/server/access';
import { errorResponse } from '@/lib/server/http';
import { refuseSharedWrite, SHARE_HEADERS, sharePolicy } from '@/lib/server/share-policy';
import { cookieName, cookieValue, isToken } from '@/lib/server/token';

export default function proxy(request: NextRequest): Response {
  try {
    refuseForeign(request);
  } catch (error) {
    return errorResponse(error);
  }
  const { pathname } = request.nextUrl;
  if (pathname.startsWith('/s/')) return shared(request);
  const isPage = !pathname.startsWith('/api/');
  if (!isPage || request.method !== 'GET') return NextResponse.next();

  const given = request.nextUrl.searchParams.get('token');
  if (given !== null && isToken(given)) {
    // By the Host header, which was checked: `nextUrl` says localhost for 127.0.0.1, and cookies tell them apart.
    const clean = new URL(request.nextUrl.href);
    clean.host = request.headers.get('host') ?? clean.host;
    clean.searchParams.delete('token');
    const response = NextResponse.redirect(clean, 303);
    response.cookies.set(cookieName(), cookieValue(), {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      maxAge: 400 * 86_400,
      secure: request.nextUrl.protocol === 'https:',
    });
    return response;
  }
  if (proofOf(request) !== null) return NextResponse.next();
  const enter = request.nextUrl.clone();
  enter.pathname = '/enter';
  enter.search = '';
  return NextResponse.rewrite(enter, { status: 401 });
}

/** What a link shows needs no cookie, takes nothing, and runs under a policy of its own. */
function shared(request: NextRequest): Response {
  const refused = refuseSharedWrite(request.method);
  if (refused) return refused;
  const nonce = btoa(crypto.randomUUID());
  const policy = sharePolicy(request.nextUrl.pathname, nonce);
  if (policy === null) return NextResponse.next();
  // Next takes the nonce for its own inline scripts from this header of the request.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  for (const [name, value] of Object.entries(SHARE_HEADERS)) response.headers.set(name, value);
  return response;
}

export const config = {
  // Static assets are free of the token; they hold nothing of anybody's.
  matcher: ['/((?!_next/static/|_next/image|favicon|icon).*)'],
};
