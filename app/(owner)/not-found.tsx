import { FileQuestion } from 'lucide-react';
import { PageHeader } from '@/components/shell/page-header';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** For a session or run that is not, or no longer, there; with the rail beside it. */
export default function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState icon={FileQuestion} title="There is nothing here">
        <p>It was never here, or it was deleted: a session takes its runs and changes with it.</p>
        <ButtonLink href="/">All sessions</ButtonLink>
      </EmptyState>
    </>
  );
}
