import { contentQuerySchema, parseRequest } from '@/lib/domain/requests';
import { queryOf } from '@/lib/server/http';
import { shareRoute } from '@/lib/server/share-route';
import { sharedPicture } from '@/lib/server/shared-bodies';
import { requireSharedFile } from '@/lib/server/shared-run';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { token: string; fileId: string };

/** A picture on one side; other bytes stay with the owner, since nothing can be masked in them. */
export const GET = shareRoute<Params>(async (request, shared, { fileId }) => {
  const { side } = parseRequest(contentQuerySchema, queryOf(request));
  const { bytes, type } = await sharedPicture(shared, requireSharedFile(shared, fileId), side);
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': type,
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
});
