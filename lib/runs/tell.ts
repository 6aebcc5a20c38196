/** Tells a session's listeners what happens in a run. */
import type { SessionEvent } from '@/lib/domain/events';
import { publish } from './event-bus';
import type { House } from './house';
import type { LiveRun } from './live-run';

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;
/** An event of a run without the ids that every one of them repeats. */
type RunEvent = DistributiveOmit<Extract<SessionEvent, { runId: LiveRun['run']['id'] }>, 'sessionId' | 'runId'>;

/**
 * Publishes an event of a run. After its end nothing of it is told but a superseding record (CONTRACT, "Events"):
 * late work is stored, and a reader finds it.
 */
export function tell(house: House, live: LiveRun, event: RunEvent): void {
  if (live.isTold) return;
  publish(house, { ...event, sessionId: live.session.id, runId: live.run.id } as SessionEvent);
}
