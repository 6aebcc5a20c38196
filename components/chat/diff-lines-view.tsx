/** Lines of diff text, coloured one by one; added and deleted are said to those who can't see colour. */
import { classNames } from '@/components/ui/class-names';
import { kindOfDiffLine } from './diff-lines';
import styles from './diff-lines-view.module.css';

export function DiffLines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, at) => {
    const kind = kindOfDiffLine(line);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
      <span key={at} className={classNames(styles.line, kind !== 'plain' && styles[kind])}>
        {line}
        {'\n'}
      </span>
    );
  });
}
