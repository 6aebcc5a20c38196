/** Puts the eyes together. */
import { relative } from 'node:path';
import { AppError } from '@/lib/domain/errors';
import type { Capture, CaptureSettings, KeptBodies, KeptFile, WholePatch } from './capture';
import { compareSnapshots } from './compare-snapshots';
import { type CaptureContext, captureContext } from './context';
import { isCurrent } from './current-files';
import { isPlainKept } from './filesystem/plain-bodies';
import {
  type GitKept,
  gitKept,
  type KeptTools,
  patchable,
  readGitComparison,
  readGitContent,
  readGitPatch,
} from './git/kept-bodies';
import { keptName, letTreesGo } from './git/reduced-trees';
import { rawFromText } from './raw-path';
import { isWithin, resolveWorkspace } from './resolve-workspace';
import { listSnapshot } from './snapshot-listing';
import { releaseSnapshot, takeSnapshot, workspaceWithin } from './take-snapshot';
import { collect, sweep, usage } from './upkeep';
import { workTrees } from './work-trees';
import { writtenPlace } from './written-place';

/** Opens capture on a data folder. One process has one of these for a data folder: its queues keep git's locks apart. */
export function openCapture(settings: CaptureSettings): Capture {
  const context = captureContext(settings);
  const trees = workTrees(context);
  const { copies } = context;
  return {
    locate: (path) => resolveWorkspace(context.findRepository, settings, path),
    takeSnapshot: (location, options) => untilAborted(takeSnapshot(context, trees, location), options?.signal),
    releaseSnapshot: (snapshot) => releaseSnapshot(context, trees, snapshot),
    compare: (location, before, after, options) => compareSnapshots(context, location, before, after, options),
    captureFile(location, path) {
      context.workspaceOpened(location.root);
      return copies.capture(location, path);
    },
    rowPath(location, path) {
      const top = location.repository ?? location.root;
      const outside = !isWithin(path, top);
      const raw = rawFromText(outside ? path.slice(1) : relative(top, path));
      return writtenPlace(workspaceWithin(location), settings.home).names({ path: raw, outside }).path;
    },
    readCaptureText: (capture) => copies.read(capture),
    readComparison: async (kept, file, options) =>
      context.isPrivateRow(file)
        ? { kind: 'oversized', sizeBefore: file.sizeBefore, sizeAfter: file.sizeAfter, idBefore: null, idAfter: null }
        : isPlainKept(kept)
          ? context.plain.comparison(file, options)
          : together(context, need(kept), (tools) => readGitComparison(tools, file, options)),
    async readContent(kept, file, side) {
      if (context.isPrivateRow(file)) throw new AppError('not_found', 'The content of this file is private.');
      return isPlainKept(kept)
        ? context.plain.content(file, side)
        : together(context, need(kept), (tools) => readGitContent(tools, file, side));
    },
    readPatch: async (kept, _location, files, signal) =>
      isPlainKept(kept) ? plainPatch(context, files) : readPatch(context, need(kept), files, signal),
    async forget(keepAs, kept) {
      if (isPlainKept(kept)) await context.plain.letGo(keepAs);
      const known = gitKept(kept);
      if (known !== null) await letTreesGo(context.storeOf(known), keptName(keepAs));
    },
    collect: () => collect(context, trees),
    listSnapshot: (snapshot) => listSnapshot(context, snapshot),
    isCurrent: (location, file) => isCurrent(context, location, file),
    usage: () => usage(context),
    sweep: (live) => sweep(context, trees, live),
  };
}

const toolsFor = (context: CaptureContext, kept: GitKept): KeptTools => ({
  git: context.git,
  store: context.storeOf(kept),
  fileBytes: context.settings.limits.fileBytes,
  home: context.settings.home,
});

/** Reading writes a little too, which nobody may clean up meanwhile. */
function together<Result>(
  context: CaptureContext,
  kept: GitKept,
  read: (tools: KeptTools) => Promise<Result>,
): Promise<Result> {
  return context.gateOf(kept.key).together(() => read(toolsFor(context, kept)));
}

function need(kept: KeptBodies): GitKept {
  const known = gitKept(kept);
  if (kept.engine === 'none') throw new AppError('expired', 'Only names are kept here, no content.');
  if (known === null) throw new AppError('expired', 'The content of this change is no longer kept.');
  return known;
}

async function readPatch(
  context: CaptureContext,
  kept: GitKept,
  files: KeptFile[],
  signal: AbortSignal | undefined,
): Promise<WholePatch> {
  const { rows, omitted } = patchable(files, context.isPrivateRow);
  const head = omitted.map(({ file, why }) => `# not in this patch: ${file.path} (${why})\n`).join('');
  const body = readGitPatch(toolsFor(context, kept), kept, rows, signal);
  // The first piece is fetched here, so that a body that is gone is an error and no broken patch. By then git has read
  // the trees that were written for it; what it goes on to read the record holds.
  const first = await together(context, kept, () => body.next());
  async function* text(): AsyncGenerator<Uint8Array> {
    if (head !== '') yield Buffer.from(head);
    if (first.done) return;
    yield first.value;
    yield* body;
  }
  const up = kept.workspace === '' ? ['.'] : kept.workspace.split('/').map(() => '..');
  return { text: text(), applyFrom: up.join('/'), omitted: omitted.length };
}

async function plainPatch(context: CaptureContext, files: KeptFile[]): Promise<WholePatch> {
  const { rows, omitted } = patchable(files, context.isPrivateRow);
  const binary = rows.filter((file) => file.binary).map((file) => ({ file, why: 'binary, and made without git' }));
  const left = [...omitted, ...binary];
  const text = rows.filter((file) => !file.binary);
  const pieces = await Promise.all(text.slice(0, 1).map((file) => context.plain.patch(file)));
  async function* write(): AsyncGenerator<Uint8Array> {
    for (const { file, why } of left) yield Buffer.from(`# not in this patch: ${file.path} (${why})\n`);
    for (const piece of pieces) yield Buffer.from(piece);
    for (const file of text.slice(1)) yield Buffer.from(await context.plain.patch(file));
  }
  return { text: write(), applyFrom: '.', omitted: left.length };
}

/** Stops waiting when the caller does; the work goes on for those who share it. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
