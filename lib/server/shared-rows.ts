/** The rows of a shared run, filtered and paged as the owner's list is. */
import 'server-only';
import type { ChangedFile } from '@/lib/domain/change';
import { type RowsQuery, rowsPage } from './rows-page';
import { type SharedRun, sharedRow } from './shared-run';

export function sharedRows(shared: SharedRun, query: RowsQuery): { files: ChangedFile[]; nextCursor: string | null } {
  const { rows, nextCursor } = rowsPage(shared.rows, query);
  return { files: rows.map(sharedRow), nextCursor };
}
