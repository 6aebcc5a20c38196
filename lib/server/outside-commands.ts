/** What outside hosts ask for over HTTP: their runs and calls, in the words of the request schemas. */
import 'server-only';
import type { z } from 'zod';
import type { Session } from '@/lib/domain/conversation';
import type { RunId, ToolCallId } from '@/lib/domain/ids';
import type {
  completeRunSchema,
  completeToolCallSchema,
  createSessionSchema,
  startRunSchema,
  startToolCallSchema,
} from '@/lib/domain/requests';
import * as outside from '@/lib/runs/outside-run';
import { createSession as create, refuseOutsideRoots } from '@/lib/runs/sessions';
import { canonical } from './http';
import { house } from './runtime';

type Outcome<Made> = Promise<Made & { created: boolean }>;

/** Makes a session. `body` is the request as it came: a repeat of it answers what exists. */
export function createSession(
  input: z.output<typeof createSessionSchema>,
  body: unknown,
): Outcome<{ session: Session }> {
  const { workspace, agent, title, session_id: sessionId } = input;
  return create(house(), { workspace, agent, title, sessionId, request: canonical(body) });
}

type OutsideStart = Extract<z.output<typeof startRunSchema>, { external: true }>;

/** Starts a run of an outside host. Resolves once its baseline exists, or the waiting limit has passed. */
export async function startOutsideRun(session: Session, input: OutsideStart, body: unknown) {
  const { prompt, run_id: runId, workspace } = input;
  if (workspace !== undefined) refuseOutsideRoots(house(), (await house().capture.locate(workspace)).root);
  return outside.startOutsideRun(house(), session, { prompt, runId, workspace, request: canonical(body) });
}

/** A call of an outside host begins. Resolves once the files it names are captured. */
export function startOutsideCall(
  session: Session,
  runId: RunId,
  input: z.output<typeof startToolCallSchema>,
  body: unknown,
) {
  const { tool_call_id: id, ...rest } = input;
  return outside.startOutsideCall(house(), session.id, runId, { ...rest, id, request: canonical(body) });
}

/** A call of an outside host ends. Resolves with what it changed by itself. */
export function completeOutsideCall(
  session: Session,
  runId: RunId,
  id: ToolCallId,
  end: z.output<typeof completeToolCallSchema>,
) {
  return outside.completeOutsideCall(house(), session.id, runId, { ...end, id, completion: canonical(end) });
}

/** An outside host's run ends. Resolves once its change is stored. */
export function completeOutsideRun(session: Session, runId: RunId, end: z.output<typeof completeRunSchema>) {
  return outside.completeOutsideRun(house(), session.id, runId, { ...end, completion: canonical(end) });
}
