/** Gathers what a run knows of who changed what. */
import type { RunEvidence } from '@/lib/domain/attribution';
import type { LiveRun } from './live-run';

/** The evidence of a run so far, with what file tools of runs beside it named. */
export function evidenceOf({ recorder, neighbours }: LiveRun): RunEvidence {
  const namedByOthers = new Set<string>();
  for (const other of neighbours.values()) for (const path of other.named.keys()) namedByOthers.add(path);
  return { calls: [...recorder.calls.values()], intervals: recorder.intervals, named: recorder.named, namedByOthers };
}
