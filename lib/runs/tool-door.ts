/** What the MCP tools work with in this house: the files of a workspace, and whose run an edit belongs to. */
import { resolve } from 'node:path';
import type { WorkspaceLocation } from '@/lib/capture/capture';
import type { Json, Session } from '@/lib/domain/conversation';
import { mintId, type SessionId, type ToolCallId } from '@/lib/domain/ids';
import { recentRuns } from '@/lib/store/run-store';
import { findSession } from '@/lib/store/session-store';
import { type ToolAnswer, ToolFailure } from '@/lib/tools/tool-answer';
import type { ChangingCall, ToolDoor } from '@/lib/tools/tool-server';
import { workspaceFiles } from '@/lib/tools/workspace-files';
import { boundedJson } from './hook-call';
import type { House } from './house';
import { type LiveCall, type LiveRun, liveRunOf } from './live-run';
import { privatePathsOf } from './private-paths';
import { runReader } from './run-reader';
import { ownRun, type ToolClients } from './tool-clients';
import { completeCall, hearCall } from './tool-runs';

/** What a client said of itself in the address it uses. */
export interface ToolBinding {
  /** The session whose runs it belongs to: that of an agent of ours. */
  sessionId: SessionId | null;
  /** The folder it works in, absolute. */
  folder: string | null;
  /** Tells it from other clients. */
  client: string;
}

export function openToolDoor(house: House, clients: ToolClients, binding: ToolBinding): ToolDoor {
  const { limits } = house.settings;
  const located = once(() => locate(house, binding));
  const filesOf = ({ location }: Where) => workspaceFiles({ root: location.root, maxBytes: limits.fileBytes });
  return {
    maxLines: limits.toolDiffLines,
    async editTools() {
      const where = await located();
      const isPrivate = privatePathsOf(house.settings, where.location);
      return {
        files: filesOf(where),
        bounds: { maxLines: limits.toolDiffLines, timeoutMs: limits.lineDiffMs },
        isPrivate: (name) => isPrivate(resolve(where.location.root, name)),
      };
    },
    async recorded(call, change) {
      const where = await located();
      const { live, open } = await runOf(house, clients, binding, where, call);
      // What is out of bounds is not even copied for the record.
      const target = await filesOf(where)
        .within(call.path)
        .catch((error: Error) => error);
      return recorded(house, live, open, target, call, change);
    },
    reader: runReader(house, {
      ownRunId: () => clients.get(binding.client)?.runId ?? null,
      listRuns: async (limit) => {
        const { session, location } = await located();
        const where = session ? { sessionId: session.id } : { folder: location.root };
        return recentRuns(house.store, { ...where, limit }).runs;
      },
    }),
  };
}

interface Where {
  session: Session | null;
  location: WorkspaceLocation;
}

async function locate(house: House, { sessionId, folder }: ToolBinding): Promise<Where> {
  const session = sessionId === null ? null : findSession(house.store, sessionId);
  if (sessionId !== null && !session) throw new ToolFailure('The session of this connection does not exist any more.');
  const place = session?.workspace ?? folder;
  if (place === null) {
    throw new ToolFailure(
      'Say which folder this is about: add ?workspace=/absolute/path to the address of the server.',
    );
  }
  return { session, location: await house.capture.locate(place) };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * The run that an edit belongs to: that of the connection's session; else the one whose agent announced this very call,
 * by its hooks; else one of the client's own.
 */
async function runOf(
  house: House,
  clients: ToolClients,
  { client }: ToolBinding,
  { session, location }: Where,
  call: ChangingCall,
): Promise<{ live: LiveRun; open: LiveCall | null }> {
  if (session) {
    const live = liveRunOf(house.live, session.id) ?? (await ownRun(house, clients, client, { session }));
    return { live, open: announced(live, call) };
  }
  for (const live of house.live.values()) {
    if (live.ending !== null || live.recorder.location.root !== location.root) continue;
    const open = announced(live, call);
    if (open) return { live, open };
  }
  return { live: await ownRun(house, clients, client, { folder: location.root }), open: null };
}

/** The open call with which an agent announced what it now asks of us: same tool, same input. */
function announced(live: LiveRun, { tool, path, input }: ChangingCall): LiveCall | null {
  const text = input[tool === 'edit' ? 'old_string' : 'content'];
  for (const entry of live.calls.values()) {
    const { call } = entry;
    if (call.finishedAt !== null || !new RegExp(`(^|[_./: ])${tool}$`, 'i').test(call.tool ?? call.title)) continue;
    const given = argumentsIn(call.input);
    if (given?.path !== path) continue;
    const same = given[tool === 'edit' ? 'old_string' : 'content'];
    // What an agent announced may be kept cut.
    if (
      same === undefined ||
      same === text ||
      (typeof same === 'string' && typeof text === 'string' && text.startsWith(same.replace(/…$/, '')))
    )
      return entry;
  }
  return null;
}

/** The arguments of an MCP call: the input itself, or inside it beside the names of server and tool. */
function argumentsIn(input: Json): { [key: string]: Json } | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const inner = input.arguments;
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : input;
}

/** Makes a change between the copy of its file and the look at what it did; the card is written by us, not by the agent. */
async function recorded(
  house: House,
  live: LiveRun,
  open: LiveCall | null,
  target: string | Error,
  { tool, path, input }: ChangingCall,
  change: () => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  live.touchedAt = Date.now();
  const id = open?.call.id ?? mintId<ToolCallId>('call');
  const paths = typeof target === 'string' ? [target] : [];
  const isPrivate = paths.some(privatePathsOf(house.settings, live.recorder.location));
  const { entry } = hearCall(
    house,
    live,
    open
      ? { id }
      : {
          id,
          title: `${tool} ${path}`,
          tool: `tidemark ${tool}`,
          kind: 'edit',
          status: 'in_progress',
          input: isPrivate ? { path } : boundedJson(input),
          locations: paths.map((located) => ({ path: located })),
        },
    { paths, mayBeginAt: Number.POSITIVE_INFINITY, request: null },
  );
  await entry.started;
  const end = async (status: 'completed' | 'failed', { text, meta }: ToolAnswer) => {
    // A call that its agent announced is ended by its agent.
    if (open)
      hearCall(house, live, { id, ...(meta && { meta }) }, { paths: [], mayBeginAt: Date.now(), request: null });
    else await completeCall(house, live, id, { status, output: text, ...(meta && { meta }) }, status);
  };
  try {
    if (target instanceof Error) throw target;
    const answer = await change();
    await end('completed', answer);
    return { ...answer, meta: { ...answer.meta, run_id: live.run.id, tool_call_id: id } };
  } catch (error) {
    await end('failed', { text: error instanceof Error ? error.message : 'failed' });
    throw error;
  }
}
