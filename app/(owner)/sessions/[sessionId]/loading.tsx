import { TimelineSkeleton } from '@/components/chat/timeline-skeleton';

/** The shape of a session, while it is read. */
export default function Loading() {
  return <TimelineSkeleton />;
}
