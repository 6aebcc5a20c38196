/** Waits for a human's answer to what an agent asks; denies when the run is cancelled or ends. */
import type { PermissionQuestion } from '@/lib/agents/agent';
import type { PermissionRequest } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { mintId, type PermissionId, type SessionId } from '@/lib/domain/ids';
import { findPermission, insertPermission, savePermissionAnswer } from '@/lib/store/run-store';
import type { House } from './house';
import type { LiveRun } from './live-run';
import { tell } from './tell';

/** Asks and resolves with the chosen option, or null when it was cancelled. */
export function askPermission(
  house: House,
  live: LiveRun,
  question: PermissionQuestion,
  signal: AbortSignal,
): Promise<string | null> {
  const request: PermissionRequest = {
    id: mintId<PermissionId>('perm'),
    runId: live.run.id,
    toolCallId: question.call.id,
    title: question.title,
    options: question.options,
    createdAt: Date.now(),
    answer: null,
  };
  insertPermission(house.store, live.session.id, request);
  return new Promise((resolve) => {
    const cancel = () => answer(null);
    const answer = (optionId: string | null) => {
      if (!live.permissions.delete(request.id)) return;
      signal.removeEventListener('abort', cancel);
      const answered = { optionId, at: Date.now() };
      savePermissionAnswer(house.store, request.id, answered);
      announce('permission.resolved', { ...request, answer: answered });
      resolve(optionId);
    };
    const announce = (event: 'permission.requested' | 'permission.resolved', permission: PermissionRequest) =>
      tell(house, live, { event, permission });
    live.permissions.set(request.id, { request, answer });
    announce('permission.requested', request);
    // After a cancel nothing waits any more: the answer is no.
    if (signal.aborted || live.ending !== null) answer(null);
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

/** Answers a permission. Throws `not_found` and `invalid_request`; a repeat of the same answer is no error. */
export function answerPermission(
  house: House,
  sessionId: SessionId,
  id: PermissionId,
  optionId: string | null,
): PermissionRequest {
  const stored = findPermission(house.store, sessionId, id);
  if (!stored) throw new AppError('not_found', 'There is no such permission request.');
  if (optionId !== null && !stored.options.some((option) => option.optionId === optionId)) {
    throw new AppError('invalid_request', 'option_id: is none of the options');
  }
  if (stored.answer) {
    if (stored.answer.optionId === optionId) return stored;
    throw new AppError('invalid_request', 'option_id: this request was already answered');
  }
  house.live.get(stored.runId)?.permissions.get(id)?.answer(optionId);
  return findPermission(house.store, sessionId, id) ?? stored;
}

/** The requests of a session that still wait. */
export function openPermissions(house: House, sessionId: SessionId): PermissionRequest[] {
  return [...house.live.values()]
    .filter((live) => live.session.id === sessionId)
    .flatMap((live) => [...live.permissions.values()].map((permission) => permission.request));
}
