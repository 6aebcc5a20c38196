/** Reads what runs changed, for an agent that checks itself: those that ended from the store, one that goes on by a look. */
import type { KeptBodies } from '@/lib/capture/capture';
import { type ChangeSummary, isChange } from '@/lib/domain/change';
import { runIdSchema } from '@/lib/domain/id-schemas';
import { changeIdOf, mintId, type RunId, type ToolCallId } from '@/lib/domain/ids';
import { isTerminal, type Run } from '@/lib/domain/run';
import { allFiles, findChange, keptBodies } from '@/lib/store/change-store';
import { findRun } from '@/lib/store/run-store';
import { type RunReader, recordGone } from '@/lib/tools/run-tools';
import { ToolFailure } from '@/lib/tools/tool-answer';
import type { House } from './house';
import type { LiveRun } from './live-run';
import { recordSoFar } from './progress';
import { summaryOf } from './records';
import { settled } from './settled';

export interface RunList {
  /** Newest first. */
  listRuns(limit: number): Promise<Run[]>;
  /** The run of whoever asks, where it has one of its own. */
  ownRunId(): RunId | null;
}

/** Reads runs for whoever may see those of `list`, and any that is named by its id. */
export function runReader(house: House, list: RunList): RunReader {
  const { summaryRows } = house.settings.limits;
  return {
    listRuns: list.listRuns,
    async findRun(runId) {
      if (runId !== null) {
        const id = runIdSchema.safeParse(runId);
        const run = id.success ? findRun(house.store, id.data) : null;
        if (!run) throw new ToolFailure(`There is no run ${runId.slice(0, 64)}; list_runs lists what is recorded.`);
        return run;
      }
      const own = list.ownRunId();
      const ownLive = own ? house.live.get(own) : undefined;
      if (ownLive) return ownLive.run;
      const runs = await list.listRuns(20);
      const run = runs.find(({ status }) => status === 'running') ?? runs[0];
      if (!run) throw new ToolFailure('No run is recorded here.');
      return run;
    },
    async changeOf(run) {
      const live = house.live.get(run.id);
      if (live && live.ending === null) return (await peek(house, live, false)).change;
      await live?.ending;
      return storedChange(house, run.id, 'run', summaryRows);
    },
    async driftOf(run) {
      const live = house.live.get(run.id);
      if (live) await settled(live);
      const change = findChange(house.store, changeIdOf({ source: 'drift', runId: run.id }), summaryRows);
      const stored = findRun(house.store, run.id);
      if (!change && stored?.baseline !== 'ready') {
        throw new ToolFailure(`What changed before ${run.id} is not known: there is no snapshot from its start.`);
      }
      return change;
    },
    async patchOf(run, maxBytes) {
      const live = house.live.get(run.id);
      if (live && live.ending === null) {
        const { patch } = await peek(house, live, true, maxBytes);
        return patch;
      }
      await live?.ending;
      const change = storedChange(house, run.id, 'run', summaryRows);
      if (!change) return null;
      const kept = keptBodies(house.store, change.changeId)?.kept as KeptBodies | null | undefined;
      if (!kept) throw new ToolFailure(`The patch of ${run.id} is no longer kept.`);
      const files = allFiles(house.store, change.changeId).filter(({ origin }) => origin !== 'git');
      return readPatch(house, kept, change.workspace, files, maxBytes);
    },
  };
}

/** The record of a run that ended; null where it truly changed nothing. */
function storedChange(house: House, runId: RunId, source: 'run', rows: number): ChangeSummary | null {
  const change = findChange(house.store, changeIdOf({ source, runId }), rows);
  if (change) return change;
  const run = findRun(house.store, runId);
  if (!run || !isTerminal(run.status)) throw new ToolFailure('This run is gone.');
  if (run.status === 'interrupted' || run.baseline === 'missing' || run.baseline === 'pending') throw recordGone(run);
  return null;
}

/** What a run that goes on changed so far, with its patch where that is wanted. */
async function peek(
  house: House,
  live: LiveRun,
  withPatch: boolean,
  maxBytes = 0,
): Promise<{ change: ChangeSummary | null; patch: Awaited<ReturnType<RunReader['patchOf']>> }> {
  await settled(live);
  const { run, recorder } = live;
  await recorder.look();
  const keepAs = withPatch ? `peek:${mintId<ToolCallId>('call')}` : null;
  const delta = recorder.baselineState === 'missing' ? null : await recorder.soFar(keepAs);
  if (!delta) throw recordGone({ ...run, error: run.error ?? 'there is no snapshot from its start' });
  const record = recordSoFar(live, delta);
  try {
    const files = record.files.filter(({ origin }) => origin !== 'git');
    const patch =
      withPatch && files.length > 0
        ? await readPatch(house, delta.kept, recorder.location.root, files, maxBytes)
        : null;
    const changed = isChange({ fileCount: record.files.length, git: record.git, gaps: record.gaps });
    return { change: changed ? summaryOf(record, house.settings.limits.summaryRows) : null, patch };
  } finally {
    if (keepAs !== null) await house.capture.forget(keepAs, delta.kept).catch(() => undefined);
  }
}

async function readPatch(
  house: House,
  kept: KeptBodies,
  root: string,
  files: Parameters<House['capture']['readPatch']>[2],
  maxBytes: number,
): Promise<{ text: string; isWhole: boolean; applyFrom: string }> {
  const patch = await house.capture.readPatch(kept, { root }, files);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = true;
  for await (const chunk of patch.text) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      isWhole = false;
      break;
    }
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isWhole, applyFrom: patch.applyFrom };
}
