/** Where each agent keeps its hooks, which events Tidemark asks for, and what one entry looks like. */
import { join } from 'node:path';
import type { HookAgent } from '@/lib/domain/hooks';
import type { Json } from './json-insertion';

export type Scope = 'user' | 'project';

/** What decides where settings are. */
export interface Place {
  env: NodeJS.ProcessEnv;
  home: string;
  /** The folder that `--project` means. */
  folder: string;
}

/** Agents whose hooks are a list of commands in a JSON file. */
export type JsonAgent = Exclude<HookAgent, 'opencode'>;

/** The file that holds an agent's hooks. */
export function settingsPath(agent: HookAgent, scope: Scope, { env, home, folder }: Place): string {
  const inProject = scope === 'project';
  switch (agent) {
    case 'claude':
      // The personal file of a project: what we add names a folder of this computer, which is nobody else's business.
      return inProject
        ? join(folder, '.claude', 'settings.local.json')
        : join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json');
    case 'codex':
      return join(inProject ? join(folder, '.codex') : env.CODEX_HOME || join(home, '.codex'), 'hooks.json');
    case 'gemini':
      return join(inProject ? folder : env.GEMINI_CLI_HOME || home, '.gemini', 'settings.json');
    case 'qwen':
      return join(inProject ? folder : home, '.qwen', 'settings.json');
    case 'opencode': {
      const own = env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
      return join(inProject ? join(folder, '.opencode') : own, 'plugins', 'tidemark.js');
    }
  }
}

interface WantedEvent {
  event: string;
  /** Which tools it is wanted for, where the agent asks. */
  matcher?: string;
}

const CLAUDE_TOOL_EVENTS: WantedEvent[] = [{ event: 'PreToolUse' }, { event: 'PostToolUse' }];

/** The events of AGENT-FACTS §3 that the runs are made of. */
const WANTED: Record<JsonAgent, WantedEvent[]> = {
  claude: [
    { event: 'SessionStart' },
    { event: 'UserPromptSubmit' },
    ...CLAUDE_TOOL_EVENTS,
    { event: 'PostToolUseFailure' },
    { event: 'Stop' },
    { event: 'StopFailure' },
    { event: 'SessionEnd' },
  ],
  codex: [
    { event: 'SessionStart' },
    { event: 'UserPromptSubmit' },
    ...CLAUDE_TOOL_EVENTS,
    { event: 'Stop' },
    { event: 'SessionEnd' },
  ],
  gemini: [
    { event: 'SessionStart' },
    { event: 'BeforeAgent' },
    { event: 'BeforeTool', matcher: '*' },
    { event: 'AfterTool', matcher: '*' },
    { event: 'AfterAgent' },
    { event: 'SessionEnd' },
  ],
  qwen: [
    { event: 'SessionStart' },
    { event: 'UserPromptSubmit' },
    { event: 'PreToolUse', matcher: '*' },
    { event: 'PostToolUse', matcher: '*' },
    { event: 'PostToolUseFailure', matcher: '*' },
    { event: 'Stop' },
    { event: 'SessionEnd' },
  ],
};

/** Seconds an agent grants the script, which itself takes two at most. */
const TIMEOUT_SECONDS = 5;

/** What Tidemark adds under `hooks`, event by event. */
export function wantedEntries(agent: JsonAgent, command: string): { event: string; entry: Json }[] {
  return WANTED[agent].map(({ event, matcher }) => ({
    event,
    entry: { ...(matcher !== undefined && { matcher }), hooks: [handler(agent, command)] },
  }));
}

function handler(agent: JsonAgent, command: string): Json {
  switch (agent) {
    case 'claude':
    case 'codex':
      return { type: 'command', command, timeout: TIMEOUT_SECONDS };
    case 'gemini':
    case 'qwen':
      // Milliseconds there.
      return { type: 'command', name: 'tidemark', command, timeout: TIMEOUT_SECONDS * 1000 };
  }
}

/** Every event whose list may hold an entry of ours, of this release or an earlier one. */
export function isOurEntry(entry: Json, command: string): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry) || !Array.isArray(entry.hooks)) return false;
  // An entry that somebody put another hook into is theirs as well; only our own hook in it is ours.
  return entry.hooks.length === 1 && isOurHandler(entry.hooks[0] ?? null, command);
}

export function isOurHandler(handlerValue: Json, command: string): boolean {
  return (
    typeof handlerValue === 'object' &&
    handlerValue !== null &&
    !Array.isArray(handlerValue) &&
    handlerValue.command === command
  );
}

/** What a user must know after the hooks are in place. */
export function adviceAfterInstall(agent: HookAgent, scope: Scope): string[] {
  const advice: string[] = [];
  if (agent === 'codex') {
    advice.push('Codex runs no hook that you have not trusted: start it, type /hooks, and trust the ones of Tidemark.');
  }
  if (agent === 'opencode') {
    advice.push('At its next start opencode installs what plugins need, which takes it up to a minute, once.');
  }
  if (agent === 'gemini' && scope === 'project') {
    advice.push('Gemini CLI runs the hooks of a project only in a folder that it trusts.');
  }
  if (scope === 'project' && agent !== 'claude') {
    advice.push(
      'The file names a folder of this computer; on another one the hooks do nothing. Keep it out of commits.',
    );
  }
  advice.push('Sessions that are open now do not know the hooks yet; start them again.');
  return advice;
}
