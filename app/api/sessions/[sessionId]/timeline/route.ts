import { timelineItemToWire, toWire } from '@/lib/domain/events';
import { pageSchema, parseRequest } from '@/lib/domain/requests';
import { json, ownerRoute, queryOf } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { timelineSlice } from '@/lib/server/read-models';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** A page of the timeline: the newest without a cursor, oldest first inside; events after `last_event_id` complete it. */
export const GET = ownerRoute<{ sessionId: string }>((request, { sessionId }) => {
  const session = requireSession(sessionId);
  const { items, ...rest } = timelineSlice(session, parseRequest(pageSchema, queryOf(request)));
  return json({ ...toWire(rest), items: items.map(timelineItemToWire) });
});
