/** Stops the house: streams end, runs are cancelled with their change recorded where time allows, agents are ended. */
import { finishRun } from '@/lib/runs/finish-run';
import type { House } from '@/lib/runs/house';
import { endStreams } from './sse';

/** Milliseconds that agents and last looks get before the process exits anyway; under a second from Ctrl-C to the end. */
const PATIENCE_MS = 700;

/** Stops what is going on. Resolves within `PATIENCE_MS`; what was not done by then is mended at the next start. */
export async function shutdown(house: House): Promise<void> {
  if (house.stopping) return;
  house.stopping = true;
  const work = [...house.live.values()].map((live) => {
    live.abort.abort();
    return finishRun(house, live, {
      status: 'interrupted',
      stopReason: 'shutdown',
      error: 'Tidemark was stopped while this run was going on. What changed until then is listed.',
      completion: null,
    });
  });
  const agents = [...house.openAgents.values()].map((open) => open.session.close().catch(() => undefined));
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    Promise.allSettled([...work, ...agents]),
    new Promise((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    }),
  ]);
  clearTimeout(timer);
  endStreams();
  house.store.$client.close();
}
