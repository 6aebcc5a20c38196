/** What callers may send: one schema per request body and query, used by the handlers, the actions and the API document. */
import { z } from 'zod';
import { GAP_REASONS, type Origin } from './change';
import { TOOL_KINDS } from './conversation';
import { AppError } from './errors';
import { runIdSchema, sessionIdSchema, toolCallIdSchema } from './id-schemas';

/** Largest request body in bytes (CONTRACT: `too_large`). */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Characters of a prompt or message that are kept. */
const MAX_PROMPT_CHARS = 1_000_000;

const text = (max: number) => z.string().max(max);
const json = z.json();

export const createSessionSchema = z.object({
  workspace: z.string().min(1).max(4096),
  agent: z.string().min(1).max(64).optional(),
  title: text(200).optional(),
  session_id: sessionIdSchema.optional(),
});

export const patchSessionSchema = z.object({ title: z.string().trim().min(1).max(200) });

/** What a person or program asks the session's agent for. */
export const promptSchema = z.object({
  prompt: z.string().min(1).max(MAX_PROMPT_CHARS),
  images: z
    .array(z.object({ mime_type: z.string().regex(/^image\/[a-z.+-]{1,40}$/), data: z.base64().max(6_000_000) }))
    .max(8)
    .optional(),
});

export const startRunSchema = z.discriminatedUnion('external', [
  z.object({
    external: z.literal(true),
    prompt: text(MAX_PROMPT_CHARS).default(''),
    run_id: runIdSchema.optional(),
    workspace: z.string().min(1).max(4096).optional(),
  }),
  promptSchema.extend({ external: z.literal(false).default(false) }),
]);

export const startToolCallSchema = z.object({
  tool_call_id: toolCallIdSchema,
  title: text(2000).optional(),
  tool: text(200).optional(),
  kind: z.enum(TOOL_KINDS).optional(),
  paths: z.array(z.string().min(1).max(4096)).max(1000).optional(),
  input: json.optional(),
});

export const completeToolCallSchema = z.object({
  status: z.enum(['completed', 'failed']),
  output: z.string().optional(),
  meta: json.optional(),
});

export const completeRunSchema = z.object({
  status: z.enum(['completed', 'failed', 'cancelled']).default('completed'),
  message: text(MAX_PROMPT_CHARS).optional(),
  error: text(10_000).optional(),
});

export const answerPermissionSchema = z.object({ option_id: z.string().min(1).max(256).nullable() });

export const createShareSchema = z.object({
  expires_in_days: z.number().int().min(1).max(3650).optional(),
  include_prompt: z.boolean().default(true),
  include_answer: z.boolean().default(true),
  exclude_file_ids: z.array(z.string().max(64)).max(50_000).default([]),
  reveal: z.array(z.string().max(64)).max(50_000).default([]),
});

const limitSchema = z.coerce.number().int().min(1).max(200).default(50);
const cursorSchema = z
  .string()
  .regex(/^[A-Za-z0-9~._-]{1,200}$/, 'is no cursor of this list')
  .optional();
/** A cursor of a list that is ordered by place. */
const placeCursorSchema = z
  .string()
  .regex(/^\d{1,15}$/, 'is no cursor of this list')
  .optional();

export const pageSchema = z.object({ cursor: placeCursorSchema, limit: limitSchema });
export const sessionsQuerySchema = z.object({ cursor: cursorSchema, limit: limitSchema, q: text(200).optional() });
export const runsQuerySchema = z.object({
  workspace: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
  session_id: sessionIdSchema.optional(),
  cursor: cursorSchema,
  limit: limitSchema,
});
export const searchQuerySchema = z.object({ q: z.string().trim().min(1).max(200), limit: limitSchema });
export const eventsQuerySchema = z.object({ last_event_id: z.coerce.number().int().min(0).optional() });
export const changesQuerySchema = pageSchema.extend({
  run_id: runIdSchema.optional(),
  source: z.enum(['run', 'tool', 'drift', 'all']).default('run'),
});
export const filesQuerySchema = pageSchema.extend({
  q: text(1000).optional(),
  origin: z.enum(['tool', 'command', 'git', 'other'] as const satisfies readonly Origin[]).optional(),
  kind: z.enum(['added', 'modified', 'deleted', 'renamed']).optional(),
});
export const comparisonQuerySchema = z.object({
  context: z.union([z.literal('all'), z.coerce.number().int().min(0).max(10_000)]).default(3),
  ignore_whitespace: z.enum(['true', 'false']).default('false'),
});
export const patchQuerySchema = z.object({ origin: z.literal('all').optional() });
export const contentQuerySchema = z.object({ side: z.enum(['before', 'after']) });
export const gapReasonSchema = z.enum(GAP_REASONS);

/** Parses `value`, or fails with `invalid_request` naming the first wrong field. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new AppError('invalid_request', `${field === '' ? 'request' : field}: ${issue?.message ?? 'is not valid'}`);
}
