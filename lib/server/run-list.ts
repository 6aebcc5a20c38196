/** Runs as lists and waiting hosts ask for them. */
import 'server-only';
import { realpath } from 'node:fs/promises';
import type { z } from 'zod';
import type { runsQuerySchema } from '@/lib/domain/requests';
import type { Run } from '@/lib/domain/run';
import { recentRuns } from '@/lib/store/run-store';
import { house } from './runtime';

/** Runs, newest first; those of a folder are those that work in it or above it, however it is named. */
export async function listRuns(
  query: z.output<typeof runsQuerySchema>,
): Promise<{ runs: Run[]; nextCursor: string | null }> {
  const { workspace, session_id, cursor, limit } = query;
  const folder = workspace === undefined ? undefined : await realpath(workspace).catch(() => workspace);
  return recentRuns(house().store, { sessionId: session_id, folder, cursor, limit });
}

/** A request spoke of a run: an outside host's does not expire while its host asks for it. */
export function noteAsked(run: Run): void {
  const live = house().live.get(run.id);
  if (live) live.touchedAt = Date.now();
}
