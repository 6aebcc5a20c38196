/** The links of a run that are open now, each to be copied or revoked. */
'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '@/components/ui/button';
import { Instant } from '@/components/ui/instant';
import { copyText } from '@/lib/client/copy-text';
import { readJson } from '@/lib/client/read-json';
import { revokeShare, type ShareLink } from '@/lib/client/share-requests';
import styles from './share-dialog.module.css';

export function ShareLinks({ runId }: { runId: string }) {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['shares', runId],
    queryFn: ({ signal }) => readJson<{ shares: ShareLink[] }>(`/api/runs/${runId}/shares`, { signal }),
    staleTime: 0,
  });
  const revoke = useMutation({
    mutationFn: revokeShare,
    onSettled: () => queries.invalidateQueries({ queryKey: ['shares', runId] }),
  });
  const shares = data?.shares ?? [];
  if (shares.length === 0) return null;
  return (
    <section aria-label="Links to this run">
      <h3 className={styles.heading}>Open links</h3>
      <ul className={styles.links}>
        {shares.map((share, at) => {
          const name = `link ${shares.length - at}`;
          return (
            <li key={share.id}>
              <span className={styles.when}>
                Made <Instant at={share.created_at} />
                {share.expires_at === null ? (
                  ', open until revoked'
                ) : (
                  <>
                    , open until <Instant at={share.expires_at} />
                  </>
                )}
                {!share.include_prompt && ', without the prompt'}
                {!share.include_answer && ', without the answer'}
                {share.left_out > 0 && `, ${share.left_out} left out`}
              </span>
              <Button look="ghost" aria-label={`Copy ${name}`} onClick={() => void copyText(share.url)}>
                Copy
              </Button>
              <Button
                look="danger"
                aria-label={`Revoke ${name}`}
                busy={revoke.isPending && revoke.variables === share.id}
                onClick={() => revoke.mutate(share.id)}
              >
                Revoke
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
