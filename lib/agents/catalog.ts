/** The agents that this server may start: the shell, the ones we know, and those of the user's own file. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DEFAULT_LIMITS } from '@/lib/domain/limits';
import { SettingsError } from '@/lib/domain/settings';
import { createAcpAgent } from './acp-agent';
import { type AcpAgentEntry, type AcpSettings, DEFAULT_PATIENCE } from './acp-settings';
import type { Agent } from './agent';
import { agentEnvironment } from './agent-environment';
import { createShellAgent } from './shell-agent';

/** An agent we know: how it is started in ACP mode, how a person gets it, and under what terms. */
export interface KnownAgent extends AcpAgentEntry {
  /** Its terms, as its package says them. */
  licence: string;
  /** Tested with this version. */
  version: string;
}

const known = (agent: Omit<KnownAgent, 'env' | 'fs'>): KnownAgent => ({ ...agent, env: {}, fs: false });

/** Nothing here is ever downloaded by us; `install` is what a person types. Versions and terms: AGENT-FACTS §1. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  known({
    id: 'claude',
    name: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    install: 'Type: npm install -g @agentclientprotocol/claude-agent-acp',
    licence: 'Apache-2.0; the Claude Agent SDK inside under Anthropic’s commercial terms',
    version: '0.49.0',
  }),
  known({
    id: 'codex',
    name: 'Codex',
    command: 'codex-acp',
    args: [],
    install: 'Type: npm install -g @agentclientprotocol/codex-acp',
    licence: 'Apache-2.0',
    version: '2.6.0',
  }),
  known({
    id: 'gemini',
    name: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    install: 'Type: npm install -g @google/gemini-cli',
    licence: 'Apache-2.0',
    version: '0.61.0',
  }),
  known({
    id: 'qwen',
    name: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    install: 'Type: npm install -g @qwen-code/qwen-code',
    licence: 'Apache-2.0',
    version: '0.15.10',
  }),
  known({
    id: 'opencode',
    name: 'opencode',
    command: 'opencode',
    args: ['acp'],
    install: 'Type: npm install -g opencode-ai',
    licence: 'MIT',
    version: '1.18.33',
  }),
];

/** What the file of `TIDEMARK_AGENTS` holds. An entry with the id of a known agent takes its place. */
export const agentsFileSchema = z.strictObject({
  agents: z
    .array(
      z.strictObject({
        id: z
          .string()
          .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -')
          .refine((id) => id !== 'shell', 'must not be shell, which is built in'),
        name: z.string().trim().min(1).max(100),
        command: z.string().min(1).max(4096),
        args: z.array(z.string().max(4096)).max(100).default([]),
        env: z.record(z.string().regex(/^[^=\0]+$/, 'is no name of a variable'), z.string()).default({}),
        /** Offer to read and write its files; only where it is confined to that. */
        fs: z.boolean().default(false),
      }),
    )
    .max(100),
});

export interface CatalogOptions {
  /** Absolute path of the user's file, or null. */
  file: string | null;
  /** Bytes of one command's output that are kept. */
  outputBytes: number;
  /** The environment of this server; agents get it without what is ours. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Bytes of one file that an agent may read or write through us. */
  fileBytes?: number;
  /** Our version, told to agents. */
  version?: string;
}

/** All agents, the shell first. Throws a `SettingsError` that names what is wrong with the user's file. */
export function agentCatalog(options: CatalogOptions): Agent[] {
  const { file, outputBytes, environment, fileBytes = DEFAULT_LIMITS.fileBytes, version = '0' } = options;
  const env = agentEnvironment(environment);
  const settings: AcpSettings = { env, version, fileBytes, patience: DEFAULT_PATIENCE };
  const own = file === null ? [] : readAgentsFile(file);
  const ownIds = new Set(own.map((entry) => entry.id));
  const entries = [...KNOWN_AGENTS.filter((entry) => !ownIds.has(entry.id)), ...own];
  return [createShellAgent({ env, outputBytes }), ...entries.map((entry) => createAcpAgent(entry, settings))];
}

function readAgentsFile(file: string): AcpAgentEntry[] {
  const wrong = (what: string) => new SettingsError(`TIDEMARK_AGENTS names ${file}, ${what}`);
  let text: string;
  try {
    // Once, at the start of the server.
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw wrong(`which is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const parsed = agentsFileSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw wrong(`where ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
  }
  const ids = parsed.data.agents.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw wrong(`where the id ${twice} stands twice`);
  return parsed.data.agents.map((agent) => ({
    ...agent,
    install: `It is named in ${file}; install it or correct its command there.`,
  }));
}
