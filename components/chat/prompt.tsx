/** What the person asked for: long prompts are folded, so that the answer is near. */
'use client';

import { useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Instant } from '@/components/ui/instant';
import type { Run } from '@/lib/domain/run';
import styles from './prompt.module.css';

/** Longer prompts show their beginning. */
const FOLDED_FROM = { lines: 14, chars: 1_600 };

/** `isCommand`: it was given to a shell. */
export function Prompt({ text, run, isCommand }: { text: string; run: Run | null; isCommand: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split('\n');
  const isLong = lines.length > FOLDED_FROM.lines || text.length > FOLDED_FROM.chars;
  const shown = isLong && !isOpen ? lines.slice(0, FOLDED_FROM.lines).join('\n').slice(0, FOLDED_FROM.chars) : text;
  return (
    <div className={styles.prompt}>
      <h2 className="sr">Prompt</h2>
      <p className={classNames(styles.text, isCommand && styles.command)}>
        {shown.trim() === '' ? <i className={styles.none}>A run without a prompt</i> : shown}
        {isLong && !isOpen && '…'}
      </p>
      {isLong && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${lines.length} lines`}
        </button>
      )}
      {run && (
        <span className={styles.when}>
          <Instant at={run.startedAt} />
        </span>
      )}
    </div>
  );
}
