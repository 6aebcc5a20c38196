/** Reads what an agent says of its usage, from the four places where agents say it. */
import type { AgentUsage } from '@/lib/domain/conversation';
import { isRecord } from './acp-content';

/** What of the context is taken, and what it cost: `usage_update`. */
export function contextUsage(raw: { [key: string]: unknown }): Partial<AgentUsage> {
  const cost = isRecord(raw.cost) ? raw.cost : {};
  return {
    ...(typeof raw.used === 'number' ? { used: raw.used } : {}),
    ...(typeof raw.size === 'number' ? { size: raw.size } : {}),
    ...(typeof cost.amount === 'number' && typeof cost.currency === 'string'
      ? { cost: { amount: cost.amount, currency: cost.currency } }
      : {}),
  };
}

/** Qwen tells its usage in the `_meta` of an empty chunk. */
export function usageInMeta(meta: unknown): { usage?: Partial<AgentUsage> } {
  return isRecord(meta) && isRecord(meta.usage) ? { usage: tokenUsage(meta.usage) } : {};
}

/** Tokens of a prompt, from the answer to it: `usage`, or Gemini's `_meta.quota`. */
export function usageOfAnswer(answer: unknown): Partial<AgentUsage> {
  if (!isRecord(answer)) return {};
  if (isRecord(answer.usage)) return tokenUsage(answer.usage);
  const quota = isRecord(answer._meta) ? answer._meta.quota : undefined;
  const count = isRecord(quota) ? quota.token_count : undefined;
  return isRecord(count) ? tokenUsage({ inputTokens: count.input_tokens, outputTokens: count.output_tokens }) : {};
}

function tokenUsage(usage: { [key: string]: unknown }): Partial<AgentUsage> {
  return {
    ...(typeof usage.inputTokens === 'number' ? { inputTokens: usage.inputTokens } : {}),
    ...(typeof usage.outputTokens === 'number' ? { outputTokens: usage.outputTokens } : {}),
  };
}
