/** A link to a page of this app, followed without loading the document anew. */
'use client';

import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import type { ComponentProps, MouseEvent } from 'react';

/**
 * In place of `next/link`, whose prefetching costs every page 3 KB and here answers nothing sooner: the server stands on
 * the same computer, and a list of sessions or runs may hold hundreds of links. What the browser does with a modifier,
 * another button, or before scripts run stays the browser's.
 */
export function Link({
  href,
  scroll = true,
  onClick,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & {
  href: Route;
  /** Whether the new page begins at its top. */
  scroll?: boolean;
}) {
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.push(href, { scroll });
  };
  return <a href={href} onClick={follow} {...rest} />;
}
