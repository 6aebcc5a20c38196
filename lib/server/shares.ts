/** Makes, lists and tells about links that show one run. */
import 'server-only';
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from '@/lib/domain/errors';
import { changeIdOf, type FileId, mintId, type ShareId } from '@/lib/domain/ids';
import type { createShareSchema } from '@/lib/domain/requests';
import type { Run } from '@/lib/domain/run';
import type { MaskedSecret, Share } from '@/lib/domain/share';
import { allFiles } from '@/lib/store/change-store';
import { deleteShare, findShare, insertShare, listShares } from '@/lib/store/share-store';
import { ownUrl } from './address';
import { settings } from './env';
import { requireSession } from './lookups';
import { house } from './runtime';
import { maskedSecrets } from './shared-bodies';
import { type Sharing, sharedRun } from './shared-run';

const DAY_MS = 86_400_000;

export type ShareRequest = z.output<typeof createShareSchema>;

/** A share as its owner sees it. */
export interface ShareView {
  id: ShareId;
  url: string;
  /** Whether the link opens elsewhere than on this computer. */
  isPublic: boolean;
  createdAt: number;
  expiresAt: number | null;
  includePrompt: boolean;
  includeAnswer: boolean;
  leftOut: number;
}

function viewOf(share: Share): ShareView {
  const { publicUrl } = settings();
  return {
    id: share.id,
    url: `${(publicUrl ?? ownUrl()).replace(/\/$/, '')}/s/${share.token}`,
    isPublic: publicUrl !== null,
    createdAt: share.createdAt,
    expiresAt: share.expiresAt,
    includePrompt: share.includePrompt,
    includeAnswer: share.includeAnswer,
    leftOut: share.excludePaths.length,
  };
}

/** What was asked for, with files named by path. Ids of other runs' files name nothing. */
function sharingOf(run: Run, request: ShareRequest): Sharing {
  const paths = new Map(
    allFiles(house().store, changeIdOf({ source: 'run', runId: run.id })).map(({ id, path }) => [id as string, path]),
  );
  const named = (ids: string[]) => ids.flatMap((id) => paths.get(id as FileId) ?? []);
  return {
    includePrompt: request.include_prompt,
    includeAnswer: request.include_answer,
    excludePaths: named(request.exclude_file_ids),
    revealPaths: named(request.reveal),
  };
}

/** What a share made like this would mask, before anybody can see it. */
export function previewShare(run: Run, request: ShareRequest): Promise<MaskedSecret[]> {
  return maskedSecrets(sharedRun(run, requireSession(run.sessionId), sharingOf(run, request)));
}

/** Makes a link, and tells what it masks. */
export async function createShare(
  run: Run,
  request: ShareRequest,
): Promise<{ share: ShareView; masked: MaskedSecret[] }> {
  const now = Date.now();
  const share: Share = {
    ...sharingOf(run, request),
    id: mintId<ShareId>('share'),
    token: randomBytes(24).toString('base64url'),
    runId: run.id,
    createdAt: now,
    expiresAt: request.expires_in_days === undefined ? null : now + request.expires_in_days * DAY_MS,
  };
  const masked = await maskedSecrets(sharedRun(run, requireSession(run.sessionId), share));
  insertShare(house().store, share);
  return { share: viewOf(share), masked };
}

/** The links of a run that open it now, newest first. */
export function sharesOf(run: Run): ShareView[] {
  const now = Date.now();
  return listShares(house().store, run.id)
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(viewOf);
}

/** Revokes a link: it opens nothing from now on. Throws `not_found`. */
export function revokeShare(id: string): void {
  const { store } = house();
  if (!findShare(store, id as ShareId)) throw new AppError('not_found', 'There is no such link.');
  deleteShare(store, id as ShareId);
}
