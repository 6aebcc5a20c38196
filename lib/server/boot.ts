/** Starts the house: mends what a crash left, then keeps it up from time to time. */
import 'server-only';
import { mendAfterRestart, sweepCapture } from '@/lib/runs/restart';
import { closeAgentsOnIdle, enforceRetention, expireSilentRuns } from '@/lib/runs/upkeep';
import { newestChangeAt } from '@/lib/store/change-store';
import { endSilentHooks } from './hook-intake';
import { dismissSilentMcpClients } from './mcp-door';
import { processState } from './process-state';
import { house } from './runtime';

/** Milliseconds between two rounds of upkeep. */
const UPKEEP_MS = 30_000;
/** Rounds between two sweeps of what capture keeps. */
const SWEEP_ROUNDS = 20;

/** Runs once per server start, before the first request. */
export async function boot(): Promise<void> {
  const opened = house();
  await mendAfterRestart(opened);
  const state = processState('upkeep', () => ({
    round: 0,
    busy: false,
    retainedAt: 0,
    timer: null as NodeJS.Timeout | null,
  }));
  const round = async () => {
    if (state.busy || opened.stopping) return;
    state.busy = true;
    try {
      await endSilentHooks(Date.now());
      await dismissSilentMcpClients(Date.now());
      await expireSilentRuns(opened, Date.now());
      await closeAgentsOnIdle(opened);
      const isSweep = state.round % SWEEP_ROUNDS === 0;
      // Whatever was written since is held to the limits at once; time alone does so from sweep to sweep.
      if (isSweep || newestChangeAt(opened.store) >= state.retainedAt) {
        state.retainedAt = Date.now();
        await enforceRetention(opened, state.retainedAt);
      }
      if (isSweep) await sweepCapture(opened);
      state.round += 1;
    } catch (error) {
      console.error('Upkeep failed; it is tried again:', error);
    } finally {
      state.busy = false;
    }
  };
  state.timer = setInterval(() => void round(), UPKEEP_MS);
  state.timer.unref();
  setTimeout(() => void round(), 2_000).unref();
}
