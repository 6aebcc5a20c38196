/** Markdown whose parser is loaded when the first answer needs it; the plain text stands there until then. */
'use client';

import dynamic from 'next/dynamic';
import { memo } from 'react';
import styles from './lazy-markdown.module.css';
import type { FileLink } from './markdown';

const NO_LINKS: FileLink = () => null;

const Markdown = dynamic(() => import('./markdown').then((module) => module.Markdown));

export const LazyMarkdown = memo(function LazyMarkdown({
  text,
  fileLink = NO_LINKS,
}: {
  text: string;
  fileLink?: FileLink;
}) {
  return (
    <div className={styles.answer}>
      <Markdown text={text} fileLink={fileLink} />
    </div>
  );
});
