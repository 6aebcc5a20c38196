/** Keeps one look per workspace across runs: drift is measured from it. */
import type { Snapshot } from '@/lib/capture/capture';
import type { RunId } from '@/lib/domain/ids';
import { lastSnapshot, saveLastSnapshot } from '@/lib/store/workspace-store';
import type { House } from './house';

/** The last look at a workspace, or null where there was none. */
export function lastLook(house: House, root: string): { snapshot: Snapshot; takenAt: number } | null {
  const last = lastSnapshot(house.store, root);
  return last ? { snapshot: last.snapshot as Snapshot, takenAt: last.takenAt } : null;
}

/** Puts a look in place of the last one. The caller lets go of the old one with `releaseLook` when it is done with it. */
export function replaceLastLook(house: House, root: string, snapshot: Snapshot, runId: RunId): void {
  saveLastSnapshot(house.store, { root, snapshot, runId, takenAt: snapshot.finishedAt });
}

/** Lets a look go unless a run that is going on, or the workspace's drift, still needs it. */
export async function releaseLook(house: House, snapshot: Snapshot): Promise<void> {
  if (lastLook(house, snapshot.root)?.snapshot.id === snapshot.id) return;
  for (const live of house.live.values()) if (live.recorder.owns(snapshot.id)) return;
  await house.capture.releaseSnapshot(snapshot).catch(() => undefined);
}
