import { json } from '@/lib/server/http';
import { shareRoute } from '@/lib/server/share-route';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The one change that the link shows, in the form of a session's list. */
export const GET = shareRoute((_, { change }) => json({ changes: change ? [change] : [], nextCursor: null }));
