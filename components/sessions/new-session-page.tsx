/** The page on which a session begins: which folder, which agent, and what to mind before anything is made. */
import { PageHeader } from '@/components/shell/page-header';
import { NewSessionForm, type NewSessionFormProps } from './new-session-form';
import styles from './new-session-page.module.css';

export function NewSessionPage(props: NewSessionFormProps) {
  return (
    <>
      <PageHeader title="New session" sub="One conversation with one agent in one folder" />
      <div className={styles.page}>
        <NewSessionForm {...props} />
      </div>
    </>
  );
}
