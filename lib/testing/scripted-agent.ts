/** The scripted agent, a real ACP process, as an agent of the house. */
import { fileURLToPath } from 'node:url';
import { createAcpAgent } from '@/lib/agents/acp-agent';
import { DEFAULT_PATIENCE, type Patience } from '@/lib/agents/acp-settings';
import type { Agent } from '@/lib/agents/agent';

const SCRIPTED = fileURLToPath(new URL('../../e2e/support/scripted-agent.mjs', import.meta.url));

export interface ScriptedAgentOptions {
  /** Where it keeps its conversations. */
  home: string;
  /** Its start-up faults. */
  args?: string[];
  /** Another program in its place. */
  command?: string | undefined;
  env?: Record<string, string>;
  fs?: boolean;
  patience?: Partial<Patience>;
}

export function scriptedAgent({
  home,
  args = [],
  command,
  env = {},
  fs = false,
  patience = {},
}: ScriptedAgentOptions): Agent {
  return createAcpAgent(
    {
      id: 'scripted',
      name: 'Scripted',
      command: command ?? process.execPath,
      args: command === undefined ? [SCRIPTED, ...args] : args,
      env: { SCRIPTED_AGENT_HOME: home, ...env },
      fs,
      install: 'Type: nothing',
    },
    {
      env: { PATH: process.env.PATH, HOME: home },
      version: '0',
      fileBytes: 100_000,
      patience: { ...DEFAULT_PATIENCE, ...patience },
    },
  );
}
