/** What is done from time to time: runs of silent hosts end, old changes go, idle agents close. */
import type { KeptBodies } from '@/lib/capture/capture';
import { changesToForget, expireBodies, keptName, oldestWithBodies, patchBytes } from '@/lib/store/change-store';
import { giveBackPages } from '@/lib/store/database';
import { deleteRuns, runsPastRetention } from '@/lib/store/retention';
import { closeIdleAgents } from './agent-run';
import { finishRun } from './finish-run';
import type { House } from './house';

/** Milliseconds without a prompt after which an agent's process is closed; it is resumed at the next one. */
const AGENT_IDLE_MS = 30 * 60_000;

/** Ends the runs of outside hosts that nobody spoke of for `limits.checkpointMs`; their change is computed then. */
export async function expireSilentRuns(house: House, now: number): Promise<void> {
  for (const live of house.live.values()) {
    if (!live.run.external || live.ending !== null || now - live.touchedAt < house.settings.limits.checkpointMs)
      continue;
    await finishRun(house, live, {
      status: 'interrupted',
      stopReason: 'expired',
      error: 'The host that ran this did not say that it ended. What changed until now is listed.',
      completion: null,
      gaps: [{ reason: 'checkpoint_expired' }],
    });
  }
}

/**
 * Enforces retention: runs older than `retentionDays` or beyond `retentionRuns` of their session go with their rows;
 * past `retentionBytes` the oldest bodies go first (those of tool calls before those of runs) and say `expired`.
 */
export async function enforceRetention(house: House, now: number): Promise<void> {
  const { limits } = house.settings;
  const gone = runsPastRetention(house.store, {
    before: now - limits.retentionDays * 86_400_000,
    perSession: limits.retentionRuns,
  });
  if (gone.length > 0) {
    const bodies = changesToForget(house.store, { runIds: gone });
    deleteRuns(house.store, gone);
    for (const body of bodies) await forget(house, body);
  }
  await trimBodies(house, limits.retentionBytes);
}

/** Takes the oldest bodies away until at most `bytes` of them remain. Returns how many changes expired. */
export async function trimBodies(house: House, bytes: number): Promise<number> {
  let expired = 0;
  while ((await bodyBytes(house)) > bytes) {
    const oldest = oldestWithBodies(house.store, 20);
    if (oldest.length === 0) break;
    for (const body of oldest) {
      expireBodies(house.store, body.changeId);
      await forget(house, body);
      expired += 1;
    }
    await house.capture.collect();
  }
  while (giveBackPages(house.store)) await new Promise((resolve) => setImmediate(resolve));
  return expired;
}

/** Bytes of all bodies: patches in the database and what capture keeps. */
export async function bodyBytes(house: House): Promise<number> {
  const kept = await house.capture.usage();
  return patchBytes(house.store) + kept.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function forget(
  house: House,
  body: { changeId: Parameters<typeof keptName>[0]; generation: number; kept: unknown },
): Promise<void> {
  if (body.kept === null) return;
  await house.capture.forget(keptName(body.changeId, body.generation), body.kept as KeptBodies).catch(() => undefined);
}

/** Closes agents that nobody prompted for a while. */
export function closeAgentsOnIdle(house: House): Promise<void> {
  return closeIdleAgents(house, AGENT_IDLE_MS);
}
