/** Reads the hook payloads of Claude Code, and of Codex, Gemini CLI and Qwen Code, whose payloads took its form. */
import { z } from 'zod';
import { hookCall } from './hook-call';
import type { Background, HookCall, HookEvent, HookEventBody } from './hook-event';

type Family = 'claude' | 'codex' | 'gemini' | 'qwen';

const text = z.string();
const optional = text.nullish().transform((value) => value ?? null);

const base = z.object({
  session_id: text.min(1).max(512),
  cwd: optional,
  hook_event_name: text,
  /** Claude Code and Qwen Code 0.24 call the prompt's id so, Codex calls it a turn. */
  prompt_id: optional,
  turn_id: optional,
  agent_id: optional,
  timestamp: optional,
  transcript_path: z.string().nullish(),
});

const tool = z.object({
  tool_name: text.min(1),
  tool_input: z.unknown().optional(),
  tool_use_id: optional,
  tool_response: z.unknown().optional(),
  error: optional,
});

const prompt = z.object({ prompt: text });

const task = z.object({ type: optional, status: optional });
const stop = z.object({
  last_assistant_message: optional,
  prompt_response: optional,
  background_tasks: z.array(task).nullish().catch(null),
  error: z.unknown().optional(),
  error_details: optional,
});

const end = z.object({ reason: optional });

/** The events that matter, in each agent's own words. */
const MEANING: {
  [name: string]:
    | 'start'
    | 'prompt'
    | 'tool'
    | 'tool_end'
    | 'tool_failure'
    | 'stop'
    | 'stop_failure'
    | 'interrupt'
    | 'end';
} = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  BeforeAgent: 'prompt',
  PreToolUse: 'tool',
  BeforeTool: 'tool',
  PostToolUse: 'tool_end',
  AfterTool: 'tool_end',
  PostToolUseFailure: 'tool_failure',
  Stop: 'stop',
  AfterAgent: 'stop',
  StopFailure: 'stop_failure',
  Interrupt: 'interrupt',
  SessionEnd: 'end',
};

export function readClaudeEvent(family: Family, body: unknown): HookEvent | null {
  const parsed = base.safeParse(body);
  if (!parsed.success) return null;
  const { session_id, cwd, hook_event_name, prompt_id, turn_id, agent_id, timestamp, transcript_path } = parsed.data;
  // Codex also runs conversations of its own, such as one that thinks of a title: they have no transcript.
  if (family === 'codex' && transcript_path === null) return null;
  const meaning = Object.hasOwn(MEANING, hook_event_name) ? MEANING[hook_event_name] : undefined;
  const read = meaning && readBody(meaning, body, cwd);
  if (!read) return null;
  const call = read.type === 'tool_started' || read.type === 'tool_ended' ? read.call : null;
  return {
    session: session_id,
    cwd: cwd?.startsWith('/') ? cwd : null,
    turn: prompt_id ?? turn_id,
    subagent: agent_id,
    identity: identityOf(read.type, call, timestamp),
    ...read,
  };
}

/** Without an id the moment tells two calls apart, and of two in one moment their inputs. */
function identityOf(type: string, call: HookCall | null, timestamp: string | null): string | null {
  if (call?.id) return `${type} ${call.id}`;
  return timestamp === null ? null : `${type} ${timestamp} ${call?.inputDigest ?? ''}`;
}

function readBody(meaning: (typeof MEANING)[string], body: unknown, cwd: string | null): HookEventBody | null {
  switch (meaning) {
    case 'start':
      return { type: 'session_started', parent: null };
    case 'prompt': {
      const parsed = prompt.safeParse(body);
      if (!parsed.success) return null;
      const synthetic = parsed.data.prompt.trimStart().startsWith('<task-notification>');
      return {
        type: 'prompt',
        text: synthetic ? notice(parsed.data.prompt) : parsed.data.prompt,
        synthetic,
        mayBeEmpty: false,
      };
    }
    case 'tool':
    case 'tool_end':
    case 'tool_failure': {
      const parsed = tool.safeParse(body);
      if (!parsed.success) return null;
      const { tool_name, tool_input, tool_use_id, tool_response, error } = parsed.data;
      const call = hookCall({ id: tool_use_id, tool: tool_name, input: tool_input, cwd });
      if (meaning === 'tool') return { type: 'tool_started', call };
      if (meaning === 'tool_failure') return { type: 'tool_ended', call, status: 'failed', output: error };
      return { type: 'tool_ended', call, ...outcomeOf(tool_response) };
    }
    case 'stop':
    case 'stop_failure': {
      const parsed = stop.safeParse(body);
      const { last_assistant_message = null, prompt_response = null, background_tasks = null } = parsed.data ?? {};
      const failed = meaning === 'stop_failure';
      return {
        type: 'stopped',
        outcome: failed ? 'failed' : 'completed',
        reason: failed ? 'error' : 'end_turn',
        error: failed ? errorText(parsed.data) : null,
        answer: last_assistant_message ?? prompt_response,
        background: failed ? 'none' : backgroundOf(background_tasks ?? []),
      };
    }
    case 'interrupt':
      return {
        type: 'stopped',
        outcome: 'cancelled',
        reason: 'interrupted',
        error: null,
        answer: null,
        background: 'none',
      };
    case 'end':
      return { type: 'session_ended', reason: end.safeParse(body).data?.reason ?? 'unknown' };
  }
}

/** What a person would call the notification that a background task ended. */
function notice(prompt: string): string {
  const summary = /<summary>([\s\S]*?)<\/summary>/.exec(prompt)?.[1]?.trim();
  return summary ? `Background task: ${summary}` : 'A background task ended';
}

function backgroundOf(tasks: z.output<typeof task>[]): Background {
  const running = tasks.filter(({ status }) => status === 'running' || status === 'pending');
  if (running.length === 0) return 'none';
  return running.some(({ type }) => type === null || /agent|workflow|teammate/i.test(type)) ? 'subagent' : 'other';
}

function errorText(data: z.output<typeof stop> | undefined): string | null {
  const error = data?.error;
  if (typeof error === 'string') return data?.error_details ? `${error}: ${data.error_details}` : error;
  const message = z.object({ message: text }).safeParse(error);
  return message.success ? message.data.message : null;
}

/** Claude Code's answer of a shell. */
const shellAnswer = z.object({ stdout: text, stderr: optional, interrupted: z.boolean().nullish() });
/** Gemini CLI's and Qwen Code's answer of any tool. */
const plainAnswer = z.object({
  llmContent: z.unknown().optional(),
  returnDisplay: z.unknown().optional(),
  error: z.unknown().optional(),
});
/** How Gemini CLI and Qwen Code tell a command's exit code: as text alone. */
const EXIT_CODE = /^Exit Code: (\d+)$/m;

/**
 * How a call ended and what it printed. What a tool read from a file or wrote into one is not repeated: the record of
 * the run has it.
 */
function outcomeOf(response: unknown): { status: 'completed' | 'failed'; output: string | null } {
  if (typeof response === 'string') return { status: 'completed', output: response };
  const shell = shellAnswer.safeParse(response);
  if (shell.success) {
    const { stdout, stderr } = shell.data;
    return { status: 'completed', output: [stdout, stderr].filter(Boolean).join('\n') };
  }
  const plain = plainAnswer.safeParse(response);
  if (!plain.success) return { status: 'completed', output: null };
  const { llmContent, returnDisplay, error } = plain.data;
  const exit = typeof llmContent === 'string' ? Number(EXIT_CODE.exec(llmContent)?.[1] ?? 0) : 0;
  const failed = exit !== 0 || (error !== undefined && error !== null);
  return {
    status: failed ? 'failed' : 'completed',
    output: typeof returnDisplay === 'string' && returnDisplay !== '' ? returnDisplay : null,
  };
}
