/** The composition root: builds the house once per process and hands the same one to every module graph. */
import 'server-only';
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { agentCatalog } from '@/lib/agents/catalog';
import { openCapture } from '@/lib/capture/open-capture';
import type { House } from '@/lib/runs/house';
import { openStore } from '@/lib/store/database';
import { settings } from './env';
import { processState } from './process-state';

/** The house. Opened on first use; throws an `AppError` with a readable sentence where the data folder is unusable. */
export function house(): House {
  return processState('house', () => {
    const all = settings();
    const { dataDir, limits, privatePaths, namesOnly, includeDirs } = all;
    return {
      store: openStore(dataDir),
      capture: openCapture({
        dataDir,
        limits,
        privatePaths,
        namesOnly,
        includeDirs,
        home: realPath(homedir()),
        tempDirs: [...new Set([tmpdir(), '/tmp', '/var/tmp'].map(realPath))],
      }),
      agents: agentCatalog({
        file: all.agentsFile,
        outputBytes: limits.outputBytes,
        // Hooks that the user installed for an agent would tell of its runs a second time.
        environment: { ...process.env, TIDEMARK_HOOKS: 'off' },
      }),
      settings: all,
      bus: new Map(),
      live: new Map(),
      openAgents: new Map(),
      lateWork: new Map(),
      stopping: false,
    };
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
