/** One sentence about a patch, as it stands above the lines or in their place. */
import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { plainText } from '@/components/changes/plain-text';
import { classNames } from '@/components/ui/class-names';
import styles from './patch-sentence.module.css';
import type { Sentence } from './patch-sentences';

export function PatchSentence({ kind, text, children }: Sentence & { children?: ReactNode }) {
  const Icon = kind === 'warning' ? TriangleAlert : Info;
  return (
    <div className={classNames(styles.sentence, styles[kind])}>
      <Icon aria-hidden="true" className={styles.icon} />
      <p className={styles.text}>{plainText(text)}</p>
      {children}
    </div>
  );
}
