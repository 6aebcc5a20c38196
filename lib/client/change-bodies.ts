/** Where a change block gets what a summary does not hold: further rows, patches, comparisons, bytes. */
import type { ChangedFile, ChangedFileBody, ChangeSummary, ChangeType, Origin, ShownChange } from '@/lib/domain/change';
import { fromWire, type Wire } from '@/lib/domain/events';
import type { FileId } from '@/lib/domain/ids';
import type { Comparison } from '@/lib/domain/patch';
import { type ReadOptions, readJson } from './read-json';

export interface RowsQuery {
  cursor?: string;
  /** Text that the path holds. */
  q?: string;
  origin?: Origin;
  kind?: ChangeType;
}

export interface RowsPage {
  files: ChangedFile[];
  nextCursor: string | null;
}

export interface ComparisonOptions {
  /** Unchanged lines around each change; `all` is the whole file. */
  context: number | 'all';
  ignoreWhitespace: boolean;
}

export interface Download {
  label: string;
  url: string;
}

/**
 * The door to the bodies of one change. Every reader fails with `RequestFailed` whose code is `expired` where
 * retention took the body. A record never changes: whatever a reader answered stays true for `key`.
 */
export interface ChangeBodies {
  /** Tells this change, generation and door from all others; the root of cache keys. */
  readonly key: string;
  rows(query: RowsQuery, signal: AbortSignal): Promise<RowsPage>;
  file(fileId: FileId, signal: AbortSignal): Promise<ChangedFileBody>;
  /** Null where only what is kept can be shown: a page from disk. */
  readonly comparison: ((fileId: FileId, options: ComparisonOptions, read: ReadOptions) => Promise<Comparison>) | null;
  /** Address of the bytes of one side, as an image shows them; null where there is none. */
  contentUrl(fileId: FileId, side: 'before' | 'after'): string | null;
  /** What can be saved of the whole change. */
  readonly downloads: readonly Download[];
  /** Address of the page that shows this change alone; null where it has none. */
  readonly page: string | null;
  /** Whether the reader sits at the computer that holds the workspace, so that an editor can open its files. */
  readonly local: boolean;
  /** Whether the bytes of any file can be saved, or only pictures seen. */
  readonly savesFiles: boolean;
  /** Ids of files that are no longer on disk as the change left them; null where this door cannot tell. */
  readonly changedSince: ((signal: AbortSignal) => Promise<FileId[]>) | null;
}

/** Bodies that are on their way at once; more wait, so that "expand all" leaves room for what is clicked next. */
const AT_ONCE = 3;

/** Runs at most `AT_ONCE` of the works given to it at a time, in order; what is aborted while it waits never starts. */
function inTurns(): <Answer>(signal: AbortSignal, work: () => Promise<Answer>) => Promise<Answer> {
  let going = 0;
  const waiting: (() => void)[] = [];
  return async (signal, work) => {
    if (going >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    going += 1;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      going -= 1;
      waiting.shift()?.();
    }
  };
}

const inTurn = inTurns();

/** Rows asked for at once: the most a list answers (CONTRACT, "Requests"). */
const PAGE_ROWS = 200;

/** A door to a change whose resources lie under `base`. */
function bodiesUnder(
  base: string,
  key: string,
  page: string | null,
  local: boolean,
  downloads: readonly Download[],
): ChangeBodies {
  return {
    key,
    page,
    local,
    savesFiles: local,
    downloads,
    async rows({ cursor, q, origin, kind }, signal) {
      const query = new URLSearchParams({ limit: String(PAGE_ROWS) });
      if (cursor !== undefined) query.set('cursor', cursor);
      if (q) query.set('q', q);
      if (origin) query.set('origin', origin);
      if (kind) query.set('kind', kind);
      return fromWire<RowsPage>(await readJson<Wire<RowsPage>>(`${base}/files?${query}`, { signal }));
    },
    async file(fileId, signal) {
      return inTurn(signal, async () => {
        const { file } = await readJson<{ file: Wire<ChangedFileBody> }>(`${base}/files/${fileId}`, { signal });
        return fromWire<ChangedFileBody>(file);
      });
    },
    comparison: async (fileId, { context, ignoreWhitespace }, read) => {
      const query = new URLSearchParams({ context: String(context) });
      if (ignoreWhitespace) query.set('ignore_whitespace', 'true');
      const answer = await readJson<Wire<Comparison>>(`${base}/files/${fileId}/comparison?${query}`, read);
      return fromWire<Comparison>(answer);
    },
    contentUrl: (fileId, side) => `${base}/files/${fileId}/content?side=${side}`,
    changedSince: local
      ? async (signal) => (await readJson<{ changed_since: FileId[] }>(`${base}/current`, { signal })).changed_since
      : null,
  };
}

/** The owner's door: the API, with the cookie. */
export function ownerBodies(
  change: Pick<ChangeSummary, 'sessionId' | 'runId' | 'changeId' | 'generation' | 'source'>,
): ChangeBodies {
  const { sessionId, runId, changeId, generation, source } = change;
  const base = `/api/sessions/${sessionId}/workspace-run-changes/${encodeURIComponent(changeId)}`;
  const page = source === 'run' ? `/runs/${runId}` : null;
  const downloads = [
    { label: 'Patch', url: `${base}/patch` },
    ...(page === null ? [] : exportsUnder(`/api/runs/${runId}`)),
  ];
  return bodiesUnder(base, `owner ${changeId} ${generation}`, page, true, downloads);
}

/** The owner's door to what a session changed, first state to last. */
export function sessionBodies({ sessionId, generation }: Pick<ShownChange, 'sessionId' | 'generation'>): ChangeBodies {
  const base = `/api/sessions/${sessionId}/first-to-last`;
  return bodiesUnder(base, `session ${sessionId} ${generation}`, null, true, [
    { label: 'Patch', url: `${base}/patch` },
  ]);
}

/** The reader's door of a share page: `/s/<token>`, no cookie, the one run that was shared. */
export function sharedBodies(token: string): ChangeBodies {
  const base = `/s/${token}`;
  return bodiesUnder(base, `share ${token}`, base, false, [
    { label: 'Patch', url: `${base}/patch` },
    ...exportsUnder(base),
  ]);
}

function exportsUnder(base: string): Download[] {
  return [
    { label: 'JSON', url: `${base}/export.json` },
    { label: 'Markdown', url: `${base}/export.md` },
    { label: 'HTML file', url: `${base}/export.html` },
  ];
}
