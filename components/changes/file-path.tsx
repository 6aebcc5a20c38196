/** A path: its folder pale and first to be cut, its name dark; old and new for a rename. */
import type { ChangedFile } from '@/lib/domain/change';
import styles from './file-path.module.css';
import { plainText } from './plain-text';

function Path({ path }: { path: string }) {
  const slash = path.lastIndexOf('/', path.length - 2);
  return (
    <bdi className={styles.path}>
      {slash >= 0 && <span className={styles.folder}>{plainText(path.slice(0, slash + 1))}</span>}
      <span className={styles.name}>{plainText(path.slice(slash + 1))}</span>
    </bdi>
  );
}

export function FilePath({
  file,
  nameOnly = false,
}: {
  file: Pick<ChangedFile, 'displayPath' | 'oldPath'>;
  /** The folder is drawn elsewhere. */
  nameOnly?: boolean;
}) {
  const { displayPath } = file;
  if (file.oldPath === null) {
    return <Path path={nameOnly ? displayPath.slice(displayPath.lastIndexOf('/') + 1) : displayPath} />;
  }
  return (
    <>
      <Path path={file.oldPath} /> <span className={styles.arrow}>→</span> <Path path={file.displayPath} />
    </>
  );
}
