/** What stands where a patch will be: said once it takes long enough to be noticed. */
import { Spinner } from '@/components/ui/spinner';
import styles from './patch-loading.module.css';

export function PatchLoading({ path, note }: { path: string; note?: string | null }) {
  return (
    <div className={styles.loading} role="status" aria-busy="true">
      <Spinner />
      <span>
        Loading the patch <span className="sr">of {path}</span>
        {note && <span className={styles.note}> {note}</span>}
      </span>
    </div>
  );
}
