/** What can be saved of a whole change: its patch, and the run in the forms others take. */
'use client';

import { Download } from 'lucide-react';
import { useReviewedChange } from '@/components/diff/reviewed-change';
import { Menu } from '@/components/ui/menu';

export function ChangeMenu({ title }: { title: string }) {
  const { downloads } = useReviewedChange().bodies;
  if (downloads.length === 0) return null;
  return (
    <Menu
      label={`Save ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
      icon={Download}
      items={downloads.map(({ label, url }) => ({ id: label, label, onChoose: () => location.assign(url) }))}
      align="end"
    />
  );
}
