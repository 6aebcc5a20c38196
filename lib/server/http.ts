/** Turns requests into parsed input and outcomes into responses: the one wrapper of every route handler. */
import { AppError, HTTP_STATUS, isAppError } from '@/lib/domain/errors';
import { toWire } from '@/lib/domain/events';
import { MAX_BODY_BYTES } from '@/lib/domain/requests';
import { isStorageFull } from '@/lib/store/database';
import { requireOwner } from './access';

type Params = Record<string, string>;
type Handler<P extends Params> = (request: Request, params: P) => Promise<Response> | Response;

/** A route handler for the owner: access first, errors in the form of CONTRACT. */
export function ownerRoute<P extends Params = Params>(handler: Handler<P>) {
  return (request: Request, context: { params: Promise<unknown> }): Promise<Response> =>
    answering(async () => {
      requireOwner(request);
      return handler(request, exactParams(request, (await context.params) as P | undefined));
    });
}

/** A route handler that decides itself who may come in. */
export function openRoute<P extends Params = Params>(handler: Handler<P>) {
  return (request: Request, context: { params: Promise<unknown> }): Promise<Response> =>
    answering(async () => handler(request, exactParams(request, (await context.params) as P | undefined)));
}

/**
 * The parameters of a route as the address writes them, decoded once. The framework decodes twice: the id `a%2Fb`, written
 * `a%252Fb`, would be taken for `a/b`.
 */
export function exactParams<P extends Params>(request: Pick<Request, 'url'>, params: P | undefined): P {
  const segments = new URL(request.url).pathname.split('/').map(decodedOnce);
  // A route without parameters is given none at all.
  const exact = Object.entries(params ?? {}).map(([name, value]) => {
    const segment = segments.find((one) => one === value || decodedOnce(one) === value);
    return [name, segment ?? value];
  });
  return Object.fromEntries(exact) as P;
}

/** What is no encoding stays as it is. */
function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function answering(handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    return errorResponse(error);
  }
}

/** `{"error":{"code","message"}}` with the code's status. What is none of ours becomes `internal`, with no detail. */
export function errorResponse(error: unknown): Response {
  const known = toAppError(error);
  return Response.json(
    { error: { code: known.code, message: known.message } },
    { status: HTTP_STATUS[known.code], headers: { 'cache-control': 'no-store' } },
  );
}

/** The failure as a caller may see it. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (isStorageFull(error)) {
    return new AppError('storage_full', 'The disk that holds the data folder is full. Free some space and try again.');
  }
  console.error('A request failed:', error);
  return new AppError('internal', 'Something failed inside Tidemark. Its terminal says more.');
}

/** An answer in wire words. */
export function json(value: unknown, init: ResponseInit = {}): Response {
  return Response.json(toWire(value), { ...init, headers: { 'cache-control': 'private, no-store', ...init.headers } });
}

/** The JSON body, or an empty object where there is none. Throws `too_large` and `invalid_request`. */
export async function readJson(request: Request, limit = MAX_BODY_BYTES): Promise<unknown> {
  const text = new TextDecoder().decode(await readBody(request, limit));
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', 'body: is not JSON');
  }
}

/** The body's bytes; told from Content-Length before it is read, a chunked body counted. Throws `too_large`. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () => new AppError('too_large', `The body may have at most ${limit} bytes.`);
  const announced = Number(request.headers.get('content-length') ?? '0');
  if (announced > limit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader?.cancel().catch(() => undefined);
      throw tooLarge();
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

/** The query as an object; a name given twice keeps its last value. */
export function queryOf(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams);
}

/** A body as one canonical text: equal for equal JSON, whatever the order of its fields. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Answers a method that a route does not have. Re-exported by routes under the names of those methods. */
export function notAllowed(): Response {
  return errorResponse(new AppError('method_not_allowed', 'This address does not take that method.'));
}
