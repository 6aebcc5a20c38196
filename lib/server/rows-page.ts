/** A page of rows that are held in memory, filtered and paged as the lists of the store are. */
import type { ChangedFile, ChangeType, Origin } from '@/lib/domain/change';

export interface RowsQuery {
  cursor?: string | undefined;
  limit: number;
  q?: string | undefined;
  origin?: Origin | undefined;
  kind?: ChangeType | undefined;
}

export function rowsPage<Row extends ChangedFile>(
  rows: readonly Row[],
  { cursor, limit, q, origin, kind }: RowsQuery,
): { rows: Row[]; nextCursor: string | null } {
  const text = q?.toLowerCase() ?? '';
  const wanted = rows.filter(
    ({ path, oldPath, origin: own, changeType }) =>
      (origin === undefined || own === origin) &&
      (kind === undefined || changeType === kind) &&
      (text === '' || path.toLowerCase().includes(text) || (oldPath?.toLowerCase().includes(text) ?? false)),
  );
  const from = Math.max(0, Number.parseInt(cursor ?? '0', 10) || 0);
  return {
    rows: wanted.slice(from, from + limit),
    nextCursor: from + limit < wanted.length ? String(from + limit) : null,
  };
}
