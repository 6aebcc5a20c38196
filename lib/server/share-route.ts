/** The wrapper of every route under `/s/`: a token opens it, nothing is kept by anybody, and only reading is possible. */
import 'server-only';
import { errorResponse } from './http';
import { SHARE_HEADERS } from './share-policy';
import { requireSharedRun, type SharedRun } from './shared-run';

/** A handler for whoever holds the token. Unknown, revoked and expired tokens answer alike. */
export function shareRoute<P extends { token: string }>(
  handler: (request: Request, shared: SharedRun, params: P) => Promise<Response> | Response,
) {
  return async (request: Request, context: { params: Promise<unknown> }): Promise<Response> => {
    const response = await answer(request, context, handler);
    for (const [name, value] of Object.entries(SHARE_HEADERS)) response.headers.set(name, value);
    return response;
  };
}

async function answer<P extends { token: string }>(
  request: Request,
  context: { params: Promise<unknown> },
  handler: (request: Request, shared: SharedRun, params: P) => Promise<Response> | Response,
): Promise<Response> {
  try {
    const params = (await context.params) as P;
    return await handler(request, requireSharedRun(params.token), params);
  } catch (error) {
    return errorResponse(error);
  }
}
