/** Random sequences of what happens in a folder, judged by two full copies of it. Every counterexample has a test of its own in `counterexamples.test.ts`. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { act, plainAct } from '@/lib/testing/random-workspace';
import { checkFolder, checkRepository } from '@/lib/testing/span-check';

const RUNS = Number(process.env.TIDEMARK_PROPERTY_RUNS ?? 200);
const acts = (one: typeof act, most: number) => fc.array(one, { minLength: 1, maxLength: most });

function inFolder(check: (folder: string) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-random-')));
  return check(folder).finally(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

test(
  'a git workspace: every row is a difference between two copies, and the other way round',
  async () => {
    await fc.assert(
      fc.asyncProperty(acts(act, 12), acts(act, 10), acts(act, 6), fc.boolean(), (first, second, third, autocrlf) =>
        inFolder((folder) => checkRepository(folder, [first, second, third], { autocrlf })),
      ),
      { numRuns: RUNS, ...limits() },
    );
    expect(RUNS).toBeGreaterThan(0);
  },
  RUNS * 10_000,
);

test(
  'a folder without git: the same',
  async () => {
    await fc.assert(
      fc.asyncProperty(acts(plainAct, 10), acts(plainAct, 10), acts(plainAct, 6), (first, second, third) =>
        inFolder((folder) => checkFolder(folder, [first, second, third])),
      ),
      { numRuns: Math.ceil(RUNS / 2), ...limits() },
    );
  },
  RUNS * 10_000,
);

/**
 * Every run tries the same sequences, so that a failure is the change's and not the day's; `TIDEMARK_PROPERTY_SEED` names
 * others (`random`, or the number that a failure printed, with `TIDEMARK_PROPERTY_PATH`). What is found is reported
 * before the test runs out of time.
 */
function limits(): { seed?: number; path?: string; interruptAfterTimeLimit: number; markInterruptAsFailure: true } {
  const { TIDEMARK_PROPERTY_SEED: seed = '1', TIDEMARK_PROPERTY_PATH: path } = process.env;
  return {
    ...(seed === 'random' ? {} : { seed: Number(seed) }),
    ...(path === undefined ? {} : { path }),
    interruptAfterTimeLimit: RUNS * 9_000,
    markInterruptAsFailure: true,
  };
}
