/** Serves the bodies of changes: patches, comparisons, contents. Shared by the owner's routes and those of share links. */
import 'server-only';
import type { ChangeSummary } from '@/lib/domain/change';
import type { ChangeId, FileId } from '@/lib/domain/ids';
import { comparisonQuerySchema, contentQuerySchema, parseRequest, patchQuerySchema } from '@/lib/domain/requests';
import { allFiles, type FileWithBody, type StoredFile } from '@/lib/store/change-store';
import { json, queryOf } from './http';
import { requireBodies } from './lookups';
import { house } from './runtime';

/** Records can be superseded or expire, so a browser may keep them but must ask (DESIGN §9). */
const REVALIDATE = 'private, no-cache';

/** One row with its patch; 304 where the browser has it. */
export function fileResponse(
  request: Request,
  change: Pick<ChangeSummary, 'generation'>,
  { body }: FileWithBody,
): Response {
  const etag = `"${body.id}-${change.generation}${body.expired ? '-expired' : ''}"`;
  if (request.headers.get('if-none-match') === etag) {
    return new Response(null, { status: 304, headers: { etag, 'cache-control': REVALIDATE } });
  }
  return json({ file: body }, { headers: { etag, 'cache-control': REVALIDATE } });
}

/** One file compared in full. A closed request stops the work. Throws `expired`. */
export async function comparisonResponse(
  request: Request,
  changeId: ChangeId,
  { stored }: Pick<FileWithBody, 'stored'>,
): Promise<Response> {
  const { context, ignore_whitespace } = parseRequest(comparisonQuerySchema, queryOf(request));
  const comparison = await house().capture.readComparison(requireBodies(changeId), stored, {
    context,
    ignoreWhitespace: ignore_whitespace === 'true',
    signal: request.signal,
  });
  return json(comparison, { headers: { 'cache-control': REVALIDATE } });
}

/** Images that a page may show; anything else is bytes to download. */
const IMAGE_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
};

/** The bytes of one side, never run as a page of ours. Throws `expired`, `not_found`, `too_large`. */
export async function contentResponse(
  request: Request,
  changeId: ChangeId,
  { stored }: Pick<FileWithBody, 'stored'>,
): Promise<Response> {
  const { side } = parseRequest(contentQuerySchema, queryOf(request));
  const bytes = await house().capture.readContent(requireBodies(changeId), stored, side);
  const name = (side === 'before' ? (stored.oldPath ?? stored.path) : stored.path).split('/').pop() ?? 'file';
  const type = IMAGE_TYPES[name.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': REVALIDATE,
    },
  });
}

/** The whole change as `git apply` takes it. Rows that came with git are left out unless `?origin=all`. Throws `expired`. */
export async function patchResponse(
  request: Request,
  change: ChangeSummary,
  include: (file: StoredFile) => boolean = () => true,
): Promise<Response> {
  const { origin } = parseRequest(patchQuerySchema, queryOf(request));
  const rows = allFiles(house().store, change.changeId).filter(include);
  const wanted = origin === 'all' ? rows : rows.filter((file) => file.origin !== 'git');
  return rowsPatchResponse(request, change, change.changeId, wanted, rows.length - wanted.length);
}

/** The patch of some rows, read from the bodies that `keptWith` keeps; `leftOut` more came with git. Throws `expired`. */
export async function rowsPatchResponse(
  request: Request,
  change: Pick<ChangeSummary, 'changeId' | 'workspace'>,
  keptWith: ChangeId,
  rows: StoredFile[],
  leftOut = 0,
): Promise<Response> {
  const patch = await house().capture.readPatch(
    requireBodies(keptWith),
    { root: change.workspace },
    rows,
    request.signal,
  );
  const note = leftOut > 0 ? `# ${leftOut} files that came with git are left out; ?origin=all adds them\n` : '';
  return new Response(streamOf(note, patch.text), {
    headers: {
      'content-type': 'text/x-diff; charset=utf-8',
      'content-disposition': `attachment; filename="${change.changeId.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80)}.patch"`,
      'x-content-type-options': 'nosniff',
      'x-tidemark-apply-from': encodeURI(patch.applyFrom),
      'x-tidemark-omitted': String(patch.omitted + leftOut),
      'cache-control': REVALIDATE,
    },
  });
}

/** Bytes that come one after another as a stream, with `first` before them; a reader that leaves ends the work. */
export function streamOf(first: string, rest: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = rest[Symbol.asyncIterator]();
  let begun = first === '';
  return new ReadableStream({
    async pull(controller) {
      if (!begun) {
        begun = true;
        controller.enqueue(new TextEncoder().encode(first));
        return;
      }
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Rows looked at on disk at most: past it the question is too dear for a page. */
const MOST_CURRENT = 2_000;
/** Files looked at together. */
const CURRENT_AT_ONCE = 8;

/** Files whose disk no longer holds what the change left there. */
export async function changedSince(change: ChangeSummary): Promise<FileId[]> {
  const { store, capture } = house();
  const location = await capture.locate(change.workspace);
  const rows = allFiles(store, change.changeId).slice(0, MOST_CURRENT);
  const changed: FileId[] = [];
  for (let at = 0; at < rows.length; at += CURRENT_AT_ONCE) {
    const some = rows.slice(at, at + CURRENT_AT_ONCE);
    const current = await Promise.all(some.map((file) => capture.isCurrent(location, file)));
    for (const [index, file] of some.entries()) if (!current[index]) changed.push(file.id);
  }
  return changed;
}
