/** Makes the record of a span: what two snapshots and the captures between them prove, with bodies. */
import { createHash } from 'node:crypto';
import { type DeltaFile, totalsOf } from '@/lib/domain/change';
import type { CompareOptions, Delta, KeptBodies, Snapshot, WorkspaceLocation } from './capture';
import { addCaptures } from './capture-evidence';
import type { CaptureContext } from './context';
import type { Difference } from './difference';
import { type Differences, findDifferences } from './differences';
import { failureWords } from './failure-words';
import { makePlainRecord } from './filesystem/plain-record';
import { type GitRecord, makeGitRecord } from './git/git-record';
import type { GitKept } from './git/kept-bodies';
import { type PrivateGitDir, preparePrivateGitDir } from './git/private-git-dir';
import { inMemory } from './names-only';
import { gatherGaps, mergeGaps, type PartGap, wordGaps } from './part-gap';
import { NO_PATH, type RawPath, rawFromText } from './raw-path';
import { readSmallFiles } from './small-files';
import { workspaceWithin } from './take-snapshot';
import { type PartSnapshot, type WorkspaceSnapshot, workspaceSnapshot } from './workspace-snapshot';
import { type WrittenPlace, writtenPlace } from './written-place';

export async function compareSnapshots(
  context: CaptureContext,
  location: WorkspaceLocation,
  before: Snapshot | null,
  after: Snapshot | null,
  options: CompareOptions,
): Promise<Delta> {
  const { settings } = context;
  const [from, to] = [before && workspaceSnapshot(before), after && workspaceSnapshot(after)];
  const workspace = workspaceWithin(location);
  const span: Span = {
    location,
    from,
    to,
    options,
    gaps: [],
    workspace,
    place: writtenPlace(workspace, settings.home),
  };
  if (from === null && !location.wholeFolder) span.gaps.push({ prefix: NO_PATH, gap: { reason: 'baseline_missing' } });
  if (to === null && !location.wholeFolder) span.gaps.push({ prefix: NO_PATH, gap: { reason: 'delta_failed' } });
  const parts = [...(to?.parts ?? []), ...(from?.parts ?? [])];
  const plain = (await context.git.version()) === null || parts.some((part) => part.kind === 'plain');
  const making = plain ? recordPlain(context, span) : recordByGit(context, span, parts);
  const { record, compared, kept } = await making.catch((error: unknown) => {
    options.signal?.throwIfAborted();
    // A record that cannot be made says why, and keeps what is known of its ends.
    span.gaps.push({ prefix: NO_PATH, gap: { reason: 'delta_failed', detail: failureWords(error) } });
    return { record: EMPTY_RECORD, compared: null, kept: NAMES_ONLY };
  });
  span.gaps.push(...record.gaps);
  const gaps = [...mergeGaps(from?.gaps ?? [], to?.gaps ?? []), ...gatherGaps(span.gaps)];
  return {
    workspaceKind: location.kind,
    files: record.files,
    unlisted: record.unlisted,
    git: compared?.git ?? null,
    gaps: wordGaps(gaps, (path) => rawFromText(span.place.names({ path, outside: false }).path)),
    truncated: record.truncated,
    totalPatchBytes: record.totalPatchBytes,
    kept,
  };
}

/** What is compared, and what is found out on the way. */
interface Span {
  location: WorkspaceLocation;
  from: WorkspaceSnapshot | null;
  to: WorkspaceSnapshot | null;
  options: CompareOptions;
  gaps: { prefix: RawPath; gap: PartGap }[];
  workspace: RawPath;
  place: WrittenPlace;
}

interface Recorded {
  record: Omit<GitRecord, 'trees'>;
  compared: Differences | null;
  kept: KeptBodies;
}

/** What snapshots and captures say of the span. */
async function findAll(
  context: CaptureContext,
  { location, from, to, options, gaps }: Span,
  store: PrivateGitDir | null,
): Promise<{ compared: Differences | null; differences: Difference[] }> {
  const { git, settings, storeOf, plainDirOf } = context;
  const tools = { git, storeOf, plainDirOf, includeDirs: settings.includeDirs };
  const compared = from !== null && to !== null ? await findDifferences(tools, from, to, options.signal) : null;
  if (compared) gaps.push(...compared.gaps);
  const differences = compared?.differences ?? [];
  if (options.captures.length > 0) {
    const root = location.repository ?? location.root;
    const covers = compared !== null && !to?.uncovered.includes(NO_PATH) && !from?.uncovered.includes(NO_PATH);
    const evidence = { before: from, after: to, root, store, compared: covers };
    await addCaptures(context, evidence, differences, options.captures, gaps);
  }
  return { compared, differences };
}

async function recordByGit(context: CaptureContext, span: Span, parts: readonly PartSnapshot[]): Promise<Recorded> {
  const { git, settings } = context;
  const { options, place, workspace } = span;
  const store = await recordStore(context, span.location, parts);
  return context.gateOf(store.key).together(async () => {
    const { compared, differences } = await findAll(context, span, store);
    const root = span.location.repository ?? span.location.root;
    await readSmallFiles(context, store, root, differences, span.location.kind === 'git');
    const alternates = (compared?.stores ?? []).filter((dir) => dir !== store.dir);
    if (settings.namesOnly) {
      const source = inMemory(context, store, root, alternates, differences);
      const record = await makePlainRecord(
        { limits: settings.limits, bytesOf: source.bytesOf },
        source.differences,
        place,
        {
          patches: false,
        },
      );
      return { record: { ...record, files: record.files.map(withoutContent) }, compared, kept: NAMES_ONLY };
    }
    const tools = { git, limits: settings.limits, store, alternates, signal: options.signal };
    const record = await makeGitRecord(tools, differences, place, options);
    const { key, top, objectFormat } = store;
    const kept: GitKept = { engine: 'git', key, top, objectFormat, workspace, ...record.trees };
    // To everybody else what was kept is opaque; `gitKept` is the way back.
    return { record, compared, kept: kept as unknown as KeptBodies };
  });
}

const EMPTY_RECORD: Recorded['record'] = {
  files: [],
  unlisted: totalsOf([]),
  gaps: [],
  truncated: false,
  totalPatchBytes: 0,
};

const NAMES_ONLY: KeptBodies = { engine: 'none' };

function withoutContent(file: DeltaFile): DeltaFile {
  return { ...file, contentBefore: null, contentAfter: null };
}

async function recordPlain(context: CaptureContext, span: Span): Promise<Recorded> {
  const { settings, copies } = context;
  const { options, place } = span;
  const { compared, differences } = await findAll(context, span, null);
  const tools = { limits: settings.limits, bytesOf: (ref: string) => copies.bytesOf(ref) };
  const record = await makePlainRecord(tools, differences, place, { patches: options.patches && !settings.namesOnly });
  if (settings.namesOnly) {
    return { record: { ...record, files: record.files.map(withoutContent) }, compared, kept: NAMES_ONLY };
  }
  if (options.keepAs !== null) {
    const refs = record.files.flatMap((file) => [file.contentBefore, file.contentAfter]).filter((ref) => ref !== null);
    await context.plain.hold(options.keepAs, refs);
  }
  return { record, compared, kept: { engine: 'plain' } };
}

/** Where the record of a workspace is made: its own private directory, or one for records alone. */
async function recordStore(
  context: CaptureContext,
  location: WorkspaceLocation,
  parts: readonly PartSnapshot[],
): Promise<PrivateGitDir> {
  const part = parts.find((one) => one.prefix === '');
  if (part) return context.storeOf(part);
  const key = createHash('sha256').update('record\0').update(location.root).digest('hex').slice(0, 32);
  const store = context.storeOf({ key, top: location.root, objectFormat: 'sha1' });
  await preparePrivateGitDir(store, null);
  return store;
}
