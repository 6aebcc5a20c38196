/** The owner check of server actions: an action can be posted to any page, so each one calls this itself. */
import 'server-only';
import { headers } from 'next/headers';
import { requireOwner } from './access';

/** Throws `unauthorized` or `forbidden_origin` unless the request that runs this action is the owner's. */
export async function requireCookie(): Promise<void> {
  requireOwner({ method: 'POST', headers: await headers() });
}
