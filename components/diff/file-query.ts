/** The queries behind an opened file, so that a click can begin what the panel then waits for. */
import { queryOptions } from '@tanstack/react-query';
import type { ChangeBodies, ComparisonOptions } from '@/lib/client/change-bodies';
import { RequestFailed } from '@/lib/client/read-json';
import type { FileId } from '@/lib/domain/ids';

/** A record never changes, so what was read stays; unused bodies leave memory after this many milliseconds. */
const KEEP_MS = 5 * 60_000;

/** Whether asking again by itself makes sense: only where no answer came, and only once. */
function retry(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof RequestFailed && error.code === 'offline';
}

export function fileQuery(bodies: ChangeBodies, fileId: FileId) {
  return queryOptions({
    queryKey: [bodies.key, 'file', fileId],
    queryFn: ({ signal }) => bodies.file(fileId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
    networkMode: 'always',
    retry,
  });
}

export function comparisonQuery(
  bodies: ChangeBodies,
  fileId: FileId,
  options: ComparisonOptions,
  onProgress?: (bytes: number, total: number | null) => void,
) {
  return queryOptions({
    queryKey: [bodies.key, 'comparison', fileId, options],
    queryFn: ({ signal }) => {
      if (bodies.comparison === null) throw new Error('Nothing more can be loaded here');
      return bodies.comparison(fileId, options, { signal, ...(onProgress && { onProgress }) });
    },
    enabled: bodies.comparison !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
    networkMode: 'always',
    retry,
  });
}
