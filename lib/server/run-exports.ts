/** Gathers what an export of one run holds, its secrets masked: the same for a link's reader and for the owner. */
import 'server-only';
import type { ChangedFileBody } from '@/lib/domain/change';
import { maskPatch } from '@/lib/domain/masking';
import type { RunExport } from '@/lib/domain/run-export';
import { VERSION } from '@/lib/domain/version';
import { keptBodies, storedPatches } from '@/lib/store/change-store';
import { requireRun, requireSession } from './lookups';
import { house } from './runtime';
import { scanForSecrets } from './secret-scanner';
import { sharedPicture } from './shared-bodies';
import {
  hidesEveryValue,
  knownSecrets,
  maskedMessages,
  requireSharedRun,
  type SharedRun,
  sharedRow,
  sharedRun,
} from './shared-run';

/** The owner's own export of a run: everything in it, masked as a link would mask it. */
export function ownersShare(runId: string): SharedRun {
  const run = requireRun(runId);
  const sharing = { includePrompt: true, includeAnswer: true, excludePaths: [], revealPaths: [] };
  return sharedRun(run, requireSession(run.sessionId), sharing);
}

/** What a link's page shows at first, without bodies. Throws `not_found`. */
export async function sharedPage(token: string): Promise<Pick<RunExport, 'run' | 'change' | 'leftOut'>> {
  const shared = requireSharedRun(token);
  return { run: await exportedRun(shared), change: shared.change, leftOut: shared.leftOut };
}

export async function runExport(shared: SharedRun): Promise<RunExport> {
  const { change, leftOut } = shared;
  return {
    version: VERSION,
    exportedAt: Date.now(),
    run: await exportedRun(shared),
    change,
    files: await exportedFiles(shared),
    leftOut,
  };
}

async function exportedRun(shared: SharedRun): Promise<RunExport['run']> {
  const { run, agentName, workspace } = shared;
  const { prompt, answer } = await maskedMessages(shared);
  return {
    status: run.status,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    agent: agentName,
    workspace: workspace.split('/').filter(Boolean).pop() ?? '/',
    prompt: prompt?.value ?? null,
    answer: answer?.value ?? null,
  };
}

async function exportedFiles(shared: SharedRun): Promise<ChangedFileBody[]> {
  const { change, rows, sharing } = shared;
  if (!change) return [];
  const { store } = house();
  const expired = (keptBodies(store, change.changeId)?.kept ?? null) === null;
  const patches = new Map(storedPatches(store, change.changeId).map(({ id, patch }) => [id as string, patch]));
  const known = await knownSecrets(shared);
  const files: ChangedFileBody[] = [];
  for (const row of rows) {
    const patch = patches.get(row.id) ?? null;
    const masked =
      patch === null || sharing.revealPaths.includes(row.path)
        ? patch
        : (await maskPatch(patch, scanForSecrets, { everyValue: hidesEveryValue(row), known })).value;
    files.push({ ...sharedRow(row), patch: masked, patchBytes: masked?.length ?? 0, expired });
  }
  return files;
}

/** Bytes of pictures that one exported page carries; further ones are left out of it. */
const PICTURE_BYTES = 4 * 1024 * 1024;

/** Pictures of a run as `data:` addresses, by file and side, as many as fit. */
export async function exportedPictures(shared: SharedRun): Promise<Record<string, string>> {
  const pictures: Record<string, string> = {};
  let left = PICTURE_BYTES;
  for (const row of shared.rows) {
    if (!row.binary) continue;
    for (const side of ['before', 'after'] as const) {
      const size = side === 'before' ? row.sizeBefore : row.sizeAfter;
      if (size === null || size > left) continue;
      try {
        const { bytes, type } = await sharedPicture(shared, row, side);
        left -= bytes.length;
        pictures[`${row.id} ${side}`] = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
      } catch {
        // No picture, or no longer kept: the page says the sizes.
      }
    }
  }
  return pictures;
}
