/** What a server action answers, and the one way in which components call one. */
import type { ErrorCode } from '@/lib/domain/errors';

export interface ActionFailure {
  /** CONTRACT's code; `offline` where no answer came. */
  code: ErrorCode | 'offline';
  message: string;
}

export type ActionResult<Value = null> = { ok: true; value: Value } | { ok: false; error: ActionFailure };

/** A server action as a component gets it. It parses its input itself. */
export type Action<Input, Value = null> = (input: Input) => Promise<ActionResult<Value>>;

/** Calls an action; an answer that never came is a failure like any other. */
export async function callAction<Input, Value>(
  action: Action<Input, Value>,
  input: Input,
): Promise<ActionResult<Value>> {
  try {
    return await action(input);
  } catch (error) {
    // A page of an older build names actions that the server no longer has.
    const isOutdated = error instanceof Error && error.message.includes('Server Action');
    const message = isOutdated
      ? 'Tidemark was updated since this page was loaded. Reload it and try again.'
      : 'The server cannot be reached. Is Tidemark still running?';
    return { ok: false, error: { code: 'offline', message } };
  }
}
