/** The one wrapper of every server action: the cookie first, then the input, then the work; failures are answers. */
import 'server-only';
import type { z } from 'zod';
import type { ActionResult } from '@/lib/client/action-result';
import { parseRequest } from '@/lib/domain/requests';
import { requireCookie } from '@/lib/server/auth';
import { toAppError } from '@/lib/server/http';

export async function ownerAction<Schema extends z.ZodType, Value>(
  schema: Schema,
  input: unknown,
  work: (input: z.output<Schema>) => Promise<Value> | Value,
): Promise<ActionResult<Value>> {
  try {
    await requireCookie();
    return { ok: true, value: await work(parseRequest(schema, input)) };
  } catch (error) {
    const { code, message } = toAppError(error);
    return { ok: false, error: { code, message } };
  }
}
