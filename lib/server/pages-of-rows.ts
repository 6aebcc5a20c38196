/** Pages of stored rows, as the API's lists answer them. */
import 'server-only';
import type { z } from 'zod';
import type { Session } from '@/lib/domain/conversation';
import type { ChangeId } from '@/lib/domain/ids';
import type { changesQuerySchema, filesQuerySchema } from '@/lib/domain/requests';
import { listChanges, listFiles } from '@/lib/store/change-store';
import { searchRuns } from '@/lib/store/search-store';
import { house } from './runtime';

/** The changes of a session, oldest first, without bodies. */
export function changePage(session: Session, { run_id: runId, ...page }: z.output<typeof changesQuerySchema>) {
  const { store, settings } = house();
  return listChanges(store, session.id, { ...page, runId }, settings.limits.summaryRows);
}

/** The rows of a change, without bodies. */
export function filePage(changeId: ChangeId, page: z.output<typeof filesQuerySchema>) {
  return listFiles(house().store, changeId, page);
}

/** Runs by title, folder, prompt and changed path, newest first. */
export function runsMatching(text: string, limit: number) {
  return searchRuns(house().store, text, limit);
}
