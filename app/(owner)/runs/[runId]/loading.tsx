import { PageHeader } from '@/components/shell/page-header';
import { Spinner } from '@/components/ui/spinner';

/** The head of a run's page, while it is read. */
export default function Loading() {
  return (
    <div aria-busy="true">
      <PageHeader title={<Spinner label="Reading the run" />} />
    </div>
  );
}
