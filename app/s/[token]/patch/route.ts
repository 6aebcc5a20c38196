import { patchDownload } from '@/lib/server/downloads';
import { shareRoute } from '@/lib/server/share-route';
import { sharedPatch } from '@/lib/server/shared-bodies';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The patch of what the link shows, its secrets masked. */
export const GET = shareRoute(async (request, shared) => patchDownload(await sharedPatch(shared, request.signal)));
