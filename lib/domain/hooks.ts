/** The terminal agents whose hook events Tidemark understands. */

/** Agents whose hooks `tidemark hooks install` knows how to install. */
export const HOOK_AGENTS = ['claude', 'codex', 'gemini', 'qwen', 'opencode'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** Agents whose events the intake takes; beyond the above, installed by hand. */
export const INTAKE_AGENTS = [...HOOK_AGENTS, 'cline', 'cursor'] as const;
export type IntakeAgent = (typeof INTAKE_AGENTS)[number];

export const HOOK_AGENT_NAMES: Record<IntakeAgent, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  opencode: 'opencode',
  cline: 'Cline',
  cursor: 'Cursor',
};

export function isHookAgent(name: string): name is HookAgent {
  return (HOOK_AGENTS as readonly string[]).includes(name);
}

export function isIntakeAgent(name: string): name is IntakeAgent {
  return (INTAKE_AGENTS as readonly string[]).includes(name);
}

/** What the server knows of the hooks of one agent (`GET /api/hooks`). */
export interface HookIntakeState {
  agent: IntakeAgent;
  /** Events taken since the server started. */
  events: number;
  /** When the last one came, ms; null where none did. */
  lastEventAt: number | null;
  /** Why the last prompt was not recorded, in a sentence; null where it was. */
  problem: string | null;
}
