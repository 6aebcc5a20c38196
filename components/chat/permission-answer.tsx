/** The line that a permission request leaves once it is answered. */
import { plainText } from '@/components/changes/plain-text';
import type { PermissionRequest } from '@/lib/domain/conversation';
import styles from './permission-answer.module.css';

export function PermissionAnswer({ permission }: { permission: PermissionRequest }) {
  const { answer, options, title } = permission;
  const option = options.find(({ optionId }) => optionId === answer?.optionId);
  const isAllowed = option?.kind.startsWith('allow') ?? false;
  return (
    <p className={styles.answered}>
      <span className={isAllowed ? styles.allowed : styles.denied}>{isAllowed ? 'Allowed' : 'Denied'}</span>{' '}
      <span className={styles.what}>{plainText(title || 'a tool call')}</span>
      <span className={styles.how}> · {option ? option.name : 'nobody answered before the run ended'}</span>
    </p>
  );
}
