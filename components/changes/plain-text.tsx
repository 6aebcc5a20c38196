/** Text of unknown origin: characters that hide or reorder text are kept, isolated and made visible. */
import type { ReactNode } from 'react';
import { codePointName, ODD_CHARACTERS } from './odd-characters';
import styles from './plain-text.module.css';

const EACH_ODD = new RegExp(`(${ODD_CHARACTERS.source})`, 'g');

/** The text as nodes; a plain string where nothing in it is odd. */
export function plainText(text: string): ReactNode {
  if (!ODD_CHARACTERS.test(text)) return text;
  return text.split(EACH_ODD).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one immutable text
      <span key={index} className={styles.odd} data-code={codePointName(part)}>
        {part}
      </span>
    ),
  );
}
