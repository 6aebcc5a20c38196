/** Every setting of the product, parsed once from the environment; a wrong one is named and stops the start. */
import { z } from 'zod';
import { dataDirOf, type Surroundings } from './data-folder';
import { DEFAULT_LIMITS, type Limits } from './limits';

export interface Settings {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Absolute path. */
  dataDir: string;
  /** Null: generated and kept in the data folder. */
  token: string | null;
  /** Host header values that are accepted beside our own address. */
  allowedHosts: string[];
  /** Used in share links; null: links open on this computer only. */
  publicUrl: string | null;
  /** Absolute folders that workspaces must lie in; empty: anywhere the user can read. */
  workspaceRoots: string[];
  includeDirs: string[];
  privatePaths: string[];
  namesOnly: boolean;
  /** Absolute path of a JSON file with more agents, or null. */
  agentsFile: string | null;
  /** Offer our MCP server to agents that speak ACP. */
  agentMcp: boolean;
  /** Tell an agent before its next prompt, in one line, what changed outside runs. */
  agentDriftNote: boolean;
  limits: Limits;
}

/** What a setting is called, per limit: `scanFiles` is `TIDEMARK_LIMIT_SCAN_FILES`. */
export function limitVariable(limit: keyof Limits): string {
  return `TIDEMARK_LIMIT_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** A wrong setting; the message names the variable and says what it must be. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

const absolutePath = z.string().startsWith('/', 'must be an absolute path');
const listOf = (separator: RegExp) =>
  z.string().transform((text) =>
    text
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
const flag = z
  .enum(['', '0', '1', 'false', 'true', 'no', 'yes'], { error: 'must be 1 or 0' })
  .transform((value) => ['1', 'true', 'yes'].includes(value));
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

/** Parses the environment. Throws `SettingsError` naming the first variable that is wrong. */
export function parseSettings(surroundings: Surroundings): Settings {
  const { env } = surroundings;
  const read = <Output>(name: string, schema: z.ZodType<Output>, fallback: Output): Output => {
    const value = env[name];
    if (value === undefined || value === '') return fallback;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new SettingsError(
      `${name} ${parsed.error.issues[0]?.message ?? 'is not valid'} (it is ${JSON.stringify(value)})`,
    );
  };

  const limits: Limits = { ...DEFAULT_LIMITS };
  for (const key of Object.keys(limits) as (keyof Limits)[]) {
    limits[key] = read(limitVariable(key), wholeNumber(1, Number.MAX_SAFE_INTEGER), limits[key]);
  }
  const known = new Set(Object.keys(limits).map((key) => limitVariable(key as keyof Limits)));
  const unknown = Object.keys(env).find((name) => name.startsWith('TIDEMARK_LIMIT_') && !known.has(name));
  if (unknown) throw new SettingsError(`${unknown} is no setting of Tidemark; the README lists them`);

  return {
    host: read('TIDEMARK_HOST', z.string(), '127.0.0.1'),
    port: read('TIDEMARK_PORT', wholeNumber(0, 65_535), 4777),
    dataDir: read('TIDEMARK_DATA_DIR', absolutePath, dataDirOf(surroundings)),
    token: read('TIDEMARK_TOKEN', z.string().min(16, 'must have at least 16 characters'), null),
    allowedHosts: read('TIDEMARK_ALLOWED_HOSTS', listOf(/[\s,]+/), []),
    publicUrl: read(
      'TIDEMARK_PUBLIC_URL',
      z
        .url({ protocol: /^https?$/, error: 'must be an http or https address' })
        .transform((url) => url.replace(/\/+$/, '')),
      null,
    ),
    workspaceRoots: read('TIDEMARK_WORKSPACE_ROOTS', listOf(/[:\n]/).pipe(z.array(absolutePath)), []),
    includeDirs: read('TIDEMARK_INCLUDE_DIRS', listOf(/[,\n]/), []),
    privatePaths: read('TIDEMARK_PRIVATE_PATHS', listOf(/[,\n]/), []),
    namesOnly: read('TIDEMARK_NAMES_ONLY', flag, false),
    agentsFile: read('TIDEMARK_AGENTS', absolutePath, null),
    agentMcp: read('TIDEMARK_AGENT_MCP', flag, false),
    agentDriftNote: read('TIDEMARK_AGENT_DRIFT_NOTE', flag, false),
    limits,
  };
}
