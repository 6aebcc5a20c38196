/** The rows of a shared run, filtered and paged as the owner's list is. */
import 'server-only';
import type { ChangedFile, ChangeType, Origin } from '@/lib/domain/change';
import { type SharedRun, sharedRow } from './shared-run';

export interface SharedRowsQuery {
  cursor?: string | undefined;
  limit: number;
  q?: string | undefined;
  origin?: Origin | undefined;
  kind?: ChangeType | undefined;
}

export function sharedRows(
  { rows }: SharedRun,
  { cursor, limit, q, origin, kind }: SharedRowsQuery,
): { files: ChangedFile[]; nextCursor: string | null } {
  const text = q?.toLowerCase() ?? '';
  const wanted = rows.filter(
    ({ path, oldPath, origin: own, changeType }) =>
      (origin === undefined || own === origin) &&
      (kind === undefined || changeType === kind) &&
      (text === '' || path.toLowerCase().includes(text) || (oldPath?.toLowerCase().includes(text) ?? false)),
  );
  const from = Math.max(0, Number.parseInt(cursor ?? '0', 10) || 0);
  return {
    files: wanted.slice(from, from + limit).map(sharedRow),
    nextCursor: from + limit < wanted.length ? String(from + limit) : null,
  };
}
