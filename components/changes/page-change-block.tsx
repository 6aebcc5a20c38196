/** A change block on a page of its own: with the tools that a long list wants, which no timeline has to load. */
'use client';

import { ChangeBlock, type ChangeBlockProps } from './change-block';
import { ListTools } from './list-tools';

export function PageChangeBlock(props: Omit<ChangeBlockProps, 'tools'>) {
  return <ChangeBlock tools={ListTools} {...props} />;
}
