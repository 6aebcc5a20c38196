import { VERSION } from '@/lib/domain/version';
import { json, openRoute } from '@/lib/server/http';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** Whether the server is up. Free of the token. */
export const GET = openRoute(() => json({ status: 'ok', version: VERSION }));
