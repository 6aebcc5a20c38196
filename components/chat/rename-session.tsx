/** Asks for a session's new title. */
'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { callAction } from '@/lib/client/action-result';
import type { Session } from '@/lib/domain/conversation';
import type { SessionActions } from './session-actions';
import styles from './session-dialogs.module.css';

interface RenameSessionProps {
  session: Session;
  onClose: () => void;
  rename: SessionActions['renameSession'];
}

export function RenameSession(props: RenameSessionProps) {
  return (
    <Dialog title="Rename session" onClose={props.onClose}>
      <TitleForm {...props} />
    </Dialog>
  );
}

function TitleForm({ session, onClose, rename }: RenameSessionProps) {
  const [title, setTitle] = useState(session.title);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    const renamed = await callAction(rename, { sessionId: session.id, title: title.trim() });
    setSaving(false);
    if (renamed.ok) onClose();
    else setProblem(renamed.error.message);
  };

  return (
    <form className={styles.form} onSubmit={save}>
      <Field label="Title" error={problem}>
        {(field) => (
          <input
            {...field}
            value={title}
            maxLength={200}
            required
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.end}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={isSaving} disabled={title.trim() === ''}>
          Rename
        </Button>
      </div>
    </form>
  );
}
