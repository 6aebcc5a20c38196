/** Stands before every page and route: foreign Hosts and Origins are refused, `?token=` becomes the cookie. */
import { type NextRequest, NextResponse } from 'next/server';
import { proofOf, refuseForeign } from '@/lib/server/access';
import { errorResponse } from '@/lib/server/http';
import { cookieName, cookieValue, isToken } from '@/lib/server/token';

export default function proxy(request: NextRequest): Response {
  try {
    refuseForeign(request);
  } catch (error) {
    return errorResponse(error);
  }
  const { pathname } = request.nextUrl;
  const isPage = !pathname.startsWith('/api/') && !pathname.startsWith('/s/');
  if (!isPage || request.method !== 'GET') return NextResponse.next();

  const given = request.nextUrl.searchParams.get('token');
  if (given !== null && isToken(given)) {
    const clean = request.nextUrl.clone();
    clean.searchParams.delete('token');
    // A relative address: behind a reverse proxy our own idea of the host would lead elsewhere.
    const response = new NextResponse(null, { status: 303, headers: { location: `${clean.pathname}${clean.search}` } });
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
  return NextResponse.rewrite(new URL('/enter', request.url), { status: 401 });
}

export const config = {
  // Static assets are free of the token; they hold nothing of anybody's.
  matcher: ['/((?!_next/static/|_next/image|favicon|icon).*)'],
};
