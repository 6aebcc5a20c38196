/** Reads the hook payloads of Cline 3, as recorded; its hooks are files that a user puts into place. */
import { z } from 'zod';
import { hookCall } from './hook-call';
import type { HookEvent, HookEventBody } from './hook-event';

const text = z.string();
const optional = text.nullish().transform((value) => value ?? null);

const base = z.object({
  hookName: text,
  taskId: text.min(1).max(512),
  timestamp: optional,
  sessionContext: z.object({ rootSessionId: optional }).nullish(),
  workspaceRoots: z.array(text).catch([]),
  parent_agent_id: optional,
});
const call = z.object({ id: optional, name: text.min(1), input: z.unknown().optional() });
const toolCall = z.object({ tool_call: call });
const result = z.object({ query: z.unknown().optional(), result: optional, success: z.boolean().nullish() });
const toolResult = z.object({ tool_result: call.extend({ output: z.unknown().optional(), error: optional }) });
const promptBody = z.object({ userPromptSubmit: z.object({ prompt: text }) });
const ending = z.object({ turn: z.object({ outputText: optional, status: optional }).nullish() });

export function readClineEvent(body: unknown): HookEvent | null {
  const parsed = base.safeParse(body);
  if (!parsed.success) return null;
  const { hookName, taskId, timestamp, sessionContext, workspaceRoots, parent_agent_id } = parsed.data;
  const cwd = workspaceRoots.find((root) => root.startsWith('/')) ?? null;
  const read = readBody(hookName, body, cwd);
  if (!read) return null;
  const id = read.type === 'tool_started' || read.type === 'tool_ended' ? read.call.id : null;
  return {
    session: sessionContext?.rootSessionId ?? taskId,
    cwd,
    // One task may hold several prompts.
    turn: null,
    subagent: parent_agent_id,
    identity: id !== null ? `${read.type} ${id}` : timestamp && `${hookName} ${timestamp}`,
    ...read,
  };
}

function readBody(hookName: string, body: unknown, cwd: string | null): HookEventBody | null {
  switch (hookName) {
    case 'agent_start':
      // The task begins before its text is told, where it is told at all.
      return { type: 'prompt', text: '', synthetic: false, mayBeEmpty: true };
    case 'prompt_submit':
    case 'user_prompt_submit': {
      const parsed = promptBody.safeParse(body);
      return parsed.success
        ? { type: 'prompt', text: parsed.data.userPromptSubmit.prompt, synthetic: false, mayBeEmpty: false }
        : null;
    }
    case 'tool_call': {
      const parsed = toolCall.safeParse(body);
      if (!parsed.success) return null;
      const { id, name, input } = parsed.data.tool_call;
      return { type: 'tool_started', call: hookCall({ id, tool: name, input, cwd }) };
    }
    case 'tool_result': {
      const parsed = toolResult.safeParse(body);
      if (!parsed.success) return null;
      const { id, name, input, output, error } = parsed.data.tool_result;
      const results = z.array(result).safeParse(output).data ?? [];
      const failed = error !== null || results.some(({ success }) => success === false);
      return {
        type: 'tool_ended',
        call: hookCall({ id, tool: name, input, cwd }),
        status: failed ? 'failed' : 'completed',
        output: name === 'run_commands' ? results.map((item) => item.result ?? '').join('\n') : error,
      };
    }
    case 'agent_end':
    case 'agent_abort': {
      const { turn } = ending.safeParse(body).data ?? {};
      const cancelled = hookName === 'agent_abort' || turn?.status === 'aborted' || turn?.status === 'cancelled';
      return {
        type: 'stopped',
        outcome: cancelled
          ? 'cancelled'
          : turn?.status === 'error' || turn?.status === 'failed'
            ? 'failed'
            : 'completed',
        reason: turn?.status ?? 'end_turn',
        error: null,
        answer: turn?.outputText ?? null,
        background: 'none',
      };
    }
    default:
      return null;
  }
}
