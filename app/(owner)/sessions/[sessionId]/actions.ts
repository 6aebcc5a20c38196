'use server';

import { z } from 'zod';
import { ownerAction } from '@/app/owner-action';
import type { ActionResult } from '@/lib/client/action-result';
import { runIdSchema, sessionIdSchema } from '@/lib/domain/id-schemas';
import type { PermissionId, RunId, SessionId } from '@/lib/domain/ids';
import { promptSchema } from '@/lib/domain/requests';
import * as commands from '@/lib/server/commands';

const startSchema = z.object({ sessionId: sessionIdSchema, ...promptSchema.shape });
const cancelSchema = z.object({ sessionId: sessionIdSchema, runId: runIdSchema });
const answerSchema = z.object({
  sessionId: sessionIdSchema,
  permissionId: z.string().min(1).max(64),
  optionId: z.string().min(1).max(256).nullable(),
});
const chooseSchema = z.object({
  sessionId: sessionIdSchema,
  choiceId: z.string().min(1).max(256),
  value: z.string().max(256),
});

/** Milliseconds that an agent may take to confirm a choice; past it the choice is on its way. */
const CHOICE_MS = 1_500;

/** Starts a run and returns its id at once. */
export async function startRun(input: {
  sessionId: SessionId;
  prompt: string;
  images: { mime_type: string; data: string }[];
}): Promise<ActionResult<{ runId: RunId }>> {
  return ownerAction(startSchema, input, async ({ sessionId, prompt, images = [] }) => {
    const run = await commands.startRun(sessionId, {
      text: prompt,
      images: images.map(({ mime_type, data }) => ({ mimeType: mime_type, data })),
    });
    return { runId: run.id };
  });
}

/** Asks a run to stop and returns at once; its end is an event. */
export async function cancelRun(input: { sessionId: SessionId; runId: RunId }): Promise<ActionResult> {
  return ownerAction(cancelSchema, input, async ({ sessionId, runId }) => {
    await commands.cancelRun(sessionId, runId);
    return null;
  });
}

/** Answers a permission request; null denies it. */
export async function answerPermission(input: {
  sessionId: SessionId;
  permissionId: PermissionId;
  optionId: string | null;
}): Promise<ActionResult> {
  return ownerAction(answerSchema, input, ({ sessionId, permissionId, optionId }) => {
    commands.answerPermission(sessionId, permissionId as PermissionId, optionId);
    return null;
  });
}

/** Chooses a mode, a model or an option of the agent. Actions queue in the browser, so a slow agent is not waited for. */
export async function chooseAgentOption(input: {
  sessionId: SessionId;
  choiceId: string;
  value: string;
}): Promise<ActionResult> {
  return ownerAction(chooseSchema, input, async ({ sessionId, choiceId, value }) => {
    const chosen = commands.chooseAgentOption(sessionId, choiceId, value);
    const soon = new Promise((resolve) => setTimeout(resolve, CHOICE_MS));
    // What fails later than that shows as the choice staying what it was.
    chosen.catch(() => undefined);
    await Promise.race([chosen, soon]);
    return null;
  });
}
