/** Reads the hook payloads of Cursor by its documentation; no recording of a real one was made. */
import { z } from 'zod';
import { hookCall } from './hook-call';
import type { HookEvent, HookEventBody } from './hook-event';

const text = z.string();
const optional = text.nullish().transform((value) => value ?? null);

/** `user_email` is among the fields that are not read. */
const base = z.object({
  conversation_id: text.min(1).max(512),
  generation_id: optional,
  hook_event_name: text,
  workspace_roots: z.array(text).catch([]),
  cwd: optional,
});
const prompt = z.object({ prompt: text });
const tool = z.object({
  tool_name: text.min(1),
  tool_input: z.unknown().optional(),
  tool_use_id: optional,
  tool_output: z.unknown().optional(),
  error_message: optional,
});
const stop = z.object({ status: optional, error_message: optional });

export function readCursorEvent(body: unknown): HookEvent | null {
  const parsed = base.safeParse(body);
  if (!parsed.success) return null;
  const { conversation_id, generation_id, hook_event_name, workspace_roots, cwd } = parsed.data;
  const root = workspace_roots.find((path) => path.startsWith('/')) ?? null;
  const read = readBody(hook_event_name, body, cwd?.startsWith('/') ? cwd : root);
  if (!read) return null;
  const id = read.type === 'tool_started' || read.type === 'tool_ended' ? read.call.id : null;
  return {
    session: conversation_id,
    cwd: root,
    turn: generation_id,
    subagent: null,
    identity: id === null ? null : `${read.type} ${id}`,
    ...read,
  };
}

function readBody(name: string, body: unknown, cwd: string | null): HookEventBody | null {
  switch (name) {
    case 'sessionStart':
      return { type: 'session_started', parent: null };
    case 'beforeSubmitPrompt': {
      const parsed = prompt.safeParse(body);
      return parsed.success ? { type: 'prompt', text: parsed.data.prompt, synthetic: false, mayBeEmpty: false } : null;
    }
    case 'preToolUse':
    case 'postToolUse':
    case 'postToolUseFailure': {
      const parsed = tool.safeParse(body);
      if (!parsed.success) return null;
      const { tool_name, tool_input, tool_use_id, tool_output, error_message } = parsed.data;
      const call = hookCall({ id: tool_use_id, tool: tool_name, input: tool_input, cwd });
      if (name === 'preToolUse') return { type: 'tool_started', call };
      const failed = name === 'postToolUseFailure';
      return {
        type: 'tool_ended',
        call,
        status: failed ? 'failed' : 'completed',
        output: failed ? error_message : typeof tool_output === 'string' ? tool_output : null,
      };
    }
    case 'stop': {
      const { status = null, error_message = null } = stop.safeParse(body).data ?? {};
      return {
        type: 'stopped',
        outcome: status === 'aborted' ? 'cancelled' : status === 'error' ? 'failed' : 'completed',
        reason: status ?? 'completed',
        error: status === 'error' ? error_message : null,
        answer: null,
        background: 'none',
      };
    }
    case 'sessionEnd':
      return { type: 'session_ended', reason: 'ended' };
    default:
      return null;
  }
}
