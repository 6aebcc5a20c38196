/** Reads what the plugin in opencode posts: its hooks and events, under opencode's own names. */
import { z } from 'zod';
import { hookCall } from './hook-call';
import type { HookEvent, HookEventBody, HookRequest } from './hook-event';

const text = z.string();
const optional = text.nullish().transform((value) => value ?? null);

const chat = z.object({
  output: z.object({
    message: z.object({ id: text, sessionID: text }),
    parts: z.array(z.object({ type: text, text: optional, synthetic: z.boolean().nullish() })).catch([]),
  }),
});

const toolInput = z.object({ tool: text.min(1), sessionID: text, callID: optional, args: z.unknown().optional() });
const before = z.object({ input: toolInput, output: z.object({ args: z.unknown().optional() }) });
const after = z.object({
  input: toolInput,
  output: z
    .object({ output: optional, metadata: z.object({ exit: z.number().nullish() }).nullish().catch(null) })
    .nullish()
    .catch(null),
});

const event = z.object({
  id: optional,
  type: text,
  properties: z.object({
    sessionID: optional,
    info: z.object({ id: optional, directory: optional, parentID: optional }).nullish().catch(null),
    error: z
      .object({ name: optional, data: z.object({ message: optional }).nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
  last_assistant_message: optional,
});

export function readOpencodeEvent({ body, event: name, directory }: HookRequest): HookEvent | null {
  const kind = name ?? kindOf(body);
  const cwd = directory?.startsWith('/') ? directory : null;
  const made = (
    session: string,
    identity: string | null,
    rest: HookEventBody,
    turn: string | null = null,
  ): HookEvent => ({
    session,
    cwd,
    turn,
    subagent: null,
    identity,
    ...rest,
  });

  if (kind === 'chat.message') {
    const parsed = chat.safeParse(body);
    if (!parsed.success) return null;
    const { message, parts } = parsed.data.output;
    const words = parts.filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text ?? '');
    return made(
      message.sessionID,
      null,
      { type: 'prompt', text: words.join('\n'), synthetic: false, mayBeEmpty: false },
      message.id,
    );
  }
  if (kind === 'tool.execute.before') {
    const parsed = before.safeParse(body);
    if (!parsed.success) return null;
    const { tool, sessionID, callID } = parsed.data.input;
    const call = hookCall({ id: callID, tool, input: parsed.data.output.args, cwd });
    return made(sessionID, callID && `tool_started ${callID}`, { type: 'tool_started', call });
  }
  if (kind === 'tool.execute.after') {
    const parsed = after.safeParse(body);
    if (!parsed.success) return null;
    const { tool, sessionID, callID, args } = parsed.data.input;
    const call = hookCall({ id: callID, tool, input: args, cwd });
    const exit = parsed.data.output?.metadata?.exit ?? 0;
    // What a tool read is in the files themselves; what a command printed is nowhere else.
    const output = tool === 'bash' ? (parsed.data.output?.output ?? null) : null;
    return made(sessionID, callID && `tool_ended ${callID}`, {
      type: 'tool_ended',
      call,
      status: exit === 0 ? 'completed' : 'failed',
      output,
    });
  }
  const parsed = event.safeParse(body);
  if (!parsed.success) return null;
  const { type, properties, last_assistant_message: answer } = parsed.data;
  const session = properties.sessionID ?? properties.info?.id;
  if (!session) return null;
  switch (type) {
    case 'session.created':
    case 'session.updated': {
      const folder = properties.info?.directory;
      return {
        ...made(session, parsed.data.id, { type: 'session_started', parent: properties.info?.parentID ?? null }),
        cwd: folder?.startsWith('/') ? folder : cwd,
      };
    }
    case 'session.idle':
      return made(session, parsed.data.id, {
        type: 'stopped',
        outcome: 'completed',
        reason: 'end_turn',
        error: null,
        answer,
        background: 'none',
      });
    case 'session.error': {
      const aborted = properties.error?.name === 'MessageAbortedError';
      return made(session, parsed.data.id, {
        type: 'stopped',
        outcome: aborted ? 'cancelled' : 'failed',
        reason: properties.error?.name ?? 'error',
        error: aborted ? null : (properties.error?.data?.message ?? properties.error?.name ?? null),
        answer: null,
        background: 'none',
      });
    }
    case 'session.deleted':
      return made(session, parsed.data.id, { type: 'session_ended', reason: 'deleted' });
    default:
      return null;
  }
}

/** Which hook a body without a name belongs to, told by its form. */
function kindOf(body: unknown): string | null {
  if (chat.safeParse(body).success) return 'chat.message';
  if (before.safeParse(body).success && after.safeParse(body).data?.input.args === undefined)
    return 'tool.execute.before';
  if (after.safeParse(body).success) return 'tool.execute.after';
  return null;
}
