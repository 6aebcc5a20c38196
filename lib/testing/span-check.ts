/** Runs acts in a folder between snapshots and holds every record against two full copies of the folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Capture, Delta, Snapshot, WorkspaceLocation } from '@/lib/capture/capture';
import { openCapture } from '@/lib/capture/open-capture';
import { DEFAULT_LIMITS } from '@/lib/domain/limits';
import { type Copy, copyFolder, eligiblePaths, foldersOf, ignores, judge, type Verdict } from './folder-oracle';
import { type Act, perform } from './random-workspace';

interface Instant {
  snapshot: Snapshot;
  copy: Copy;
  eligible: Set<string>;
}

export async function checkRepository(folder: string, steps: Act[][], options: { autocrlf: boolean }): Promise<void> {
  const root = join(folder, 'work');
  mkdirSync(root);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.org');
  if (options.autocrlf) git('config', 'core.autocrlf', 'true');
  const same = options.autocrlf
    ? (a: string, b: string) => a === b || (isText(a) && isText(b) && lf(a) === lf(b))
    : undefined;
  await check(folder, root, steps, () => eligiblePaths(root), same);
}

export async function checkFolder(folder: string, steps: Act[][]): Promise<void> {
  const root = join(folder, 'work');
  mkdirSync(root);
  // What is ignored without git is decided by the root's rules alone, which git is asked about beside the folder.
  const beside = join(folder, 'beside');
  mkdirSync(beside);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: beside });
  const eligible = () => {
    const covered = new Set<string>();
    const copy = copyFolder(root);
    const rules = copy.get('.gitignore');
    const judged = join(beside, 'judged');
    rmSync(judged, { recursive: true, force: true });
    mkdirSync(judged);
    for (const path of copy.keys()) mkdirSync(join(judged, dirname(path)), { recursive: true });
    writeFileSync(join(judged, '.gitignore'), rules?.startsWith('link') ? '' : (rules?.slice(2) ?? ''), 'latin1');
    for (const [path, content] of copy) {
      const folders = foldersOf(path);
      if (folders.some((folder) => basename(folder) === 'dist' || ignores(judged, folder))) continue;
      if (!content.includes('\0') || !ignores(judged, path)) covered.add(path);
    }
    return covered;
  };
  await check(folder, root, steps, eligible, undefined);
}

const isText = (file: string) => !file.startsWith('link') && !file.includes('\0');
const lf = (file: string) => file.replaceAll('\r\n', '\n');

async function check(
  folder: string,
  root: string,
  steps: Act[][],
  eligible: () => Set<string>,
  same: ((a: string, b: string) => boolean) | undefined,
): Promise<void> {
  const capture = openCapture({
    dataDir: join(folder, 'data'),
    limits: DEFAULT_LIMITS,
    privatePaths: [],
    namesOnly: false,
    includeDirs: [],
    home: folder,
    tempDirs: [],
  });
  const location = await capture.locate(root);
  const instants: Instant[] = [];
  for (const [at, step] of steps.entries()) {
    for (const one of step) perform(root, one);
    // Times of files and of snapshots are told apart by the clock of the disk.
    await new Promise((resolve) => setTimeout(resolve, 30));
    const seen = { copy: copyFolder(root), eligible: eligible() };
    const snapshot = await capture.takeSnapshot(location);
    const failure = snapshot.gaps.find((gap) => gap.reason !== 'skipped_by_default');
    if (failure) throw new Error(`snapshot ${at}: ${JSON.stringify(failure)}`);
    instants.push({ snapshot, ...seen });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  for (const [from, before] of instants.entries()) {
    for (const [to, after] of instants.entries()) {
      const bodies = from === 0 && to === instants.length - 1;
      const between = instants.slice(from + 1, to);
      const options = { name: `${from}-${to}`, bodies, same, between };
      if (to > from) await compare(capture, location, folder, before, after, options);
    }
  }
}

interface CompareOptions {
  name: string;
  bodies: boolean;
  same: ((a: string, b: string) => boolean) | undefined;
  /** What was seen between the two. */
  between: readonly Instant[];
}

async function compare(
  capture: Capture,
  location: WorkspaceLocation,
  folder: string,
  before: Instant,
  after: Instant,
  { name, bodies, same, between }: CompareOptions,
): Promise<void> {
  const delta = await capture.compare(location, before.snapshot, after.snapshot, {
    keepAs: name,
    patches: true,
    captures: [],
  });
  const failure = delta.gaps.find((gap) => gap.reason !== 'skipped_by_default');
  if (failure) throw new Error(`${name}: ${JSON.stringify(failure)}`);
  const covers = (path: string) => before.eligible.has(path) || after.eligible.has(path);
  const expected = judge(before.copy, after.copy, covers, same);
  const told = verdictOf(delta);
  // A file that was covered in between only may be told too, and then rightly.
  const covered = (path: string) => between.some((instant) => instant.eligible.has(path));
  for (const [path, kind] of judge(before.copy, after.copy, covered, same)) {
    if (!expected.has(path) && told.get(path) === kind) told.delete(path);
  }
  for (const [path, kind] of expected) {
    // Of a file that a rule hid at the start only its being there is known: a new one in its place looks like a new file.
    if (kind === 'M' && told.get(path) === 'A' && !before.eligible.has(path)) told.set(path, 'M');
  }
  const show = (verdict: Verdict) =>
    [...verdict]
      .map(([path, kind]) => `${kind} ${path}`)
      .sort()
      .join(', ');
  if (show(told) !== show(expected)) throw new Error(`${name}: expected [${show(expected)}], told [${show(told)}]`);
  if (bodies) await checkBodies(capture, location, folder, delta, before.copy, after.copy, name, same);
}

/** Renames as the deletion and the creation that they are. */
function verdictOf(delta: Delta): Verdict {
  const verdict: Verdict = new Map();
  for (const file of delta.files) {
    const path = file.path;
    if (file.changeType === 'renamed') {
      verdict.set(file.oldPath, 'D');
      verdict.set(path, 'A');
    } else {
      verdict.set(path, file.changeType === 'added' ? 'A' : file.changeType === 'deleted' ? 'D' : 'M');
    }
  }
  return verdict;
}

/**
 * The bodies of both sides are what the copies hold, and the whole patch turns the first into the second and, reversed,
 * the second into the first. It is tried in an index, where links lead nowhere.
 */
async function checkBodies(
  capture: Capture,
  location: WorkspaceLocation,
  folder: string,
  delta: Delta,
  before: Copy,
  after: Copy,
  name: string,
  same: (a: string, b: string) => boolean = (a, b) => a === b,
): Promise<void> {
  const known = delta.files.filter((file) => !file.oversized);
  if (known.length === 0) return;
  const bench = join(folder, `bench-${name}`);
  mkdirSync(bench);
  const git = (args: string[], input: string | Buffer = '') =>
    execFileSync('git', args, { cwd: bench, input, stdio: ['pipe', 'pipe', 'pipe'] }).toString();
  git(['init', '-q']);
  const ends: [string[], string[]] = [[], []];
  for (const file of known) {
    for (const [side, at] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      const path = side === 'before' ? (file.oldPath ?? file.path) : file.path;
      const mode = side === 'before' ? file.modeBefore : file.modeAfter;
      if (mode === null) continue;
      const bytes = Buffer.from(await capture.readContent(delta.kept, file, side));
      const copy = (side === 'before' ? before : after).get(path);
      const body = `${mode === '120000' ? 'link' : mode === '100755' ? 'x' : '-'} ${bytes.toString('latin1')}`;
      if (copy === undefined || !same(body, mode === '120000' ? Buffer.from(copy).toString('latin1') : copy)) {
        throw new Error(`${name}: ${path} ${side} holds ${JSON.stringify(body)}, not ${JSON.stringify(copy)}`);
      }
      ends[at].push(`${mode} ${git(['hash-object', '-w', '--stdin'], bytes).trim()}\t${path}`);
    }
  }
  const patch = await capture.readPatch(delta.kept, location, known);
  const pieces: Uint8Array[] = [];
  for await (const piece of patch.text) pieces.push(piece);
  for (const [start, end, way] of [
    [ends[0], ends[1], []],
    [ends[1], ends[0], ['-R']],
  ] as const) {
    git(['read-tree', '--empty']);
    git(['update-index', '--index-info'], start.map((line) => `${line}\n`).join(''));
    git(['apply', '--cached', '--whitespace=nowarn', ...way], Buffer.concat(pieces));
    const listed = git(['-c', 'core.quotePath=false', 'ls-files', '-s'])
      .split('\n')
      .filter((line) => line !== '');
    const made = listed
      .map((line) => line.replace(' 0\t', '\t'))
      .sort()
      .join('\n');
    const wanted = [...end].sort().join('\n');
    if (made !== wanted) throw new Error(`${name}: the patch ${way.join('')} makes ${made}, not ${wanted}`);
  }
}
