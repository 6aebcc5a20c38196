/** MCP clients that work outside any run of theirs: their edits make a run of their own, which ends when they fall silent. */
import type { Session } from '@/lib/domain/conversation';
import { mintId, type RunId } from '@/lib/domain/ids';
import { findOutsideSession } from '@/lib/store/session-store';
import { finishRun } from './finish-run';
import type { House } from './house';
import { type LiveRun, liveRunOf } from './live-run';
import { startOutsideRun } from './outside-run';
import { createSession, refuseOutsideRoots } from './sessions';

/** Milliseconds without a request after which a client's run is over. */
const SILENCE_MS = 5 * 60_000;
/** Clients whose names are remembered. */
const MAX_CLIENTS = 1_000;

export interface ToolClient {
  /** As it introduced itself. */
  name: string;
  /** Its run that goes on, or went on last. */
  runId: RunId | null;
  heardAt: number;
  /** Two edits at once begin one run. */
  beginning: Promise<LiveRun> | null;
}

/** By what tells one client from another: the process that speaks for it, else the folder. */
export type ToolClients = Map<string, ToolClient>;

export function clientOf(clients: ToolClients, key: string, now: number): ToolClient {
  const client = clients.get(key) ?? { name: 'MCP client', runId: null, heardAt: now, beginning: null };
  client.heardAt = now;
  clients.delete(key);
  clients.set(key, client);
  const [oldest] = clients.keys();
  if (clients.size > MAX_CLIENTS && oldest !== undefined) clients.delete(oldest);
  return client;
}

/** The client's own run, begun where none goes on. Resolves when its baseline exists. */
export async function ownRun(
  house: House,
  clients: ToolClients,
  key: string,
  where: { session: Session } | { folder: string },
): Promise<LiveRun> {
  const client = clientOf(clients, key, Date.now());
  const going = client.runId === null ? undefined : house.live.get(client.runId);
  if (going && going.ending === null) return going;
  client.beginning ??= begin(house, client, key, where).finally(() => {
    client.beginning = null;
  });
  return client.beginning;
}

async function begin(
  house: House,
  client: ToolClient,
  key: string,
  where: { session: Session } | { folder: string },
): Promise<LiveRun> {
  const session = 'session' in where ? where.session : await sessionOf(house, client, key, where.folder);
  refuseOutsideRoots(house, session.workspace);
  const runId = mintId<RunId>('run');
  await startOutsideRun(house, session, { prompt: '', runId, request: '' });
  client.runId = runId;
  const live = house.live.get(runId);
  if (!live) throw new Error('A run that just began is gone');
  return live;
}

async function sessionOf(house: House, client: ToolClient, key: string, folder: string): Promise<Session> {
  const { root } = await house.capture.locate(folder);
  // One session for all that a program does in a folder; a second process of it at the same time gets its own.
  const shared = `mcp:${client.name}:${root}`;
  const first = findOutsideSession(house.store, shared);
  const isBusy = first !== null && liveRunOf(house.live, first.id) !== null;
  const outsideKey = isBusy ? `${shared}:${key}` : shared;
  const known = isBusy ? findOutsideSession(house.store, outsideKey) : first;
  if (known) return known;
  const { session } = await createSession(house, { workspace: root, title: client.name, outsideKey, request: null });
  return session;
}

/** Ends the run of a client that said goodbye. */
export async function dismissClient(house: House, clients: ToolClients, key: string): Promise<void> {
  const client = clients.get(key);
  if (client) await endOwnRun(house, client);
}

/** Ends the runs of clients that have been silent for long. */
export async function dismissSilentClients(house: House, clients: ToolClients, now: number): Promise<void> {
  for (const client of clients.values()) if (now - client.heardAt >= SILENCE_MS) await endOwnRun(house, client);
}

async function endOwnRun(house: House, client: ToolClient): Promise<void> {
  const live = client.runId === null ? undefined : house.live.get(client.runId);
  client.runId = null;
  if (!live || live.ending !== null) return;
  await finishRun(house, live, { status: 'completed', stopReason: 'client left', error: null, completion: null });
}
