/** What the MCP tools work with in this house: whose run an edit belongs to, its record, and what is recorded of runs. */
import { resolve } from 'node:path';
import type { KeptBodies, WorkspaceLocation } from '@/lib/capture/capture';
import { type ChangeSummary, isChange } from '@/lib/domain/change';
import type { Json, Session } from '@/lib/domain/conversation';
import { runIdSchema } from '@/lib/domain/id-schemas';
import { changeIdOf, mintId, type RunId, type SessionId, type ToolCallId } from '@/lib/domain/ids';
import { isTerminal, type Run } from '@/lib/domain/run';
import { allFiles, findChange, keptBodies } from '@/lib/store/change-store';
import { findRun, recentRuns } from '@/lib/store/run-store';
import { findSession } from '@/lib/store/session-store';
import { type RunReader, recordGone } from '@/lib/tools/run-tools';
import { type ToolAnswer, ToolFailure } from '@/lib/tools/tool-answer';
import type { ChangingCall, ToolDoor } from '@/lib/tools/tool-server';
import { workspaceFiles } from '@/lib/tools/workspace-files';
import { evidenceOf } from './evidence';
import { boundedJson } from './hook-call';
import type { House } from './house';
import { type LiveCall, type LiveRun, liveRunOf } from './live-run';
import { privatePathsOf } from './private-paths';
import { byEvidence, recordOf, summaryOf } from './records';
import { settled } from './settled';
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
  return {
    maxLines: limits.toolDiffLines,
    async editTools() {
      const { location } = await located();
      const isPrivate = privatePathsOf(house.settings, location);
      return {
        files: workspaceFiles({ root: location.root, maxBytes: limits.fileBytes }),
        bounds: { maxLines: limits.toolDiffLines, timeoutMs: limits.lineDiffMs },
        isPrivate: (name) => isPrivate(resolve(location.root, name)),
      };
    },
    async recorded(call, change) {
      const where = await located();
      const { live, open } = await runOf(house, clients, binding, where, call);
      return recorded(house, live, open, resolve(where.location.root, call.path), call, change);
    },
    reader: readerOf(house, clients, binding, located),
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
  absolute: string,
  { tool, path, input }: ChangingCall,
  change: () => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  live.touchedAt = Date.now();
  const id = open?.call.id ?? mintId<ToolCallId>('call');
  const isPrivate = privatePathsOf(house.settings, live.recorder.location)(absolute);
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
          locations: [{ path: absolute }],
        },
    { paths: [absolute], wait: true, request: null },
  );
  await entry.started;
  const end = async (status: 'completed' | 'failed', { text, meta }: ToolAnswer) => {
    // A call that its agent announced is ended by its agent.
    if (open) hearCall(house, live, { id, ...(meta && { meta }) }, { paths: [], wait: false, request: null });
    else await completeCall(house, live, id, { status, output: text, ...(meta && { meta }) }, status);
  };
  try {
    const answer = await change();
    await end('completed', answer);
    return { ...answer, meta: { ...answer.meta, run_id: live.run.id, tool_call_id: id } };
  } catch (error) {
    await end('failed', { text: error instanceof Error ? error.message : 'failed' });
    throw error;
  }
}

function readerOf(house: House, clients: ToolClients, binding: ToolBinding, located: () => Promise<Where>): RunReader {
  const { summaryRows } = house.settings.limits;
  const listed = async (limit: number): Promise<Run[]> => {
    const { session, location } = await located();
    return recentRuns(house.store, { ...(session ? { sessionId: session.id } : { folder: location.root }), limit })
      .runs;
  };
  return {
    listRuns: listed,
    async findRun(runId) {
      if (runId !== null) {
        const id = runIdSchema.safeParse(runId);
        const run = id.success ? findRun(house.store, id.data) : null;
        if (!run) throw new ToolFailure(`There is no run ${runId.slice(0, 64)}; list_runs lists what is recorded.`);
        return run;
      }
      const own = clients.get(binding.client)?.runId;
      const ownLive = own ? house.live.get(own) : undefined;
      if (ownLive) return ownLive.run;
      const runs = await listed(20);
      const run = runs.find(({ status }) => status === 'running') ?? runs[0];
      if (!run) throw new ToolFailure('No run is recorded here.');
      return run;
    },
    async changeOf(run) {
      const live = house.live.get(run.id);
      if (live && live.ending === null) return (await peek(house, live, false)).change;
      await live?.ending;
      return storedChange(house, run.id, 'run', summaryRows);
    },
    async driftOf(run) {
      const live = house.live.get(run.id);
      if (live) await settled(live);
      const change = findChange(house.store, changeIdOf({ source: 'drift', runId: run.id }), summaryRows);
      const stored = findRun(house.store, run.id);
      if (!change && stored?.baseline !== 'ready') {
        throw new ToolFailure(`What changed before ${run.id} is not known: there is no snapshot from its start.`);
      }
      return change;
    },
    async patchOf(run, maxBytes) {
      const live = house.live.get(run.id);
      if (live && live.ending === null) {
        const { patch } = await peek(house, live, true, maxBytes);
        return patch;
      }
      await live?.ending;
      const change = storedChange(house, run.id, 'run', summaryRows);
      if (!change) return null;
      const kept = keptBodies(house.store, change.changeId)?.kept as KeptBodies | null | undefined;
      if (!kept) throw new ToolFailure(`The patch of ${run.id} is no longer kept.`);
      const files = allFiles(house.store, change.changeId).filter(({ origin }) => origin !== 'git');
      return readPatch(house, kept, change.workspace, files, maxBytes);
    },
  };
}

/** The record of a run that ended; null where it truly changed nothing. */
function storedChange(house: House, runId: RunId, source: 'run', rows: number): ChangeSummary | null {
  const change = findChange(house.store, changeIdOf({ source, runId }), rows);
  if (change) return change;
  const run = findRun(house.store, runId);
  if (!run || !isTerminal(run.status)) throw new ToolFailure('This run is gone.');
  if (run.status === 'interrupted' || run.baseline === 'missing' || run.baseline === 'pending') throw recordGone(run);
  return null;
}

/** What a run that goes on changed so far, with its patch where that is wanted. */
async function peek(
  house: House,
  live: LiveRun,
  withPatch: boolean,
  maxBytes = 0,
): Promise<{ change: ChangeSummary | null; patch: Awaited<ReturnType<RunReader['patchOf']>> }> {
  await settled(live);
  const { run, recorder, session } = live;
  await recorder.look();
  const keepAs = withPatch ? `peek:${mintId<ToolCallId>('call')}` : null;
  const delta = recorder.baselineState === 'missing' ? null : await recorder.soFar(keepAs);
  if (!delta) throw recordGone({ ...run, error: run.error ?? 'there is no snapshot from its start' });
  const record = recordOf(
    {
      subject: { source: 'run', runId: run.id },
      sessionId: session.id,
      workspace: recorder.location.root,
      startedAt: run.startedAt,
      finishedAt: null,
      generation: 0,
      overlaps: [...live.neighbours.keys()],
      sharedWith: [],
    },
    delta,
    byEvidence(evidenceOf(live)),
    [],
    Date.now(),
  );
  try {
    const files = record.files.filter(({ origin }) => origin !== 'git');
    const patch =
      withPatch && files.length > 0
        ? await readPatch(house, delta.kept, recorder.location.root, files, maxBytes)
        : null;
    const changed = isChange({ fileCount: record.files.length, git: record.git, gaps: record.gaps });
    return { change: changed ? summaryOf(record, house.settings.limits.summaryRows) : null, patch };
  } finally {
    if (keepAs !== null) await house.capture.forget(keepAs, delta.kept).catch(() => undefined);
  }
}

async function readPatch(
  house: House,
  kept: KeptBodies,
  root: string,
  files: Parameters<House['capture']['readPatch']>[2],
  maxBytes: number,
): Promise<{ text: string; isWhole: boolean; applyFrom: string }> {
  const patch = await house.capture.readPatch(kept, { root }, files);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = true;
  for await (const chunk of patch.text) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      isWhole = false;
      break;
    }
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isWhole, applyFrom: patch.applyFrom };
}
