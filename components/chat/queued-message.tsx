/** The message that is sent when the run ends. */
import { Button } from '@/components/ui/button';
import styles from './queued-message.module.css';

export function QueuedMessage({
  text,
  isWaiting,
  onEdit,
  onRemove,
  onSend,
}: {
  text: string;
  /** A run goes on that it waits for. */
  isWaiting: boolean;
  onEdit: () => void;
  onRemove: () => void;
  onSend: () => void;
}) {
  return (
    <section className={styles.queued} aria-label="Queued message">
      <p className={styles.text}>
        <b>{isWaiting ? 'Sends when the run ends:' : 'Not sent yet:'}</b> {text}
      </p>
      {!isWaiting && (
        <Button look="ghost" onClick={onSend}>
          Send now
        </Button>
      )}
      <Button look="ghost" onClick={onEdit}>
        Edit
      </Button>
      <Button look="ghost" onClick={onRemove}>
        Remove
      </Button>
    </section>
  );
}
