/** A line that is too long to be drawn in its place, whole, as plain text. */
'use client';

import { Dialog } from '@/components/ui/dialog';
import { counted } from '@/lib/domain/change-words';
import styles from './long-line.module.css';

export function LongLine({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Dialog title={`One line, ${counted(text.length, 'character')}`} wide onClose={onClose}>
      <textarea className={styles.text} aria-label="The whole line" readOnly rows={16} value={text} />
    </Dialog>
  );
}
