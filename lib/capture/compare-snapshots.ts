/** Makes the record of a span: what two snapshots and the captures between them prove, with bodies. */
import { createHash } from 'node:crypto';
import type { CompareOptions, Delta, KeptBodies, Snapshot, WorkspaceLocation } from './capture';
import { addCaptures } from './capture-evidence';
import type { CaptureContext } from './context';
import { type Differences, findDifferences } from './differences';
import { makeGitRecord } from './git/git-record';
import type { GitKept } from './git/kept-bodies';
import { objectsOf, type PrivateGitDir, preparePrivateGitDir } from './git/private-git-dir';
import { gatherGaps, type PartGap } from './part-gap';
import { NO_PATH, type RawPath, rawFromText } from './raw-path';
import { workspaceWithin } from './take-snapshot';
import { type PartSnapshot, workspaceSnapshot } from './workspace-snapshot';
import { writtenPlace } from './written-place';

export async function compareSnapshots(
  context: CaptureContext,
  location: WorkspaceLocation,
  before: Snapshot | null,
  after: Snapshot | null,
  options: CompareOptions,
): Promise<Delta> {
  const { git, settings, storeOf } = context;
  const { signal } = options;
  const [from, to] = [before && workspaceSnapshot(before), after && workspaceSnapshot(after)];
  const gaps: { prefix: RawPath; gap: PartGap }[] = [];
  const workspace = workspaceWithin(location);
  const place = writtenPlace(workspace, settings.home);
  const store = await recordStore(context, location, [...(to?.parts ?? []), ...(from?.parts ?? [])]);
  if (from === null && !location.wholeFolder) gaps.push({ prefix: NO_PATH, gap: { reason: 'baseline_missing' } });
  if (to === null && !location.wholeFolder) gaps.push({ prefix: NO_PATH, gap: { reason: 'delta_failed' } });
  const { record, compared } = await context.gateOf(store.key).together(async () => {
    const compared: Differences | null =
      from !== null && to !== null
        ? await findDifferences({ git, storeOf, includeDirs: settings.includeDirs }, from, to, signal)
        : null;
    if (compared) gaps.push(...compared.gaps);
    const differences = compared?.differences ?? [];
    if (options.captures.length > 0) {
      const root = location.repository ?? location.root;
      const covers = compared !== null && !to?.uncovered.includes(NO_PATH) && !from?.uncovered.includes(NO_PATH);
      const evidence = { before: from, after: to, root, store, compared: covers };
      await addCaptures(context, evidence, differences, options.captures, gaps);
    }
    const alternates = (compared?.objects ?? []).filter((objects) => objects !== objectsOf(store));
    const record = await makeGitRecord(
      { git, limits: settings.limits, store, alternates, signal },
      differences,
      place,
      {
        keepAs: settings.namesOnly ? null : options.keepAs,
        patches: options.patches && !settings.namesOnly,
      },
    );
    return { record, compared };
  });
  gaps.push(...record.gaps);
  const kept: GitKept = {
    engine: 'git',
    key: store.key,
    top: store.top,
    objectFormat: store.objectFormat,
    workspace,
    ...record.trees,
  };
  const found = gatherGaps(gaps, (path) => rawFromText(place.names({ path, outside: false }).path));
  return {
    workspaceKind: location.kind,
    files: record.files,
    unlisted: record.unlisted,
    git: compared?.git ?? null,
    gaps: [...mergeGaps(from?.gaps ?? [], to?.gaps ?? []), ...found],
    truncated: record.truncated,
    totalPatchBytes: record.totalPatchBytes,
    kept: kept as unknown as KeptBodies,
  };
}

/** Where the record of a workspace is made: its own private directory, or one for records alone. */
async function recordStore(
  context: CaptureContext,
  location: WorkspaceLocation,
  parts: readonly PartSnapshot[],
): Promise<PrivateGitDir> {
  const part = parts.find((one) => one.prefix === '');
  if (part) return context.storeOf(part);
  const key = createHash('sha256').update('record\0').update(location.root).digest('hex').slice(0, 32);
  const store = context.storeOf({ key, top: location.root, objectFormat: 'sha1' });
  await preparePrivateGitDir(store, null);
  return store;
}

/** Gaps of both ends, each once. */
function mergeGaps(before: Snapshot['gaps'], after: Snapshot['gaps']): Snapshot['gaps'] {
  const key = (gap: Snapshot['gaps'][number]) => JSON.stringify(gap);
  const known = new Set(after.map(key));
  return [...before.filter((gap) => !known.has(key(gap))), ...after];
}
