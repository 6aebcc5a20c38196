/** How each real agent is started in a terminal, without a person: its program, and the words that give it one prompt. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookAgent } from '@/lib/domain/hooks';
import { type AgentSetup, SETUPS } from './agent-setups';

export interface HookedSetup {
  /** As `tidemark hooks` knows it. */
  agent: HookAgent;
  /** What is installed: the terminal program, which for some is another package than the one that speaks ACP. */
  setup: Pick<AgentSetup, 'id' | 'name' | 'package' | 'version' | 'bin' | 'prepare'>;
  /** The words after the program. */
  args(prompt: string): string[];
  env: Record<string, string>;
  onlyWithAll: boolean;
  notes: string[];
}

function setupOf(id: string): AgentSetup {
  const setup = SETUPS.find((candidate) => candidate.id === id);
  if (!setup) throw new Error(`There is no setup ${id}`);
  return setup;
}

export const HOOKED: readonly HookedSetup[] = [
  {
    agent: 'codex',
    setup: { ...setupOf('codex'), package: '@openai/codex', version: '0.171.0', bin: 'codex' },
    // A person trusts the hooks once, by /hooks; here nobody can.
    args: (prompt) => ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', prompt],
    env: {},
    onlyWithAll: false,
    notes: ['runs no hook before it is trusted: type `/hooks` in Codex once, and again after an update of the hooks'],
  },
  {
    agent: 'gemini',
    setup: setupOf('gemini'),
    args: (prompt) => ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt],
    env: {},
    onlyWithAll: false,
    notes: [
      'gives calls no id: their ends are found by tool and input',
      'hooks of a project run in a trusted folder only',
    ],
  },
  {
    agent: 'qwen',
    setup: setupOf('qwen'),
    args: (prompt) => ['--approval-mode', 'yolo', '-p', prompt],
    env: {},
    onlyWithAll: false,
    notes: ['tells an empty prompt after each call, which is no run'],
  },
  {
    agent: 'opencode',
    setup: {
      ...setupOf('opencode'),
      prepare(places) {
        const env = setupOf('opencode').prepare(places);
        const file = join(places.home, 'opencode.json');
        const config = JSON.parse(readFileSync(file, 'utf8'));
        mkdirSync(places.home, { recursive: true });
        writeFileSync(file, JSON.stringify({ ...config, permission: { edit: 'allow', bash: 'allow' } }));
        return env;
      },
    },
    args: (prompt) => ['run', prompt],
    env: {},
    onlyWithAll: false,
    notes: ['has a plugin instead of hook commands; at its next start it installs what plugins need, once'],
  },
  {
    agent: 'claude',
    setup: { ...setupOf('claude'), package: '@anthropic-ai/claude-code', version: '2.1.197', bin: 'claude' },
    args: (prompt) => ['-p', prompt, '--permission-mode', 'bypassPermissions'],
    env: {},
    onlyWithAll: true,
    notes: ['a run goes on while a subagent works in the background'],
  },
];
