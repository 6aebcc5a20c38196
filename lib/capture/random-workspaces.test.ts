/** Random sequences of what happens in a repository, judged by two full copies of it. Every counterexample has a test of its own in `counterexamples.test.ts`. */
import fc from 'fast-check';
import { test } from 'vitest';
import { inFolder, limits, RUNS, RUNS_MS } from '@/lib/testing/random-runs';
import { act } from '@/lib/testing/random-workspace';
import { checkRepository } from '@/lib/testing/span-check';

const acts = (most: number) => fc.array(act, { minLength: 1, maxLength: most });

test(
  'a git workspace: every row is a difference between two copies, and the other way round',
  async () => {
    await fc.assert(
      fc.asyncProperty(acts(12), acts(10), acts(6), fc.boolean(), (first, second, third, autocrlf) =>
        inFolder((folder) => checkRepository(folder, [first, second, third], { autocrlf })),
      ),
      { numRuns: RUNS, ...limits() },
    );
  },
  RUNS_MS,
);
