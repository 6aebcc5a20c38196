import { FileQuestion } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

export const metadata: Metadata = { title: 'Not found' };

/** For addresses that lead nowhere: never there, or deleted since. */
export default function NotFound() {
  return (
    <main>
      <EmptyState icon={FileQuestion} title="There is nothing here" level={1}>
        <p>It was never here, or it was deleted: a session takes its runs and changes with it.</p>
        <ButtonLink href="/">All sessions</ButtonLink>
      </EmptyState>
    </main>
  );
}
