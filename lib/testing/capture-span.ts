/** Takes snapshots around something that happens in a folder, and says what the record makes of it. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type {
  Capture,
  CaptureSettings,
  CompareOptions,
  Delta,
  Snapshot,
  WorkspaceLocation,
} from '@/lib/capture/capture';
import { openCapture } from '@/lib/capture/open-capture';
import type { DeltaFile } from '@/lib/domain/change';
import { DEFAULT_LIMITS, type Limits } from '@/lib/domain/limits';
import { rowsOf } from './capture-rows';
import { tempFolder } from './temp-workspace';

export { rowsOf };

/** Settings for a data folder of its own. */
export function captureSettings(
  overrides: Partial<CaptureSettings> & { limitsOf?: Partial<Limits> } = {},
): CaptureSettings {
  const { limitsOf, ...rest } = overrides;
  return {
    dataDir: join(tempFolder('tidemark-data-'), 'data'),
    limits: { ...DEFAULT_LIMITS, ...limitsOf },
    privatePaths: [],
    namesOnly: false,
    includeDirs: [],
    home: homedir(),
    tempDirs: [],
    xdgConfigHome: undefined,
    ...rest,
  };
}

export interface Watch {
  capture: Capture;
  location: WorkspaceLocation;
  /** Takes a snapshot, lets `act` happen, takes another and compares. */
  span(act: () => unknown, options?: Partial<CompareOptions>): Promise<Span>;
}

export interface Span {
  before: Snapshot;
  after: Snapshot;
  delta: Delta;
  /** The rows in short: see `rowsOf`. */
  rows: string[];
}

let spans = 0;

export async function watch(path: string, settings: CaptureSettings = captureSettings()): Promise<Watch> {
  const capture = openCapture(settings);
  const location = await capture.locate(path);
  return {
    capture,
    location,
    async span(act, options = {}) {
      const before = await capture.takeSnapshot(location);
      await act();
      const after = await capture.takeSnapshot(location);
      spans += 1;
      const delta = await capture.compare(location, before, after, {
        keepAs: `span-${spans}`,
        patches: true,
        captures: [],
        ...options,
      });
      return { before, after, delta, rows: rowsOf(delta) };
    },
  };
}

export function fileAt(delta: Pick<Delta, 'files'>, path: string): DeltaFile {
  const file = delta.files.find((one) => one.path === path);
  if (!file) throw new Error(`No row for ${path}`);
  return file;
}
