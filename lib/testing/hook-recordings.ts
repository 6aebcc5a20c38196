/** Hook requests that real agents sent, one by one, as they were recorded. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { IntakeAgent } from '@/lib/domain/hooks';
import type { HookRequest } from '@/lib/runs/hook-event';

export const RECORDINGS = {
  'claude-full': 'claude',
  'claude-sub': 'claude',
  'codex-full': 'codex',
  'gemini-full': 'gemini',
  'qwen-full': 'qwen',
  'qwen24-full': 'qwen',
  'opencode-acp': 'opencode',
  'opencode-full': 'opencode',
  'cline-full': 'cline',
} as const satisfies Record<string, IntakeAgent>;
export type Recording = keyof typeof RECORDINGS;

/** The requests of a recording; `/workspace`, the folder they were recorded in, becomes `workspace`. */
export function recordedRequests(recording: Recording, workspace = '/workspace'): HookRequest[] {
  const file = fileURLToPath(new URL(`../runs/fixtures/hooks/${recording}.jsonl`, import.meta.url));
  return readFileSync(file, 'utf8')
    .replaceAll('/workspace', workspace)
    .trim()
    .split('\n')
    .map((line) => {
      const { url, body } = JSON.parse(line) as { url: string; body: unknown };
      const { searchParams } = new URL(url, 'http://recorded');
      return { event: RECORDINGS[recording] === 'opencode' ? searchParams.get('event') : null, directory: null, body };
    });
}
