/** Reads what terminal agents post: checked with zod, only what is needed, one vocabulary out (AGENT-FACTS §3). */
import type { IntakeAgent } from '@/lib/domain/hooks';
import type { HookEvent, HookRequest } from './hook-event';
import { readClaudeEvent } from './hook-payload-claude';
import { readClineEvent } from './hook-payload-cline';
import { readCursorEvent } from './hook-payload-cursor';
import { readOpencodeEvent } from './hook-payload-opencode';

/** What a request means; null where it is nothing that a run is made of. Never throws: an agent must not feel it. */
export function readHookEvent(agent: IntakeAgent, request: HookRequest): HookEvent | null {
  try {
    return readEvent(agent, request);
  } catch {
    // A payload so deep that it cannot be walked is none of an agent.
    return null;
  }
}

function readEvent(agent: IntakeAgent, request: HookRequest): HookEvent | null {
  switch (agent) {
    case 'claude':
    case 'codex':
    case 'gemini':
    case 'qwen':
      return readClaudeEvent(agent, request.body);
    case 'opencode':
      return readOpencodeEvent(request);
    case 'cline':
      return readClineEvent(request.body);
    case 'cursor':
      return readCursorEvent(request.body);
  }
}
