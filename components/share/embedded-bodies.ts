/** The door of an exported file: everything it can show is in the file. */
import type { ChangeBodies, RowsQuery } from '@/lib/client/change-bodies';
import { RequestFailed } from '@/lib/client/read-json';
import type { ChangedFileBody } from '@/lib/domain/change';
import type { RunExport } from '@/lib/domain/run-export';

/** Rows handed out at once. */
const PAGE_ROWS = 500;

export function embeddedBodies({ files }: Pick<RunExport, 'files'>, pictures: Record<string, string>): ChangeBodies {
  const byId = new Map<string, ChangedFileBody>(files.map((file) => [file.id, file]));
  return {
    key: 'embedded',
    page: null,
    local: false,
    savesFiles: false,
    downloads: [],
    comparison: null,
    changedSince: null,
    contentUrl: (fileId, side) => pictures[`${fileId} ${side}`] ?? null,
    async rows(query) {
      const wanted = files.filter((file) => passesQuery(file, query));
      const from = Number(query.cursor ?? 0);
      const next = from + PAGE_ROWS;
      return { files: wanted.slice(from, next), nextCursor: next < wanted.length ? String(next) : null };
    },
    async file(fileId) {
      const file = byId.get(fileId);
      if (!file) throw new RequestFailed('not_found', 404, 'This file is not part of the exported run.');
      return file;
    },
  };
}

function passesQuery(
  { path, oldPath, origin, changeType }: ChangedFileBody,
  { q, origin: wanted, kind }: RowsQuery,
): boolean {
  if (wanted !== undefined && origin !== wanted) return false;
  if (kind !== undefined && changeType !== kind) return false;
  const text = q?.toLowerCase() ?? '';
  return path.toLowerCase().includes(text) || (oldPath?.toLowerCase().includes(text) ?? false);
}
