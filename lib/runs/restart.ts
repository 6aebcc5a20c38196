/** Mends, at start, what a crash or a stop left behind. */
import type { Snapshot } from '@/lib/capture/capture';
import { changeIdOf } from '@/lib/domain/ids';
import { endGroup, processStartTime } from '@/lib/process/process-group';
import { keptName, keptNames } from '@/lib/store/change-store';
import { agentProcessList, interruptRunning, removeAgentProcess } from '@/lib/store/run-store';
import { closeOpenToolCalls } from '@/lib/store/tool-store';
import { lastSnapshots } from '@/lib/store/workspace-store';
import type { House } from './house';
import type { LiveRun } from './live-run';

/** Milliseconds an agent that outlived us gets between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;

const SENTENCE =
  'Tidemark stopped while this run was going on, so its changes were not recorded. They show before the next run in this folder, as changed outside runs.';

/** Runs that were going on become `interrupted`; their agents' process groups are ended. Quick; before the first request. */
export async function mendAfterRestart(house: House): Promise<void> {
  const now = Date.now();
  const interrupted = interruptRunning(house.store, now, SENTENCE);
  closeOpenToolCalls(
    house.store,
    interrupted.map((run) => run.id),
    now,
  );
  for (const { pid, startTime } of agentProcessList(house.store)) {
    // A pid whose start time differs belongs to somebody else now.
    if ((await processStartTime(pid)) === startTime) await endGroup(pid, GRACE_MS).catch(() => undefined);
    removeAgentProcess(house.store, pid);
  }
}

/** Removes what neither a change nor a workspace's last look needs any more. Slow; behind the first requests. */
export async function sweepCapture(house: House): Promise<void> {
  const going = [...house.live.values()];
  await house.capture.sweep({
    snapshots: [
      ...lastSnapshots(house.store).map((last) => last.snapshot as Snapshot),
      ...going.flatMap((live) => live.recorder.held()),
    ],
    kept: [...keptNames(house.store), ...going.flatMap(namesToBe)],
  });
}

/** Names under which a run that is going on may keep bodies before they are in the database. */
function namesToBe({ run, calls }: LiveRun): string[] {
  const runId = run.id;
  return [
    changeIdOf({ source: 'run', runId }),
    changeIdOf({ source: 'drift', runId }),
    ...[...calls.keys()].map((toolCallId) => changeIdOf({ source: 'tool', runId, toolCallId })),
  ].map((changeId) => keptName(changeId, 1));
}
