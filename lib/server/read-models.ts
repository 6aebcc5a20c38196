/** What each page shows, in one read. Each awaits `connection()` first: the database is synchronous, so nothing else tells Next that a page is dynamic. */
import 'server-only';
import { homedir } from 'node:os';
import { connection } from 'next/server';
import type { ChangeSummary } from '@/lib/domain/change';
import {
  type Message,
  type PermissionRequest,
  type PlanEntry,
  runIdOfItem,
  type Session,
  type SessionOverview,
  type ToolCall,
} from '@/lib/domain/conversation';
import type { TimelineSlice } from '@/lib/domain/events';
import { changeIdOf, type RunId } from '@/lib/domain/ids';
import type { Limits } from '@/lib/domain/limits';
import type { Run } from '@/lib/domain/run';
import { VERSION } from '@/lib/domain/version';
import { displayPath, type WorkspaceKind } from '@/lib/domain/workspace';
import { flushSession } from '@/lib/runs/conversation-log';
import { lastEventId } from '@/lib/runs/event-bus';
import { liveRunOf, NO_AGENT_STATE } from '@/lib/runs/live-run';
import { findChange, listChanges } from '@/lib/store/change-store';
import { type StorageFigures, sessionFigures, storageFigures } from '@/lib/store/figures';
import { neighbours, readPlan, runMessages, runNumber, runPermissions, runsById } from '@/lib/store/run-store';
import { searchRuns } from '@/lib/store/search-store';
import { findSession, listSessions, recentWorkspaces } from '@/lib/store/session-store';
import { timelinePage } from '@/lib/store/timeline-store';
import { briefToolCall, runToolCalls } from '@/lib/store/tool-store';
import { requireRun, requireSession } from './lookups';
import { house } from './runtime';

export interface SessionList {
  sessions: SessionOverview[];
  nextCursor: string | null;
  /** Runs that match a search, newest first; empty without one. */
  runs: (Run & { sessionTitle: string })[];
}

/** Sessions, those last active first; with `query`, those that match and the runs that do. */
export async function readSessionList(
  page: { cursor?: string | undefined; limit?: number; query?: string | undefined } = {},
): Promise<SessionList> {
  await connection();
  const { store, live } = house();
  const { sessions, nextCursor } = listSessions(store, { ...page, limit: page.limit ?? 50 });
  const figures = sessionFigures(
    store,
    sessions.map((session) => session.id),
  );
  return {
    sessions: sessions.map((session) => ({
      ...session,
      ...figures(session.id),
      displayWorkspace: displayPath(session.workspace, homedir()),
      isRunning: liveRunOf(live, session.id) !== null,
    })),
    nextCursor,
    runs: page.query
      ? searchRuns(store, page.query, 20).map((run) => ({
          ...run,
          sessionTitle: findSession(store, run.sessionId)?.title ?? '',
        }))
      : [],
  };
}

export interface AgentListItem {
  id: string;
  name: string;
  kind: 'shell' | 'acp';
  available: boolean;
  /** Why not, and what to type. */
  reason?: string;
}

/** The agents that this server may start, and whether each could be started now. */
export async function readAgents(): Promise<AgentListItem[]> {
  await connection();
  return Promise.all(
    house().agents.map(async ({ id, name, kind, availability }) => {
      const found = await availability();
      return { id, name, kind, available: found.available, ...(found.available ? {} : { reason: found.reason }) };
    }),
  );
}

export interface NewSession {
  agents: AgentListItem[];
  /** Folders used before, most recent first. */
  recent: { workspace: string; displayWorkspace: string; kind: WorkspaceKind }[];
  home: string;
}

export async function readNewSession(): Promise<NewSession> {
  const agents = await readAgents();
  return {
    agents,
    recent: recentWorkspaces(house().store, 12).map((entry) => ({
      ...entry,
      displayWorkspace: displayPath(entry.workspace, homedir()),
    })),
    home: homedir(),
  };
}

export interface TimelineRead {
  session: Session & { displayWorkspace: string };
  slice: TimelineSlice;
  /** Name of the session's agent; null where an outside host runs it. */
  agentName: string | null;
}

/** Items of a first page: enough for a tall window, few enough to open at once. */
const FIRST_PAGE = 60;

/** A session with the newest page of its timeline. Throws `not_found`. */
export async function readTimeline(sessionId: string): Promise<TimelineRead> {
  await connection();
  const session = requireSession(sessionId);
  return {
    session: { ...session, displayWorkspace: displayPath(session.workspace, homedir()) },
    slice: timelineSlice(session, { limit: FIRST_PAGE }),
    agentName: house().agents.find((agent) => agent.id === session.agent)?.name ?? session.agent,
  };
}

/**
 * A page of a session's timeline with all that stands beside its items. What streams hold back is stored first and
 * everything is read in one synchronous turn, so that the events after `lastEventId` complete it exactly.
 */
export function timelineSlice(session: Session, page: { cursor?: string | undefined; limit: number }): TimelineSlice {
  const opened = house();
  const { store, settings, live, openAgents } = opened;
  flushSession(opened, session.id);
  const { items, nextCursor } = timelinePage(store, session.id, { ...page, summaryRows: settings.limits.summaryRows });
  const runIds = new Set<RunId>(items.map(runIdOfItem));
  const going = liveRunOf(live, session.id);
  if (going && page.cursor === undefined) runIds.add(going.run.id);
  const ids = [...runIds];
  return {
    session,
    items,
    nextCursor,
    lastEventId: lastEventId(opened, session.id),
    runs: runsById(store, ids).map((run) => ({ ...run, number: runNumber(store, run) })),
    plans: ids.map((runId) => ({ runId, entries: readPlan(store, runId) })).filter((plan) => plan.entries.length > 0),
    permissions: runPermissions(store, ids),
    progress: going?.progress && runIds.has(going.run.id) ? [{ runId: going.run.id, ...going.progress }] : [],
    agent: session.agent === null ? null : (openAgents.get(session.id)?.state ?? NO_AGENT_STATE),
  };
}

export interface RunRead {
  run: Run;
  session: Session & { displayWorkspace: string };
  agentName: string | null;
  /** Its number in the session, from 1. */
  number: number;
  messages: Message[];
  /** Brief: opening one reads the call itself. */
  toolCalls: ToolCall[];
  plan: PlanEntry[];
  permissions: PermissionRequest[];
  change: ChangeSummary | null;
  /** Changes of its tool calls, in their order. */
  toolChanges: ChangeSummary[];
  drift: ChangeSummary | null;
  previous: Run | null;
  next: Run | null;
  lastEventId: number;
}

/** One run with all that its page shows. Throws `not_found`. */
export async function readRun(runId: string): Promise<RunRead> {
  await connection();
  return runRead(requireRun(runId));
}

/** The same, in one synchronous turn. */
export function runRead(run: Run): RunRead {
  const opened = house();
  const { store, settings, agents } = opened;
  const session = requireSession(run.sessionId);
  flushSession(opened, session.id);
  const rows = settings.limits.summaryRows;
  return {
    run,
    session: { ...session, displayWorkspace: displayPath(session.workspace, homedir()) },
    agentName: agents.find((agent) => agent.id === session.agent)?.name ?? session.agent,
    ...neighbours(store, run),
    messages: runMessages(store, run.id),
    toolCalls: runToolCalls(store, run.id).map(briefToolCall),
    plan: readPlan(store, run.id),
    permissions: runPermissions(store, [run.id]),
    change: findChange(store, changeIdOf({ source: 'run', runId: run.id }), rows),
    toolChanges: listChanges(store, session.id, { runId: run.id, source: 'tool', limit: 200 }, rows).changes,
    drift: findChange(store, changeIdOf({ source: 'drift', runId: run.id }), rows),
    lastEventId: lastEventId(opened, session.id),
  };
}

export interface SettingsRead {
  version: string;
  node: string;
  dataDir: string;
  storage: StorageFigures & {
    /** Bytes that capture keeps, by workspace. */
    workspaces: { root: string; displayRoot: string; bytes: number }[];
  };
  limits: Limits;
}

export async function readSettings(): Promise<SettingsRead> {
  await connection();
  const { store, capture, settings } = house();
  const usage = await capture.usage();
  return {
    version: VERSION,
    node: process.versions.node,
    dataDir: displayPath(settings.dataDir, homedir()),
    storage: {
      ...storageFigures(store),
      workspaces: usage
        .map((entry) => ({ ...entry, displayRoot: displayPath(entry.root, homedir()) }))
        .sort((a, b) => b.bytes - a.bytes),
    },
    limits: settings.limits,
  };
}
