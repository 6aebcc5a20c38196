/** What the owner's browser asks about links to a run. */
import { RequestFailed } from './read-json';

export interface ShareChoices {
  includePrompt: boolean;
  includeAnswer: boolean;
  /** Null: until revoked. */
  expiresInDays: number | null;
  excludeFileIds: readonly string[];
  revealFileIds: readonly string[];
}

/** A link, as the wire tells it. */
export interface ShareLink {
  id: string;
  url: string;
  is_public: boolean;
  created_at: number;
  expires_at: number | null;
  include_prompt: boolean;
  include_answer: boolean;
  left_out: number;
}

/** What a link masks, as the wire tells it. */
export interface MaskedSecretLine {
  file_id: string | null;
  path: string | null;
  message: 'prompt' | 'answer' | null;
  rule: string;
  count: number;
}

function bodyOf({ includePrompt, includeAnswer, expiresInDays, excludeFileIds, revealFileIds }: ShareChoices) {
  return {
    include_prompt: includePrompt,
    include_answer: includeAnswer,
    ...(expiresInDays === null ? {} : { expires_in_days: expiresInDays }),
    exclude_file_ids: excludeFileIds,
    reveal: revealFileIds,
  };
}

/** One request with a JSON body. Fails with `RequestFailed`. */
async function send<Answer>(
  method: 'POST' | 'DELETE',
  url: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new RequestFailed('offline', 0, error instanceof Error ? 'The server cannot be reached.' : String(error));
  }
  if (response.status === 204) return undefined as Answer;
  const answer = (await response.json().catch(() => ({}))) as { error?: { code: string; message: string } };
  if (!response.ok) {
    throw new RequestFailed(
      answer.error?.code ?? 'internal',
      response.status,
      answer.error?.message ?? 'It did not work.',
    );
  }
  return answer as Answer;
}

export async function previewShare(
  runId: string,
  choices: ShareChoices,
  signal: AbortSignal,
): Promise<MaskedSecretLine[]> {
  const url = `/api/runs/${runId}/shares/preview`;
  return (await send<{ masked: MaskedSecretLine[] }>('POST', url, bodyOf(choices), signal)).masked;
}

export async function createShare(runId: string, choices: ShareChoices): Promise<ShareLink> {
  return (await send<{ share: ShareLink }>('POST', `/api/runs/${runId}/shares`, bodyOf(choices))).share;
}

export async function revokeShare(id: string): Promise<void> {
  await send('DELETE', `/api/shares/${id}`);
}
