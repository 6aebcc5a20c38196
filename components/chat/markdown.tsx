/** Markdown that somebody else wrote: no HTML of theirs, no pictures from elsewhere, listings in colour, files that lead to their row. */
'use client';

import { createContext, memo, type ReactNode, use, useDeferredValue, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeListing } from './code-listing';
import styles from './markdown.module.css';
import { markdownBlocks } from './markdown-blocks';

/** The address of a file that an answer mentions, or null where it leads nowhere. */
export type FileLink = (path: string) => string | null;

const NOWHERE: FileLink = () => null;
const FileLinkContext = createContext<FileLink>(NOWHERE);

/**
 * `text` may grow: only its last block is parsed anew. `fileLink` must keep its identity while it means the same.
 */
export function Markdown({ text, fileLink = NOWHERE }: { text: string; fileLink?: FileLink }) {
  const shown = useDeferredValue(text);
  const blocks = useMemo(() => markdownBlocks(shown), [shown]);
  return (
    <FileLinkContext value={fileLink}>
      <div className={styles.markdown}>
        {blocks.map((block, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place; text only grows at its end
          <Block key={at} text={block} />
        ))}
      </div>
    </FileLinkContext>
  );
}

const PLUGINS = [remarkGfm];

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  );
});

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // A picture from elsewhere would tell its owner who reads this.
  img: ({ src, alt }) => <SafeLink href={typeof src === 'string' ? src : undefined}>{alt || 'picture'}</SafeLink>,
  code: ({ children }) => <InlineCode text={textOf(children)} />,
  pre: ({ node }) => {
    const code = node?.children[0];
    if (code?.type !== 'element') return null;
    const names = code.properties.className;
    const language = Array.isArray(names) ? names.find((name) => String(name).startsWith('language-')) : undefined;
    const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    return (
      <CodeListing
        code={text.replace(/\n$/, '')}
        info={language === undefined ? null : String(language).slice('language-'.length)}
      />
    );
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={styles.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // The page's own headings are above; an answer's begin under them.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
};

function SafeLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const fileLink = use(FileLinkContext);
  if (!href) return children;
  const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//');
  if (isElsewhere) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  }
  // What is no address of the web is a file of the workspace, or nothing.
  const place = fileLink(fileNamed(decoded(href)));
  return place === null ? children : <a href={place}>{children}</a>;
}

function InlineCode({ text }: { text: string }) {
  const place = use(FileLinkContext)(fileNamed(text));
  const code = <code>{text}</code>;
  return place === null ? code : <a href={place}>{code}</a>;
}

/** `src/a.ts:12:3`, `./src/a.ts#L4` → `src/a.ts`. */
function fileNamed(text: string): string {
  return text
    .trim()
    .replace(/^\.\//, '')
    .replace(/#L\d+(?:-L?\d+)?$/, '')
    .replace(/:\d+(?::\d+|-\d+)?$/, '');
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function textOf(children: ReactNode): string {
  if (typeof children === 'string' || typeof children === 'number') return String(children);
  return Array.isArray(children) ? children.map(textOf).join('') : '';
}
