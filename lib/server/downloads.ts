/** Answers that a browser saves as files. */
import 'server-only';
import { streamOf } from './change-bodies';
import type { SharedPatch } from './shared-bodies';

/** A file to be saved under `name`. */
export function download(body: string | ReadableStream<Uint8Array>, type: string, name: string): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  });
}

export function patchDownload({ bytes, applyFrom, omitted }: SharedPatch): Response {
  const response = download(streamOf('', bytes), 'text/x-diff; charset=utf-8', 'shared-run.patch');
  response.headers.set('x-tidemark-apply-from', encodeURI(applyFrom));
  response.headers.set('x-tidemark-omitted', String(omitted));
  return response;
}
