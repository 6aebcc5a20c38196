import { filesQuerySchema, parseRequest } from '@/lib/domain/requests';
import { json, queryOf } from '@/lib/server/http';
import { shareRoute } from '@/lib/server/share-route';
import { sharedRows } from '@/lib/server/shared-rows';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** Every row that the link shows, a page at a time. */
export const GET = shareRoute((request, shared) =>
  json(sharedRows(shared, parseRequest(filesQuerySchema, queryOf(request)))),
);
