/** One GET that answers JSON or fails with a code and a sentence that may be shown. */

/** A request that did not answer as asked. `code` is CONTRACT's, or `offline` where no answer came at all. */
export class RequestFailed extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'RequestFailed';
  }
}

export interface ReadOptions {
  signal: AbortSignal;
  /** Called with the bytes read so far, and of all where the server told. */
  onProgress?: (bytes: number, total: number | null) => void;
}

/** Milliseconds without a single byte after which a request is given up, so that a hanging one says so. */
const SILENCE_MS = 30_000;

/** Reads JSON. Fails with `RequestFailed`, or with the signal's reason where it was aborted. */
export async function readJson<Answer>(url: string, { signal, onProgress }: ReadOptions): Promise<Answer> {
  const silence = new AbortController();
  const give = () => silence.abort(new RequestFailed('timeout', 0, 'The server did not answer in time.'));
  let timer = setTimeout(give, SILENCE_MS);
  const beat = () => {
    clearTimeout(timer);
    timer = setTimeout(give, SILENCE_MS);
  };
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, silence.signal]),
      headers: { accept: 'application/json' },
    });
    beat();
    if (!response.ok) throw await failureOf(response);
    return (onProgress ? JSON.parse(await readText(response, beat, onProgress)) : await response.json()) as Answer;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (silence.signal.aborted) throw silence.signal.reason;
    if (error instanceof RequestFailed) throw error;
    if (error instanceof SyntaxError) {
      throw new RequestFailed('bad_answer', 200, 'The server answered with something that cannot be read.');
    }
    throw new RequestFailed('offline', 0, 'The server cannot be reached.');
  } finally {
    clearTimeout(timer);
  }
}

async function readText(
  response: Response,
  beat: () => void,
  onProgress: NonNullable<ReadOptions['onProgress']>,
): Promise<string> {
  if (response.body === null) return '';
  const length = Number(response.headers.get('content-length'));
  const total = length > 0 && !response.headers.has('content-encoding') ? length : null;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    beat();
    bytes += value.byteLength;
    onProgress(bytes, total);
    text += decoder.decode(value, { stream: true });
  }
}

async function failureOf(response: Response): Promise<RequestFailed> {
  const fallback = response.status === 404 ? 'This is no longer here.' : `The server answered ${response.status}.`;
  try {
    const { error } = (await response.json()) as { error?: { code?: string; message?: string } };
    return new RequestFailed(error?.code ?? 'internal', response.status, error?.message ?? fallback);
  } catch {
    return new RequestFailed(response.status === 404 ? 'not_found' : 'internal', response.status, fallback);
  }
}
