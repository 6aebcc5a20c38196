'use server';

import { z } from 'zod';
import { ownerAction } from '@/app/owner-action';
import type { ActionResult } from '@/lib/client/action-result';
import { sessionIdSchema } from '@/lib/domain/id-schemas';
import type { SessionId } from '@/lib/domain/ids';
import { createSessionSchema, patchSessionSchema } from '@/lib/domain/requests';
import * as commands from '@/lib/server/commands';

const newSessionSchema = createSessionSchema.pick({ workspace: true, agent: true }).required();
const pathSchema = z.object({ path: z.string().max(4096) });
const sessionSchema = z.object({ sessionId: sessionIdSchema });
const renameSchema = sessionSchema.extend(patchSessionSchema.shape);

/** Makes a session in a folder and answers its id. */
export async function createSession(input: {
  workspace: string;
  agent: string;
}): Promise<ActionResult<{ sessionId: SessionId }>> {
  return ownerAction(newSessionSchema, input, async ({ workspace, agent }) => {
    const found = await commands.checkWorkspace(workspace);
    const session = await commands.createSession({ workspace: found.workspace, agent });
    return { sessionId: session.id };
  });
}

/** What a folder is, or what is wrong with it; makes nothing. */
export async function checkWorkspace(input: { path: string }): Promise<ActionResult<commands.WorkspaceCheck>> {
  return ownerAction(pathSchema, input, ({ path }) => commands.checkWorkspace(path));
}

/** The folders in a folder; the home folder where none is named. */
export async function listFolders(input: { path: string }): Promise<ActionResult<commands.FolderListing>> {
  return ownerAction(pathSchema, input, ({ path }) => commands.listFolders(path));
}

export async function renameSession(input: { sessionId: SessionId; title: string }): Promise<ActionResult> {
  return ownerAction(renameSchema, input, ({ sessionId, title }) => {
    commands.renameSession(sessionId, title);
    return null;
  });
}

export async function deleteSession(input: { sessionId: SessionId }): Promise<ActionResult> {
  return ownerAction(sessionSchema, input, async ({ sessionId }) => {
    await commands.deleteSession(sessionId);
    return null;
  });
}
