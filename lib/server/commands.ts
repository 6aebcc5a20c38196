/** What the browser's server actions do, once they checked the cookie and parsed their input. */
import 'server-only';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { AgentPrompt } from '@/lib/agents/agent';
import type { PermissionRequest, Session } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import type { PermissionId, RunId, SessionId } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import { comparePaths, displayPath, type WorkspaceKind } from '@/lib/domain/workspace';
import { openAgentOf, startAgentRun } from '@/lib/runs/agent-run';
import { cancelRun as cancel } from '@/lib/runs/outside-run';
import { answerPermission as answer } from '@/lib/runs/permissions';
import { createSession as create, refuseOutsideRoots, removeSession } from '@/lib/runs/sessions';
import { retitle } from '@/lib/runs/titles';
import { trimBodies } from '@/lib/runs/upkeep';
import { requireSession } from './lookups';
import { house } from './runtime';

/** Makes a session. Throws `workspace_unavailable`, `workspace_not_allowed`, `agent_unavailable`. */
export async function createSession(input: { workspace: string; agent?: string; title?: string }): Promise<Session> {
  const { session } = await create(house(), { ...input, request: null });
  return session;
}

export function renameSession(sessionId: SessionId, title: string): void {
  retitle(house(), requireSession(sessionId).id, title);
}

export async function deleteSession(sessionId: SessionId): Promise<void> {
  await removeSession(house(), requireSession(sessionId).id);
}

/** Starts a run of the session's agent and returns at once. */
export function startRun(sessionId: SessionId, prompt: AgentPrompt): Promise<Run> {
  return startAgentRun(house(), requireSession(sessionId), prompt);
}

/** Asks a run to stop and returns at once. */
export async function cancelRun(sessionId: SessionId, runId: RunId): Promise<void> {
  await cancel(house(), sessionId, runId);
}

export function answerPermission(sessionId: SessionId, id: PermissionId, optionId: string | null): PermissionRequest {
  return answer(house(), sessionId, id, optionId);
}

/** Chooses a mode, a model or an option of the session's agent. */
export async function chooseAgentOption(sessionId: SessionId, choiceId: string, value: string): Promise<void> {
  const session = requireSession(sessionId);
  const agent = house().agents.find((candidate) => candidate.id === session.agent);
  if (!agent) throw new AppError('agent_unavailable', 'This session has no agent of its own.');
  await openAgentOf(house(), session, agent).session.choose(choiceId, value);
}

export interface FolderListing {
  /** Real path of the folder that is listed. */
  path: string;
  displayPath: string;
  parent: string | null;
  folders: { name: string; path: string; isRepository: boolean }[];
  /** Folders beyond `MOST_FOLDERS` that are not listed. */
  more: number;
}

/** Folders listed at most: a picker is no file manager. */
const MOST_FOLDERS = 500;

/** The folders in a folder, for the picker. Hidden ones are left out. Throws `workspace_unavailable`. */
export async function listFolders(path: string): Promise<FolderListing> {
  const opened = house();
  const asked = path === '' ? homedir() : path.startsWith('~') ? `${homedir()}${path.slice(1)}` : path;
  const real = await realpath(asked).catch(() => {
    throw new AppError('workspace_unavailable', 'There is no such folder.');
  });
  refuseOutsideRoots(opened, real);
  const entries = await readdir(real, { withFileTypes: true }).catch(() => {
    throw new AppError('workspace_unavailable', 'This folder cannot be read.');
  });
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort(comparePaths);
  const base = real === '/' ? '' : real;
  const folders = await Promise.all(
    names.slice(0, MOST_FOLDERS).map(async (name) => ({
      name,
      path: `${base}/${name}`,
      isRepository: await readdir(`${base}/${name}`)
        .then((inner) => inner.includes('.git'))
        .catch(() => false),
    })),
  );
  return {
    path: real,
    displayPath: displayPath(real, homedir()),
    parent: real === '/' ? null : dirname(real),
    folders,
    more: Math.max(0, names.length - MOST_FOLDERS),
  };
}

export interface WorkspaceCheck {
  workspace: string;
  displayWorkspace: string;
  kind: WorkspaceKind;
  repository: string | null;
  /** Snapshots are off there; say so before a session is made. */
  wholeFolder: boolean;
}

/** What a folder is, before a session is made in it. Throws `workspace_unavailable`, `workspace_not_allowed`. */
export async function checkWorkspace(path: string): Promise<WorkspaceCheck> {
  const expanded = path.startsWith('~/') || path === '~' ? `${homedir()}${path.slice(1)}` : path;
  const { root, kind, repository, wholeFolder } = await house().capture.locate(expanded);
  refuseOutsideRoots(house(), root);
  return { workspace: root, displayWorkspace: displayPath(root, homedir()), kind, repository, wholeFolder };
}

/** Takes bodies away, oldest first, until at most `bytes` remain. Returns how many changes expired. */
export function freeSpace(bytes: number): Promise<number> {
  return trimBodies(house(), bytes);
}
