/** Installs a pinned agent into the cache folder, once. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentSetup } from './agent-setups';

/** Milliseconds npm may take. */
const INSTALL_MS = 15 * 60_000;

/** Outside the project, so that nothing of it is ever packed or searched. */
export function cacheFolder(): string {
  const { TIDEMARK_E2E_CACHE, XDG_CACHE_HOME } = process.env;
  if (TIDEMARK_E2E_CACHE) return TIDEMARK_E2E_CACHE;
  const caches =
    process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(caches, 'tidemark-e2e-agents');
}

/** The absolute path of the agent's program. */
export function installAgent({ id, package: name, version, bin }: AgentSetup): string {
  const folder = join(cacheFolder(), `${id}-${version}`);
  const program = join(folder, 'node_modules', '.bin', bin);
  if (installedVersion(folder, name) === version && existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', '--save-exact', `${name}@${version}`],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_MS,
    },
  );
  if (!existsSync(program)) throw new Error(`${name}@${version} has no program ${bin}`);
  return program;
}

function installedVersion(folder: string, name: string): string | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}

/** Agents that take long to install are asked for by `--all`; without it they are no tests at all. */
export function isWanted({ onlyWithAll }: { onlyWithAll: boolean }): boolean {
  return !onlyWithAll || Boolean(process.env.TIDEMARK_E2E_ALL);
}
