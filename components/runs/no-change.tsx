/** What stands on the page of a run that changed nothing, or of which nothing is recorded. */
import { Notice } from '@/components/ui/notice';
import type { Run } from '@/lib/domain/run';

export function NoChange({ run }: { run: Run }) {
  switch (run.status) {
    case 'running':
      return <Notice kind="info">The run goes on. What it changed is listed here when it ends.</Notice>;
    case 'interrupted':
      return (
        <Notice kind="warning" title="Changes not recorded.">
          Tidemark stopped before this run ended. What it did shows as “changed outside runs” of the next one.
        </Notice>
      );
    case 'completed':
    case 'failed':
    case 'cancelled':
      return <Notice kind="info">This run changed no files.</Notice>;
  }
}
