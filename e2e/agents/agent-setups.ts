/** How each real agent is installed, pointed at the scripted model, and started: nothing of the person who runs this is read or changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface AgentSetup {
  id: string;
  name: string;
  /** As npm names it; the version is pinned, since npm on an older Node quietly picks an older release. */
  package: string;
  version: string;
  licence: string;
  /** Its program in `node_modules/.bin`. */
  bin: string;
  args: string[];
  /** Whether it is run only with `--all`: large, or under terms of its own. */
  onlyWithAll: boolean;
  /** Writes what it reads at its start and says what it needs in its environment. */
  prepare(places: { home: string; modelUrl: string }): Record<string, string>;
  /** What it does otherwise than the others, as the table tells it. */
  notes: string[];
  /** Whether the failing command's exit code is told. */
  tellsExitCode: boolean;
  /** Whether it resumes an earlier conversation after a restart; null where it sometimes loses its own. */
  resumes: boolean | null;
  /** Whether it runs a command of a minute, so that it can be stopped in it. */
  runsLongCommands: boolean;
}

function writeJson(folder: string, name: string, content: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(content));
}

export const SETUPS: readonly AgentSetup[] = [
  {
    id: 'opencode',
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    licence: 'MIT',
    bin: 'opencode',
    args: ['acp'],
    onlyWithAll: false,
    prepare({ home, modelUrl }) {
      writeJson(home, 'opencode.json', {
        model: 'scripted/fake-model',
        permission: { edit: 'ask', bash: 'ask' },
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
            models: { 'fake-model': { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 4_000 } } },
          },
        },
      });
      return { OPENCODE_CONFIG: join(home, 'opencode.json') };
    },
    notes: ['`write` tells no diff', 'a failed command is `completed`; its exit code is in the metadata'],
    tellsExitCode: true,
    resumes: true,
    runsLongCommands: true,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    licence: 'Apache-2.0',
    bin: 'gemini',
    args: ['--acp', '-m', 'gemini-2.5-flash'],
    onlyWithAll: false,
    prepare({ home, modelUrl }) {
      writeJson(join(home, '.gemini'), 'settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } });
      return { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    },
    notes: [
      'calls are first seen by their permission',
      'tells no exit codes, and calls a command completed that Stop ended: Tidemark calls it cancelled',
      'this version sometimes cannot load its own session ("No previous sessions found for this project"): the answer then begins with saying so',
    ],
    tellsExitCode: false,
    resumes: null,
    runsLongCommands: true,
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    version: '0.15.10',
    licence: 'Apache-2.0',
    bin: 'qwen',
    args: ['--acp'],
    onlyWithAll: false,
    prepare({ home, modelUrl }) {
      writeJson(join(home, '.qwen'), 'settings.json', { security: { auth: { selectedType: 'openai' } } });
      return { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'fake-model' };
    },
    notes: [
      'its last word on an edit names the file by its base name',
      'offers `session/resume` and does not know it; `session/load` works',
      'refuses commands that only sleep',
    ],
    tellsExitCode: true,
    resumes: true,
    runsLongCommands: false,
  },
  {
    id: 'claude',
    name: 'Claude Code',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.49.0',
    licence: 'Apache-2.0; the Claude Agent SDK inside under Anthropic’s commercial terms',
    bin: 'claude-agent-acp',
    args: [],
    onlyWithAll: true,
    prepare({ modelUrl }) {
      return {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // Without it the program inside refuses to start for root.
        ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
      };
    },
    notes: ['search strings first, a hunk of seven lines afterwards'],
    tellsExitCode: true,
    resumes: true,
    runsLongCommands: true,
  },
  {
    id: 'codex',
    name: 'Codex',
    package: '@agentclientprotocol/codex-acp',
    version: '2.6.0',
    licence: 'Apache-2.0',
    bin: 'codex-acp',
    args: [],
    onlyWithAll: true,
    prepare({ home, modelUrl }) {
      const codex = join(home, '.codex');
      mkdirSync(codex, { recursive: true });
      writeFileSync(
        join(codex, 'config.toml'),
        [
          'model = "gpt-5.5"',
          'model_provider = "scripted"',
          'approval_policy = "never"',
          'sandbox_mode = "danger-full-access"',
          '[model_providers.scripted]',
          'name = "Scripted"',
          `base_url = "${modelUrl}/v1"`,
          'wire_api = "responses"',
          'env_key = "SCRIPTED_KEY"',
          '',
        ].join('\n'),
      );
      return { CODEX_HOME: codex, SCRIPTED_KEY: 'none' };
    },
    notes: [
      'no locations; terminals that no client made; exit codes in `_meta`',
      'says that it was cancelled and lets its command run on: Tidemark ends the command',
    ],
    tellsExitCode: true,
    resumes: true,
    runsLongCommands: true,
  },
];
