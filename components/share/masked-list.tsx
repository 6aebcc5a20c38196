/** What a link will mask, place by place, and the choice to leave a file out or to show it all the same. */
'use client';

import { ShieldCheck } from 'lucide-react';
import { Button } from '@/components/ui/button';
import type { MaskedSecretLine, ShareChoices } from '@/lib/client/share-requests';
import styles from './masked-list.module.css';

interface Place {
  key: string;
  name: string;
  fileId: string | null;
  rules: string[];
}

/** One line a place: the prompt, the answer, each file. */
function placesOf(masked: readonly MaskedSecretLine[]): Place[] {
  const places = new Map<string, Place>();
  for (const { file_id, path, message, rule, count } of masked) {
    const key = file_id ?? message ?? '';
    const place = places.get(key) ?? { key, name: path ?? `The ${message}`, fileId: file_id, rules: [] };
    place.rules.push(count === 1 ? rule : `${rule}, ${count} times`);
    places.set(key, place);
  }
  return [...places.values()];
}

export function MaskedList({
  masked,
  choices,
  onChoose,
}: {
  masked: readonly MaskedSecretLine[];
  choices: ShareChoices;
  onChoose: (chosen: Partial<ShareChoices>) => void;
}) {
  const places = placesOf(masked);
  const { excludeFileIds, revealFileIds } = choices;
  if (places.length === 0) {
    return (
      <p className={styles.none}>
        <ShieldCheck aria-hidden="true" className={styles.icon} />
        {revealFileIds.length > 0 ? 'Nothing else looks like a secret.' : 'Nothing in it looks like a secret.'}
        {revealFileIds.length > 0 && (
          <Button look="ghost" onClick={() => onChoose({ revealFileIds: [] })}>
            Mask all again
          </Button>
        )}
      </p>
    );
  }
  return (
    <>
      <h3 className={styles.title}>Will be masked</h3>
      <ul className={styles.places}>
        {places.map(({ key, name, fileId, rules }) => (
          <li key={key} className={styles.place}>
            <span className={styles.words}>
              <bdi className={styles.name}>{name}</bdi> <span className={styles.rules}>{rules.join('; ')}</span>
            </span>
            {fileId !== null && (
              <>
                <Button look="ghost" onClick={() => onChoose({ excludeFileIds: [...excludeFileIds, fileId] })}>
                  Leave out
                </Button>
                <Button look="ghost" onClick={() => onChoose({ revealFileIds: [...revealFileIds, fileId] })}>
                  Show unmasked
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
