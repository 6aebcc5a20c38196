/** Watches that capture leaves a folder as it is: around the baseline, around calls, around the end of a run. */
import type { Scratch } from './commands';
import { type Complaint, differs } from './complaint';
import { gitStatus, type Imprint, imprintDifferences, takeImprint } from './imprint';
import type { Place } from './place';

/** Differences told at most. */
const MOST_TOLD = 8;

function imprintOf({ top, watch }: Place): Imprint {
  if (watch.imprint === 'nothing') return new Map();
  return takeImprint([top, ...watch.alsoUntouched], { gitOnly: watch.imprint === 'git' });
}

async function statusOf(place: Place, scratch: Scratch): Promise<string> {
  const asked = place.isGit && place.watch.status && place.watch.imprint !== 'nothing';
  return asked ? gitStatus(place.path, scratch) : '';
}

/**
 * Does `work`, which is the server's alone, and complains of whatever it left in the folder: index bytes and times, refs,
 * stash, reflog, any file under `.git`, any file of the work tree, what `git status` says.
 */
export async function untouchedBy<Result>(
  what: string,
  place: Place,
  scratch: Scratch,
  work: () => Promise<Result>,
): Promise<{ result: Result; complaints: Complaint[] }> {
  // Our own question may touch a file (git marks a shared index as used), so it is asked outside of the two imprints.
  const statusBefore = await statusOf(place, scratch);
  const before = imprintOf(place);
  const result = await work();
  const touched = imprintDifferences(before, imprintOf(place)).map((one) => one.replace(`${place.top}/`, ''));
  const complaints = differs(`git status around ${what}`, statusBefore, await statusOf(place, scratch));
  if (touched.length > 0) {
    const came =
      touched.slice(0, MOST_TOLD).join('\n') +
      (touched.length > MOST_TOLD ? `\n… ${touched.length - MOST_TOLD} more` : '');
    complaints.push({ what: `${what} leaves the folder untouched`, expected: 'nothing differs', came });
  }
  return { result, complaints };
}
