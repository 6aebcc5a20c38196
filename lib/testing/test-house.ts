/** A whole house in a temporary data folder: the real store, the real eyes, the real shell. */
import { tmpdir } from 'node:os';
import { onTestFinished } from 'vitest';
import { agentCatalog } from '@/lib/agents/catalog';
import { openCapture } from '@/lib/capture/open-capture';
import type { SessionEvent } from '@/lib/domain/events';
import { fromWire } from '@/lib/domain/events';
import type { SessionId } from '@/lib/domain/ids';
import type { Limits } from '@/lib/domain/limits';
import { parseSettings } from '@/lib/domain/settings';
import { subscribe } from '@/lib/runs/event-bus';
import type { House } from '@/lib/runs/house';
import { openStore } from '@/lib/store/database';
import { tempFolder } from './temp-workspace';

export interface TestHouseOptions {
  dataDir?: string;
  limits?: Partial<Limits>;
  privatePaths?: string[];
}

/** Opens a house; it is closed when the test ends. */
export function testHouse(options: TestHouseOptions = {}): House {
  const dataDir = options.dataDir ?? tempFolder('data');
  const settings = parseSettings({ env: { TIDEMARK_DATA_DIR: dataDir }, platform: 'linux', home: '/nowhere' });
  Object.assign(settings.limits, options.limits);
  settings.privatePaths = options.privatePaths ?? [];
  const { limits, privatePaths, namesOnly, includeDirs } = settings;
  const store = openStore(dataDir);
  onTestFinished(() => {
    store.$client.close();
  });
  return {
    store,
    capture: openCapture({
      dataDir,
      limits,
      privatePaths,
      namesOnly,
      includeDirs,
      home: '/nowhere',
      // The tests' own folders lie in the temporary folder; only the folder itself counts as one.
      tempDirs: [tmpdir()],
    }),
    agents: agentCatalog({ file: null, outputBytes: limits.outputBytes, environment: { PATH: process.env.PATH } }),
    settings,
    bus: new Map(),
    live: new Map(),
    openAgents: new Map(),
    lateWork: new Map(),
    stopping: false,
  };
}

/** Everything a session says from now on, in order. */
export function heard(house: House, sessionId: SessionId): SessionEvent[] {
  const events: SessionEvent[] = [];
  subscribe(house, sessionId, null, (event) => events.push(fromWire(JSON.parse(event.data)) as SessionEvent));
  return events;
}
