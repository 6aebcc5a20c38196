import { jsonDownload } from '@/lib/server/export-downloads';
import { shareRoute } from '@/lib/server/share-route';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The shared run as JSON. */
export const GET = shareRoute((_, shared) => jsonDownload(shared));
