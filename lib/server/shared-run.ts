/** What a share link shows of its run: which rows, with which words, and the secrets that stay hidden. */
import 'server-only';
import { homedir } from 'node:os';
import { type ChangedFile, type ChangeSummary, type Gap, totalsOf } from '@/lib/domain/change';
import type { Session } from '@/lib/domain/conversation';
import { AppError } from '@/lib/domain/errors';
import { changeIdOf } from '@/lib/domain/ids';
import { isTelling, type Masked, maskText, secretsIn } from '@/lib/domain/masking';
import type { Run } from '@/lib/domain/run';
import { isSecretFile, secretPart } from '@/lib/domain/secret-patterns';
import type { Share } from '@/lib/domain/share';
import { displayPath } from '@/lib/domain/workspace';
import { allFiles, findChange, type StoredFile, storedPatches } from '@/lib/store/change-store';
import { findRun, runMessages } from '@/lib/store/run-store';
import { findSession } from '@/lib/store/session-store';
import { openShare } from '@/lib/store/share-store';
import { processState } from './process-state';
import { house } from './runtime';
import { scanForSecrets } from './secret-scanner';

/** What may be seen of a run, and how. The owner's exports use one that was never stored. */
export type Sharing = Pick<Share, 'includePrompt' | 'includeAnswer' | 'excludePaths' | 'revealPaths'>;

export interface SharedRun {
  sharing: Sharing;
  run: Run;
  session: Session;
  agentName: string | null;
  change: ChangeSummary | null;
  /** The real path of the workspace; never shown. */
  workspace: string;
  /** Every row that is shown, with where its sides are kept; git's own rows among them. */
  rows: StoredFile[];
  /** Files that the owner left out. */
  leftOut: number;
}

/** The run that a token opens. Throws `not_found` alike for unknown, revoked and expired tokens. */
export function requireSharedRun(token: string): SharedRun {
  const { store } = house();
  const share = token.length <= 128 ? openShare(store, token, Date.now()) : null;
  const run = share && findRun(store, share.runId);
  const session = run && findSession(store, run.sessionId);
  if (!share || !run || !session) throw new AppError('not_found', 'There is nothing here.');
  return sharedRun(run, session, share);
}

export function sharedRun(run: Run, session: Session, sharing: Sharing): SharedRun {
  const { store, settings, agents } = house();
  const change = findChange(store, changeIdOf({ source: 'run', runId: run.id }), settings.limits.summaryRows);
  const all = change ? allFiles(store, change.changeId) : [];
  const left = new Set(sharing.excludePaths);
  const rows = all.filter(({ path }) => !left.has(path));
  return {
    sharing,
    run,
    session,
    agentName: agents.find((agent) => agent.id === session.agent)?.name ?? session.agent,
    change: change && sharedSummary(change, all, rows, settings.limits.summaryRows),
    workspace: change?.workspace ?? run.workspace,
    rows,
    leftOut: all.length - rows.length,
  };
}

/** A row as others may see it: no path of this computer beyond the home folder, nothing of the conversation. */
export function sharedRow(file: StoredFile | ChangedFile): ChangedFile {
  const { contentBefore: _before, contentAfter: _after, ...row } = { contentBefore: null, contentAfter: null, ...file };
  const renaming =
    row.oldPath === null
      ? { changeType: row.changeType, oldPath: null }
      : { changeType: row.changeType, oldPath: displayPath(row.oldPath, homedir()) };
  return { ...row, ...renaming, path: row.displayPath, toolCallIds: [] } as ChangedFile;
}

/** The summary with the totals of what is shown; its folder is told by its name alone. */
function sharedSummary(change: ChangeSummary, all: StoredFile[], rows: StoredFile[], listed: number): ChangeSummary {
  // Rows past the stored ones are in the totals and in no list; they stay there.
  const before = totalsOf(all);
  const after = totalsOf(rows);
  const totals = { ...after };
  for (const key of Object.keys(totals) as (keyof typeof totals)[])
    totals[key] = change[key] - before[key] + after[key];
  const own = rows.filter(({ origin }) => origin !== 'git');
  const moved = rows.filter(({ origin }) => origin === 'git');
  return {
    ...change,
    ...totals,
    sessionId: 'shared' as ChangeSummary['sessionId'],
    workspace: change.workspace.split('/').filter(Boolean).pop() ?? '/',
    overlaps: [],
    gaps: change.gaps.map(sharedGap),
    git: change.git && { ...change.git, movedCount: moved.length },
    truncated: change.truncated || rows.length > listed,
    files: [...own, ...moved].slice(0, listed).map(sharedRow),
  };
}

function sharedGap({ reason, path, detail, count }: Gap): Gap {
  return {
    reason,
    ...(path === undefined ? {} : { path: displayPath(path, homedir()) }),
    // A detail may quote a message of git, with paths in it; numbers tell nothing.
    ...(detail !== undefined && /^[\d.]+$/.test(detail) ? { detail } : {}),
    ...(count === undefined ? {} : { count }),
  };
}

/** One row that the sharing shows. Throws `not_found` for every other, of this run or not. */
export function requireSharedFile({ rows }: SharedRun, fileId: string): StoredFile {
  const row = rows.find(({ id }) => id === fileId);
  if (!row) throw new AppError('not_found', 'There is nothing here.');
  return row;
}

/** Whether every value in a file is taken for a secret. */
export function hidesEveryValue({
  path,
  oldPath,
  ignored,
}: Pick<ChangedFile, 'path' | 'oldPath' | 'ignored'>): boolean {
  return ignored || isSecretFile(path) || (oldPath !== null && isSecretFile(oldPath));
}

/** The text of the run's prompt and answer, where they are shared. */
export function sharedMessages({ sharing, run }: SharedRun): { prompt: string | null; answer: string | null } {
  const answer = sharing.includeAnswer
    ? runMessages(house().store, run.id).findLast(({ role }) => role === 'assistant')
    : undefined;
  return { prompt: sharing.includePrompt ? run.prompt : null, answer: answer?.text ?? null };
}

/** Runs whose secrets are remembered, so that a page of many files does not look for them anew with each. */
const REMEMBERED = 20;

/**
 * Secrets that stand anywhere in what is shared of the run; each is masked wherever else it stands. Found in the
 * stored patches, the prompt and the answer; in files of secrets every value that is long enough to be one.
 */
export function knownSecrets(shared: SharedRun): Promise<readonly string[]> {
  const { run, change, sharing } = shared;
  const key = JSON.stringify([run.id, run.status, change?.generation, sharing]);
  const remembered = processState('shared secrets', () => new Map<string, Promise<readonly string[]>>());
  let secrets = remembered.get(key);
  if (!secrets) {
    secrets = findKnownSecrets(shared);
    secrets.catch(() => remembered.delete(key));
    remembered.set(key, secrets);
    if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value as string);
  }
  return secrets;
}

async function findKnownSecrets(shared: SharedRun): Promise<readonly string[]> {
  const { change, sharing, rows } = shared;
  const { prompt, answer } = sharedMessages(shared);
  const secrets = new Set<string>();
  for (const text of [prompt, answer]) {
    if (text !== null) for (const secret of await secretsIn(text, scanForSecrets)) secrets.add(secret);
  }
  const revealed = new Set(sharing.revealPaths);
  const shown = new Map(rows.map((row) => [row.id as string, row]));
  for (const { id, path, patch } of change ? storedPatches(house().store, change.changeId) : []) {
    if (revealed.has(path)) continue;
    // Files that were left out still hold secrets which the answer may quote.
    const lines = patch
      .split('\n')
      .filter((line) => /^[ +-](?!--|\+\+)/.test(line))
      .map((line) => line.slice(1));
    for (const secret of await secretsIn(lines.join('\n'), scanForSecrets)) secrets.add(secret);
    const row = shown.get(id);
    if (!(row ? hidesEveryValue(row) : isSecretFile(path))) continue;
    for (const line of lines) {
      const part = secretPart(line);
      const value =
        part &&
        line
          .slice(part.from, part.to)
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2');
      if (value && isTelling(value)) secrets.add(value);
    }
  }
  // Longest first: a secret that holds another is masked as one.
  return [...secrets].sort((a, b) => b.length - a.length);
}

/** The prompt and the answer with their secrets masked. */
export async function maskedMessages(
  shared: SharedRun,
): Promise<{ prompt: Masked<string> | null; answer: Masked<string> | null }> {
  const known = await knownSecrets(shared);
  const { prompt, answer } = sharedMessages(shared);
  return {
    prompt: prompt === null ? null : await maskText(prompt, scanForSecrets, known),
    answer: answer === null ? null : await maskText(answer, scanForSecrets, known),
  };
}
