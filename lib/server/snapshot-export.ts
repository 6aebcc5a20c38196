/** Exports the last look at a session's workspace in seed 003's form, and compares an earlier export with it. */
import 'server-only';
import type { Session } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { MAX_BODY_BYTES } from '@/lib/domain/requests';
import {
  compareSnapshots,
  loadSnapshot,
  type SnapshotDelta,
  saveSnapshot,
  type WorkspaceSnapshot,
  workspaceSnapshot,
} from '@/lib/domain/workspace-snapshot';
import { lastLook } from '@/lib/runs/last-look';
import { readBody } from './http';
import { house } from './runtime';

/** Throws `not_found` where no run ended in the folder yet. */
async function lastSnapshot({ workspace }: Session): Promise<WorkspaceSnapshot> {
  const opened = house();
  const last = lastLook(opened, workspace);
  if (!last) throw new AppError('not_found', 'No run has ended in this folder yet, so there is no snapshot of it.');
  return workspaceSnapshot(await opened.capture.listSnapshot(last.snapshot), last.takenAt);
}

export async function snapshotResponse(session: Session): Promise<Response> {
  return new Response(saveSnapshot(await lastSnapshot(session)), {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' },
  });
}

/** What changed from an earlier export, the body of the request, to the last look. */
export async function snapshotComparison(request: Request, session: Session): Promise<SnapshotDelta> {
  const text = new TextDecoder().decode(await readBody(request, MAX_BODY_BYTES));
  return compareSnapshots(loadSnapshot(text), await lastSnapshot(session));
}
