/** Random sequences of what happens in a folder without git, judged by two full copies of it. Every counterexample has a test of its own in `counterexamples.test.ts`. */
import fc from 'fast-check';
import { test } from 'vitest';
import { inFolder, limits, RUNS, RUNS_MS } from '@/lib/testing/random-runs';
import { plainAct } from '@/lib/testing/random-workspace';
import { checkFolder } from '@/lib/testing/span-check';

const acts = (most: number) => fc.array(plainAct, { minLength: 1, maxLength: most });

test(
  'a folder without git: every row is a difference between two copies, and the other way round',
  async () => {
    await fc.assert(
      fc.asyncProperty(acts(10), acts(10), acts(6), (first, second, third) =>
        inFolder((folder) => checkFolder(folder, [first, second, third])),
      ),
      { numRuns: Math.ceil(RUNS / 2), ...limits() },
    );
  },
  RUNS_MS,
);
