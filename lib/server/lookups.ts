/** Finds what a request names, or fails with `not_found`. */
import 'server-only';
import type { KeptBodies } from '@/lib/capture/capture';
import type { ChangeSummary } from '@/lib/domain/change';
import type { Session, ToolCall } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { runIdSchema, sessionIdSchema, toolCallIdSchema } from '@/lib/domain/id-schemas';
import {
  type ChangeId,
  changeIdOf,
  type FileId,
  parseChangeId,
  type RunId,
  type SessionId,
  type ToolCallId,
} from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import { type FileWithBody, findChange, findFile, keptBodies } from '@/lib/store/change-store';
import { findRun } from '@/lib/store/run-store';
import { findSession } from '@/lib/store/session-store';
import { findToolCall } from '@/lib/store/tool-store';
import { house } from './runtime';

export function requireSession(segment: string): Session {
  const id = sessionIdSchema.safeParse(segment);
  const session = id.success ? findSession(house().store, id.data as SessionId) : null;
  if (!session) throw new AppError('not_found', 'There is no such session.');
  return session;
}

export function requireRun(segment: string): Run {
  const id = runIdSchema.safeParse(segment);
  const run = id.success ? findRun(house().store, id.data as RunId) : null;
  if (!run) throw new AppError('not_found', 'There is no such run.');
  return run;
}

export function parseToolCallId(segment: string): ToolCallId {
  const id = toolCallIdSchema.safeParse(segment);
  if (!id.success) throw new AppError('not_found', 'There is no such tool call.');
  return id.data;
}

/** A call whole: as it is now where its run goes on, else as it is stored. */
export function requireToolCall(run: Run, segment: string): ToolCall {
  const { live, store } = house();
  const id = parseToolCallId(segment);
  const toolCall = live.get(run.id)?.calls.get(id)?.call ?? findToolCall(store, run.id, id);
  if (!toolCall) throw new AppError('not_found', 'There is no such tool call in this run.');
  return toolCall;
}

/**
 * A change id as a URL writes it, decoded once by the framework: encoded once more as CONTRACT says, or as it is
 * (`run:x`), in which case the call's id in `tool:<run>:<call>` stands there decoded.
 */
export function parseChangeSegment(segment: string): ChangeId {
  const [, run, call] = /^tool:([^:]+):([\s\S]+)$/.exec(segment) ?? [];
  const subject =
    parseChangeId(segment) ?? (run && call ? parseChangeId(`tool:${run}:${encodeURIComponent(call)}`) : null);
  if (!subject) throw new AppError('not_found', 'There is no such change.');
  return changeIdOf(subject);
}

export function requireChange(session: Session, segment: string): ChangeSummary {
  const { store, settings } = house();
  const change = findChange(store, parseChangeSegment(segment), settings.limits.summaryRows, session.id);
  if (!change) throw new AppError('not_found', 'There is no such change in this session.');
  return change;
}

/** One row of a change with its body. */
export function requireFile(changeId: ChangeId, segment: string): FileWithBody {
  const file = findFile(house().store, changeId, segment as FileId);
  if (!file) throw new AppError('not_found', 'There is no such file in this change.');
  return file;
}

/** Where the bodies of a change are kept. Throws `expired` where retention took them. */
export function requireBodies(changeId: ChangeId): KeptBodies {
  const kept = keptBodies(house().store, changeId)?.kept;
  if (kept === null || kept === undefined) {
    throw new AppError(
      'expired',
      'This content is no longer kept: it was removed to stay within the limits of retention.',
    );
  }
  return kept as KeptBodies;
}
