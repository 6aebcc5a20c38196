/** What an agent thought before it spoke: one quiet line that opens. */
'use client';

import { Disclosure } from '@/components/ui/disclosure';
import { Spinner } from '@/components/ui/spinner';
import { LazyMarkdown } from './lazy-markdown';
import styles from './thought.module.css';

export function Thought({ text, growing = false }: { text: string; growing?: boolean }) {
  if (text.trim() === '') return null;
  return (
    <Disclosure
      label={growing ? 'Thinking' : 'Thought'}
      summary={
        <span className={styles.head}>
          <span className={styles.word}>{growing ? 'thinking' : 'thought'}</span>
          <span className={styles.line}>{firstWords(text)}</span>
          {growing && <Spinner />}
        </span>
      }
    >
      <div className={styles.text}>
        <LazyMarkdown text={text} />
      </div>
    </Disclosure>
  );
}

/** The first line without its Markdown: `**Reading the file** …`. */
function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line
    .slice(0, 300)
    .replace(/^#+ /, '')
    .replace(/[*_`]+/g, '');
}
