/** A form that leads to the sessions page with what was searched for; without scripts the browser sends it itself. */
'use client';

import { useRouter } from 'next/navigation';
import type { FormEvent, ReactNode } from 'react';

export function SearchForm({
  label,
  className,
  onSearch,
  children,
}: {
  label: string;
  className: string | undefined;
  onSearch?: () => void;
  /** The field is called `q`. */
  children: ReactNode;
}) {
  const router = useRouter();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch?.();
    const query = String(new FormData(event.currentTarget).get('q') ?? '');
    router.push(`/?q=${encodeURIComponent(query)}`);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is too young for the browsers that people have
    <form action="/" className={className} role="search" aria-label={label} onSubmit={onSubmit}>
      {children}
    </form>
  );
}
