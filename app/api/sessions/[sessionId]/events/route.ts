import { eventsQuerySchema, parseRequest } from '@/lib/domain/requests';
import { ownerRoute, queryOf } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';
import { house } from '@/lib/server/runtime';
import { eventStream } from '@/lib/server/sse';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The session's events; `Last-Event-ID`, or `?last_event_id=` on a first connection, resumes (the header wins). */
export const GET = ownerRoute<{ sessionId: string }>((request, { sessionId }) => {
  const session = requireSession(sessionId);
  const { last_event_id } = parseRequest(eventsQuerySchema, {
    last_event_id: request.headers.get('last-event-id') ?? queryOf(request).last_event_id,
  });
  return eventStream(house(), session.id, last_event_id ?? null, request.signal);
});
