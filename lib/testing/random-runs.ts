/** How the tests with random sequences run: how many, which, and where. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sequences that one test tries. */
export const RUNS = Number(process.env.TIDEMARK_PROPERTY_RUNS ?? 100);
/** Milliseconds that it may take. */
export const RUNS_MS = RUNS * 10_000;

export async function inFolder(check: (folder: string) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-random-')));
  try {
    await check(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Every run tries the same sequences, so that a failure is the change's and not the day's; `TIDEMARK_PROPERTY_SEED` names
 * others (`random`, or the number that a failure printed, with `TIDEMARK_PROPERTY_PATH`). What is found is reported
 * before the test runs out of time.
 */
export function limits(): {
  seed?: number;
  path?: string;
  interruptAfterTimeLimit: number;
  markInterruptAsFailure: true;
} {
  const { TIDEMARK_PROPERTY_SEED: seed = '1', TIDEMARK_PROPERTY_PATH: path } = process.env;
  return {
    ...(seed === 'random' ? {} : { seed: Number(seed) }),
    ...(path === undefined ? {} : { path }),
    interruptAfterTimeLimit: RUNS_MS * 0.9,
    markInterruptAsFailure: true,
  };
}
