import { markdownDownload } from '@/lib/server/export-downloads';
import { ownerRoute } from '@/lib/server/http';
import { ownersShare } from '@/lib/server/run-exports';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The run as Markdown for a pull request, its secrets masked. */
export const GET = ownerRoute<{ runId: string }>((_, { runId }) => markdownDownload(ownersShare(runId)));
