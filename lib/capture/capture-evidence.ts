/** Adds what file captures prove to what snapshots prove (DESIGN §3 rules 1 and 2). */
import { relative } from 'node:path';
import type { CompareOptions, FileCapture } from './capture';
import type { CaptureContext } from './context';
import type { Difference, DifferenceSide } from './difference';
import { fingerprintOf, sameCapture } from './file-captures';
import { readManifest } from './filesystem/plain-snapshot';
import type { TreeEntry } from './git/diff-trees';
import { type PrivateGitDir, readDetails } from './git/private-git-dir';
import { splitRecords } from './git/work-tree-status';
import type { PartGap } from './part-gap';
import { NO_PATH, type RawPath, rawFromText } from './raw-path';
import { isWithin } from './resolve-workspace';
import type { PartSnapshot, WorkspaceSnapshot } from './workspace-snapshot';

type Pair = CompareOptions['captures'][number];

export interface Evidence {
  before: WorkspaceSnapshot | null;
  after: WorkspaceSnapshot | null;
  /** Absolute path of the record's root. */
  root: string;
  /** Where captured contents become objects; null on a computer without git, where they stay copies. */
  store: PrivateGitDir | null;
  /** Both snapshots were compared. */
  compared: boolean;
}

/**
 * Changes `differences` in place. Snapshots win on content where both ends cover a path; a capture that is older than a
 * late baseline wins for the first end; where snapshots are blind, captures alone are the proof.
 */
export async function addCaptures(
  context: CaptureContext,
  evidence: Evidence,
  differences: Difference[],
  pairs: readonly Pair[],
  gaps: { prefix: RawPath; gap: PartGap }[],
): Promise<void> {
  const byPath = new Map(differences.map((difference) => [keyOf(difference), difference]));
  for (const pair of pairs) {
    const { before, after } = pair;
    if (isUnknown(before) && isUnknown(after)) {
      if (before.state === 'uncovered' && before.reason !== 'outside') {
        gaps.push({ prefix: NO_PATH, gap: { reason: 'file_unreadable', count: 1, detail: before.reason } });
      }
      continue;
    }
    const outside = !isWithin(after.path, evidence.root);
    const path = rawFromText(outside ? after.path.slice(1) : relative(evidence.root, after.path));
    if (path === '') continue;
    const known = byPath.get(keyOf({ path, outside }));
    const differs = !sameCapture(before, after);
    // While the baseline is being taken it may be older or younger than the capture: a tool that follows a capture decides.
    const late = evidence.before !== null && before.at < evidence.before.finishedAt;
    if (known) {
      if (differs && !known.evidence.includes('capture')) known.evidence.push('capture');
      if (late) known.before = await sideOf(context, evidence.store, before, known.outside ? null : path);
      continue;
    }
    const covered = evidence.compared && !outside ? await coveredSide(context, evidence, path) : null;
    if (covered !== null && !late) continue;
    if (covered === null && !differs) continue;
    const difference: Difference = {
      path,
      outside,
      before: await sideOf(context, evidence.store, before, covered === null ? null : path),
      after: covered === null ? await sideOf(context, evidence.store, after, null) : covered.side,
      movedByGit: false,
      ignored: covered === null && !outside && evidence.compared,
      evidence: ['capture'],
    };
    byPath.set(keyOf(difference), difference);
    differences.push(difference);
  }
}

const keyOf = ({ path, outside }: { path: RawPath; outside: boolean }) => `${outside ? '/' : ''}${path}`;

function isUnknown(capture: FileCapture): boolean {
  return capture.state === 'uncovered' && capture.reason !== 'not_a_file';
}

/** What a capture knows, as a side. Its content becomes an object of the record's store, converted as `path` would be. */
async function sideOf(
  context: CaptureContext,
  store: PrivateGitDir | null,
  capture: FileCapture,
  path: RawPath | null,
): Promise<DifferenceSide | null> {
  switch (capture.state) {
    case 'absent':
      return null;
    case 'uncovered':
      // A folder or a device stands there: the file does not.
      return capture.reason === 'not_a_file' ? null : { known: 'nothing', size: null, mode: null };
    case 'oversized':
      return { known: 'fingerprint', fingerprint: fingerprintOf(capture) };
    case 'symlink': {
      const bytes = Buffer.from(capture.target);
      if (store === null)
        return { known: 'copy', ref: await context.copies.store(bytes), mode: '120000', size: bytes.length };
      return { known: 'object', entry: { mode: '120000', id: await writeObject(context, store, bytes, null) } };
    }
    case 'file': {
      if (store === null) return { known: 'copy', ref: capture.content, mode: capture.mode, size: capture.size };
      const bytes = await context.copies.bytesOf(capture.content);
      if (bytes === null) return { known: 'nothing', size: capture.size, mode: capture.mode };
      return { known: 'object', entry: { mode: capture.mode, id: await writeObject(context, store, bytes, path) } };
    }
  }
}

async function writeObject(
  context: CaptureContext,
  store: PrivateGitDir,
  bytes: Uint8Array,
  path: RawPath | null,
): Promise<string> {
  const text = path === null ? null : Buffer.from(path, 'latin1').toString();
  const convert = text === null ? ['--no-filters'] : [`--path=${text}`];
  const answer = await context.git.run({
    gitDir: store.dir,
    ...(text === null ? {} : { workTree: store.top }),
    args: ['hash-object', '-w', '--stdin', ...convert],
    onlyOwn: true,
    input: bytes,
  });
  return answer.stdout.toString().trim();
}

/** The last side of a path that the snapshots cover and do not list, or null where they are blind. */
async function coveredSide(
  context: CaptureContext,
  evidence: Evidence,
  path: RawPath,
): Promise<{ side: DifferenceSide | null } | null> {
  const after = partOf(evidence.after, path);
  const before = partOf(evidence.before, path);
  if (after === null && before === null) return null;
  if (evidence.store === null) {
    const manifest = after && (await readManifest(context.plainDirOf(after.key), after.heldAs));
    const known = manifest?.entries[path];
    if (known === undefined) return null;
    if ('fingerprint' in known) return { side: { known: 'fingerprint', fingerprint: known.fingerprint } };
    return { side: { known: 'copy', ref: known.ref, mode: known.mode, size: known.size } };
  }
  const entry = after && (await entryAt(context, after, path));
  if (entry) return { side: { known: 'object', entry } };
  const large = after?.details && (await readDetails(context.storeOf(after), after.details)).large[within(after, path)];
  if (large) return { side: { known: 'fingerprint', fingerprint: large } };
  // Unlisted and in neither tree: nothing covers it.
  return null;
}

function partOf(snapshot: WorkspaceSnapshot | null, path: RawPath): PartSnapshot | null {
  const parts = (snapshot?.parts ?? []).filter((part) => path.startsWith(part.prefix));
  return parts.sort((a, b) => b.prefix.length - a.prefix.length)[0] ?? null;
}

const within = (part: PartSnapshot, path: RawPath) => path.slice(part.prefix.length) as RawPath;

async function entryAt(context: CaptureContext, part: PartSnapshot, path: RawPath): Promise<TreeEntry | null> {
  const store = context.storeOf(part);
  const wanted = within(part, path);
  let entry: TreeEntry | null = null;
  await context.git.run({
    gitDir: store.dir,
    args: ['ls-tree', '-z', part.tree, '--', Buffer.from(wanted, 'latin1').toString()],
    onOutput: splitRecords((record) => {
      const [mode, type, id] = record.split(/[ \t]/) as [string, string, string];
      if (type === 'blob' && record.slice(record.indexOf('\t') + 1) === wanted) entry = { mode, id };
      return undefined;
    }),
  });
  return entry;
}
