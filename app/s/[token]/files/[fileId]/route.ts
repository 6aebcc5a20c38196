import { json } from '@/lib/server/http';
import { shareRoute } from '@/lib/server/share-route';
import { sharedFile } from '@/lib/server/shared-bodies';
import { requireSharedFile } from '@/lib/server/shared-run';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

type Params = { token: string; fileId: string };

/** One row with its patch, its secrets masked. */
export const GET = shareRoute<Params>(async (_, shared, { fileId }) =>
  json({ file: await sharedFile(shared, requireSharedFile(shared, fileId)) }),
);
