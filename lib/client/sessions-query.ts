/** The list of sessions in the browser: what the server rendered, kept current while somebody looks. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { SessionOverview } from '@/lib/domain/conversation';
import { fromWire, type Wire } from '@/lib/domain/events';
import { readJson } from './read-json';

const KEY = ['sessions'];

/** Sessions the rail lists; the sessions page has them all. */
export const RAIL_SESSIONS = 60;
/** Milliseconds between looks at what sessions of other tabs and terminals do. */
const LOOK_MS = 8_000;

export function sessionsQuery(initial: SessionOverview[]) {
  return queryOptions({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const answer = await readJson<{ sessions: Wire<SessionOverview>[] }>(`/api/sessions?limit=${RAIL_SESSIONS}`, {
        signal,
      });
      return answer.sessions.map((session) => fromWire<SessionOverview>(session));
    },
    initialData: initial,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
    refetchOnWindowFocus: true,
    staleTime: LOOK_MS / 2,
  });
}

/** Looks again at once: a run began or ended here, a session was made, renamed or deleted. */
export function lookAtSessions(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: KEY });
}

export interface WorkspaceGroup {
  workspace: string;
  displayWorkspace: string;
  isGit: boolean;
  sessions: SessionOverview[];
}

/** Sessions by folder, in the order in which each folder first comes. */
export function byWorkspace(sessions: readonly SessionOverview[]): WorkspaceGroup[] {
  const groups = new Map<string, WorkspaceGroup>();
  for (const session of sessions) {
    const { workspace, displayWorkspace, workspaceKind } = session;
    const group = groups.get(workspace);
    if (group) group.sessions.push(session);
    else groups.set(workspace, { workspace, displayWorkspace, isGit: workspaceKind === 'git', sessions: [session] });
  }
  return [...groups.values()];
}
