/** Makes a link that shows one run: what goes with it, what is masked, and the links there are. */
'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { Spinner } from '@/components/ui/spinner';
import { createShare, previewShare, type ShareChoices, type ShareLink } from '@/lib/client/share-requests';
import type { ChangedFile } from '@/lib/domain/change';
import { counted } from '@/lib/domain/change-words';
import { MaskedList } from './masked-list';
import { NewLink } from './new-link';
import styles from './share-dialog.module.css';
import { ShareLinks } from './share-links';

const EXPIRIES: { days: number | null; words: string }[] = [
  { days: 1, words: 'a day' },
  { days: 7, words: 'a week' },
  { days: 30, words: '30 days' },
  { days: null, words: 'until I revoke it' },
];

export function ShareDialog({ runId, files, onClose }: { runId: string; files: ChangedFile[]; onClose: () => void }) {
  const queries = useQueryClient();
  const [choices, setChoices] = useState<ShareChoices>({
    includePrompt: true,
    includeAnswer: true,
    expiresInDays: 7,
    excludeFileIds: [],
    revealFileIds: [],
  });
  const [made, setMade] = useState<ShareLink | null>(null);
  const preview = useQuery({
    queryKey: [
      'share preview',
      runId,
      choices.includePrompt,
      choices.includeAnswer,
      choices.excludeFileIds,
      choices.revealFileIds,
    ],
    queryFn: ({ signal }) => previewShare(runId, choices, signal),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  });
  const create = useMutation({
    mutationFn: () => createShare(runId, choices),
    onSuccess: (link) => {
      setMade(link);
      void queries.invalidateQueries({ queryKey: ['shares', runId] });
    },
  });
  const choose = (chosen: Partial<ShareChoices>) => setChoices({ ...choices, ...chosen });
  const shared = files.length - choices.excludeFileIds.length;

  return (
    <Dialog title="Share this run" wide onClose={onClose}>
      <p className={styles.lead}>
        A link shows this run and nothing else: its files and patches, read-only, to whoever has it. Nobody needs an
        account.
      </p>
      {made ? (
        <NewLink link={made} runId={runId} onAnother={() => setMade(null)} />
      ) : (
        <>
          <fieldset className={styles.choices}>
            <legend className="sr">What goes with the files</legend>
            <label>
              <input
                type="checkbox"
                checked={choices.includePrompt}
                onChange={(event) => choose({ includePrompt: event.currentTarget.checked })}
              />
              The prompt
            </label>
            <label>
              <input
                type="checkbox"
                checked={choices.includeAnswer}
                onChange={(event) => choose({ includeAnswer: event.currentTarget.checked })}
              />
              The answer
            </label>
            <label className={styles.expiry}>
              Open for
              <select
                value={choices.expiresInDays ?? ''}
                onChange={(event) => choose({ expiresInDays: Number(event.currentTarget.value) || null })}
              >
                {EXPIRIES.map(({ days, words }) => (
                  <option key={words} value={days ?? ''}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
          </fieldset>
          <section aria-label="What will be masked" className={styles.masked}>
            {preview.isPending ? (
              <p role="status" className={styles.looking}>
                <Spinner /> Looking for secrets
              </p>
            ) : preview.error ? (
              <Notice kind="error" title="Secrets could not be looked for." onRetry={() => void preview.refetch()}>
                {preview.error.message}
              </Notice>
            ) : (
              <MaskedList masked={preview.data} choices={choices} onChoose={choose} />
            )}
          </section>
          {files.length > 0 && (
            <details className={styles.files}>
              <summary>
                {shared === files.length
                  ? `All ${counted(files.length, 'file')}`
                  : `${shared} of ${files.length} files`}{' '}
                shared
              </summary>
              <ul>
                {files.map((file) => (
                  <li key={file.id}>
                    <label>
                      <input
                        type="checkbox"
                        checked={!choices.excludeFileIds.includes(file.id)}
                        onChange={(event) =>
                          choose({
                            excludeFileIds: event.currentTarget.checked
                              ? choices.excludeFileIds.filter((id) => id !== file.id)
                              : [...choices.excludeFileIds, file.id],
                          })
                        }
                      />
                      <bdi>{file.displayPath}</bdi>
                    </label>
                  </li>
                ))}
              </ul>
            </details>
          )}
          {create.error && (
            <Notice kind="error" title="The link could not be made.">
              {create.error.message}
            </Notice>
          )}
          <div>
            <Button look="primary" busy={create.isPending} disabled={preview.isPending} onClick={() => create.mutate()}>
              Create link
            </Button>
          </div>
        </>
      )}
      <ShareLinks runId={runId} />
    </Dialog>
  );
}
