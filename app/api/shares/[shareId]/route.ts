import { ownerRoute } from '@/lib/server/http';
import { revokeShare } from '@/lib/server/shares';

export { notAllowed as GET, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** Revokes a link: it opens nothing from now on. */
export const DELETE = ownerRoute<{ shareId: string }>((_, { shareId }) => {
  revokeShare(shareId);
  return new Response(null, { status: 204 });
});
