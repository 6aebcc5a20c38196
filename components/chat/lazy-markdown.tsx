/** Markdown whose parser is loaded when the first answer needs it; the plain text stands there until then. */
'use client';

import { lazy, memo, Suspense } from 'react';
import styles from './lazy-markdown.module.css';
import type { FileLink } from './markdown';

const NO_LINKS: FileLink = () => null;

const Markdown = lazy(() => import('./markdown').then((module) => ({ default: module.Markdown })));

/** What may mean something in Markdown; a line without any of it is itself. */
const SYNTAX = /[\n\\`*_#~|<>&@[\]]|:\/\/|www\.|^ {4}|^\s*(?:[-+=]|\d+[.)])/i;

export const LazyMarkdown = memo(function LazyMarkdown({
  text,
  fileLink = NO_LINKS,
}: {
  text: string;
  fileLink?: FileLink;
}) {
  const plain = <p className={styles.plain}>{text.trim()}</p>;
  if (!SYNTAX.test(text.trim())) return plain;
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} fileLink={fileLink} />
    </Suspense>
  );
});
