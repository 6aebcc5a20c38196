/** The one vocabulary of failures: a code, the HTTP status it answers with, and a sentence that may be shown. */

/** Status per code, as CONTRACT words them. */
export const HTTP_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  forbidden_host: 403,
  workspace_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  run_in_progress: 409,
  run_already_finished: 409,
  run_id_in_use: 409,
  expired: 410,
  too_large: 413,
  workspace_unavailable: 422,
  agent_unavailable: 422,
  internal: 500,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof HTTP_STATUS;

/**
 * A failure that a caller may be told about. The message never holds a stack or a secret.
 * Tell kinds apart by `code`: a class thrown in one module graph is not the class another one imported.
 */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'AppError';
  }
}

/** Whether `value` is one of ours, whichever module graph made it. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && 'code' in value && typeof value.code === 'string' && value.code in HTTP_STATUS;
}

/** Closes a switch over a union: a new member that nobody handles stops the build. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
