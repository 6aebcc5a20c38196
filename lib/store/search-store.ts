/** Finds runs and sessions by title, folder, prompt and changed path. */
import { desc, eq, type like, or, sql } from 'drizzle-orm';
import { runs, sessions, workspaceRunChangeFiles, workspaceRunChanges } from '@/drizzle/schema';
import type { Run } from '@/lib/domain/run';
import type { Store } from './database';
import { toRun } from './run-store';

/** A pattern for `LIKE … ESCAPE '\'` that finds `text` anywhere. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

const likeEscaped = (column: Parameters<typeof like>[0], pattern: string) => sql`${column} like ${pattern} escape '\\'`;

/** Ids of runs that changed a path holding `text`. */
function runsChanging(store: Store, pattern: string) {
  return store
    .select({ runId: workspaceRunChanges.runId })
    .from(workspaceRunChanges)
    .innerJoin(workspaceRunChangeFiles, eq(workspaceRunChangeFiles.changeId, workspaceRunChanges.changeId))
    .where(
      sql`${workspaceRunChanges.source} = 'run' and (${likeEscaped(workspaceRunChangeFiles.path, pattern)} or ${likeEscaped(workspaceRunChangeFiles.oldPath, pattern)})`,
    );
}

/** A query of the ids of sessions that hold `text` in their title, folder, a prompt or a changed path. */
export function sessionsMatching(store: Store, text: string) {
  const pattern = containing(text);
  return store
    .selectDistinct({ id: sessions.id })
    .from(sessions)
    .leftJoin(runs, eq(runs.sessionId, sessions.id))
    .where(
      or(
        likeEscaped(sessions.title, pattern),
        likeEscaped(sessions.workspace, pattern),
        likeEscaped(runs.prompt, pattern),
        sql`${runs.id} in ${runsChanging(store, pattern)}`,
      ),
    );
}

/** Runs that hold `text` in their session's title, folder, prompt or a changed path, newest first. */
export function searchRuns(store: Store, text: string, limit: number): Run[] {
  const pattern = containing(text);
  return store
    .select({ run: runs })
    .from(runs)
    .innerJoin(sessions, eq(sessions.id, runs.sessionId))
    .where(
      or(
        likeEscaped(sessions.title, pattern),
        likeEscaped(runs.workspace, pattern),
        likeEscaped(runs.prompt, pattern),
        sql`${runs.id} in ${runsChanging(store, pattern)}`,
      ),
    )
    .orderBy(desc(runs.startedAt))
    .limit(limit)
    .all()
    .map((row) => toRun(row.run));
}
