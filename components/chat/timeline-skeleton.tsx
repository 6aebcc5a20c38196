/** The shape of a session page before its content is there, so that nothing moves when it comes. */
import { PageHeader } from '@/components/shell/page-header';
import view from './session-view.module.css';
import styles from './timeline-skeleton.module.css';

export function TimelineSkeleton() {
  return (
    <div className={view.view} aria-busy="true">
      <PageHeader title={<span className={styles.title} />} sub={<span className="sr">Reading the session</span>} />
      <div className={styles.timeline} aria-hidden="true">
        <span className={styles.prompt} />
        <span className={styles.line} />
        <span className={styles.line} />
        <span className={styles.block} />
      </div>
      <div className={view.foot} aria-hidden="true">
        <span className={styles.composer} />
      </div>
    </div>
  );
}
