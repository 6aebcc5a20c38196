/** Reads the bodies of a finished change back from its kept trees: comparisons, contents, patches. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@/lib/domain/errors';
import type { Comparison, Hunk } from '@/lib/domain/patch';
import { parseUnifiedPatch } from '@/lib/domain/unified-patch';
import type { KeptBodies, KeptFile } from '../capture';
import type { RawPath } from '../raw-path';
import { writtenPlace } from '../written-place';
import { PATCH_OPTIONS } from './counted-trees';
import { sizesOf } from './diff-trees';
import { type Git, isGitFailure } from './git-command';
import type { PrivateGitDir } from './private-git-dir';
import { type ReducedTrees, writeReducedTrees } from './reduced-trees';

/** What a change keeps, as it is stored with its row. */
export interface GitKept {
  engine: 'git';
  key: string;
  top: string;
  objectFormat: 'sha1' | 'sha256';
  /** The workspace's place below the record's root. */
  workspace: RawPath;
  inside: ReducedTrees;
  outside: ReducedTrees | null;
}

/** What `compare` kept with git, out of its opaque form; null where another engine kept it. */
export function gitKept(kept: KeptBodies): GitKept | null {
  return kept.engine === 'git' ? (kept as unknown as GitKept) : null;
}

/** Milliseconds after which a comparison becomes a whole-file replacement. */
const COMPARISON_MS = 5_000;
/** "All" context: more lines than a file of the largest comparable size has. */
const ALL_LINES = 100_000_000;

const expired = () => new AppError('expired', 'The content of this change is no longer kept.');

export interface KeptTools {
  git: Git;
  store: PrivateGitDir;
  fileBytes: number;
  home: string;
}

/** A path as a row writes it says itself whether it is quoted: one that began with a quote would have been. */
const written = (path: string) => ({ path, pathQuoted: path.startsWith('"') });

const idOf = (ref: string | null): string | null => ref?.split(':')[2] ?? null;

/** One file compared in full. */
export async function readGitComparison(
  tools: KeptTools,
  file: KeptFile,
  options: { context: number | 'all'; ignoreWhitespace?: boolean; signal?: AbortSignal },
): Promise<Comparison> {
  const [idBefore, idAfter] = [idOf(file.contentBefore), idOf(file.contentAfter)];
  const sizes = { sizeBefore: file.sizeBefore, sizeAfter: file.sizeAfter, idBefore, idAfter };
  if (file.oversized) return { kind: 'oversized', ...sizes };
  if (file.binary) return { kind: 'binary', ...sizes };
  const kinds = [file.kindBefore, file.kindAfter].filter((kind) => kind !== null);
  if (kinds.every((kind) => kind === 'submodule')) return { kind: 'submodule', idBefore, idAfter };
  const [before = null, after = null] = await readBlobs(tools, [idBefore, idAfter], options.signal);
  if (kinds.every((kind) => kind === 'symlink')) {
    return { kind: 'symlink', targetBefore: before?.toString() ?? null, targetAfter: after?.toString() ?? null };
  }
  if (before?.includes(0) || after?.includes(0)) return { kind: 'binary', ...sizes };
  const presence = {
    beforePresent: file.kindBefore !== null,
    afterPresent: file.kindAfter !== null,
    noNewlineBefore: lacksNewline(before),
    noNewlineAfter: lacksNewline(after),
  };
  try {
    const answer = await tools.git.run({
      gitDir: tools.store.dir,
      args: [
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        `-U${options.context === 'all' ? ALL_LINES : options.context}`,
        ...(options.ignoreWhitespace ? ['-w'] : []),
        idBefore ?? (await emptyBlob(tools)),
        idAfter ?? (await emptyBlob(tools)),
      ],
      maxOutputBytes: 8 * tools.fileBytes,
      timeoutMs: COMPARISON_MS,
      signal: options.signal,
    });
    const { hunks } = parseUnifiedPatch(answer.stdout.toString());
    return { kind: 'text', ...presence, hunks, coarse: false };
  } catch (error) {
    if (!isGitFailure(error) || error.code !== 'git_timeout') throw error;
    return { kind: 'text', ...presence, hunks: [wholeFile(before, after)], coarse: true };
  }
}

async function emptyBlob(tools: KeptTools): Promise<string> {
  const answer = await tools.git.run({
    gitDir: tools.store.dir,
    args: ['hash-object', '-w', '--stdin'],
    onlyOwn: true,
  });
  return answer.stdout.toString().trim();
}

const lacksNewline = (bytes: Buffer | null) => bytes !== null && bytes.length > 0 && bytes.at(-1) !== 0x0a;

function wholeFile(before: Buffer | null, after: Buffer | null): Hunk {
  const linesOf = (bytes: Buffer | null) => {
    if (bytes === null || bytes.length === 0) return [];
    const lines = bytes.toString().split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines;
  };
  const removed = linesOf(before);
  const added = linesOf(after);
  return {
    oldStart: removed.length === 0 ? 0 : 1,
    oldLines: removed.length,
    newStart: added.length === 0 ? 0 : 1,
    newLines: added.length,
    lines: [
      ...removed.map((text) => ({ type: 'removed' as const, text })),
      ...added.map((text) => ({ type: 'added' as const, text })),
    ],
  };
}

/** Reads whole blobs by id; null for no id. Throws `expired` where one is gone. */
async function readBlobs(
  tools: KeptTools,
  ids: readonly (string | null)[],
  signal: AbortSignal | undefined,
): Promise<(Buffer | null)[]> {
  const wanted = ids.filter((id) => id !== null);
  if ((await stat(join(tools.store.dir, 'HEAD')).catch(() => null)) === null) throw expired();
  const answer = await tools.git.run({
    gitDir: tools.store.dir,
    args: ['cat-file', '--batch', '--buffer'],
    input: Buffer.from(wanted.map((id) => `${id}\n`).join('')),
    maxOutputBytes: wanted.length * (tools.fileBytes + 1024),
    signal,
  });
  const found = new Map<string, Buffer>();
  let rest = answer.stdout;
  while (rest.length > 0) {
    const end = rest.indexOf(0x0a);
    const [id, type, size] = rest.subarray(0, end).toString().split(' ') as [string, string, string | undefined];
    if (type === 'missing' || size === undefined) throw expired();
    found.set(id, rest.subarray(end + 1, end + 1 + Number(size)));
    rest = rest.subarray(end + 1 + Number(size) + 1);
  }
  return ids.map((id) => (id === null ? null : (found.get(id) ?? null)));
}

/** The bytes of one side. */
export async function readGitContent(tools: KeptTools, file: KeptFile, side: 'before' | 'after'): Promise<Uint8Array> {
  const [ref, size] = side === 'before' ? [file.contentBefore, file.sizeBefore] : [file.contentAfter, file.sizeAfter];
  const id = idOf(ref);
  if (id === null) throw new AppError('not_found', 'This side has no content.');
  if ((size ?? 0) > tools.fileBytes) throw new AppError('not_found', 'This side is too large to be read.');
  const [bytes] = await readBlobs(tools, [id], undefined);
  return bytes ?? Buffer.alloc(0);
}

/** The rows that a patch can hold, and those that it can't, with the reason in words. */
export function patchable(
  files: readonly KeptFile[],
  isPrivate: (file: KeptFile) => boolean,
): {
  rows: KeptFile[];
  omitted: { file: KeptFile; why: string }[];
} {
  const rows: KeptFile[] = [];
  const omitted: { file: KeptFile; why: string }[] = [];
  for (const file of files) {
    const lacks = (ref: string | null, kind: string | null) => kind !== null && ref === null;
    if (isPrivate(file)) omitted.push({ file, why: 'private' });
    else if (file.path.startsWith('/') || file.path.startsWith('"/'))
      omitted.push({ file, why: 'outside the repository' });
    else if (lacks(file.contentBefore, file.kindBefore) || lacks(file.contentAfter, file.kindAfter)) {
      omitted.push({ file, why: 'its content was not kept' });
    } else if (file.oversized) omitted.push({ file, why: 'too large' });
    else rows.push(file);
  }
  return { rows, omitted };
}

/**
 * The patch of some rows as `git apply` takes it at the record's root, piece by piece. The rows themselves say what both
 * sides hold, so the patch is made of them alone. Throws `expired` where a body is gone.
 */
export async function* readGitPatch(
  tools: KeptTools,
  kept: GitKept,
  rows: readonly KeptFile[],
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (rows.length === 0) return;
  const { git, store } = tools;
  const place = writtenPlace(kept.workspace, tools.home);
  const ids = rows.flatMap((file) => [idOf(file.contentBefore), idOf(file.contentAfter)]).filter((id) => id !== null);
  if ((await stat(join(store.dir, 'HEAD')).catch(() => null)) === null) throw expired();
  const sizes = await sizesOf(git, store, ids, { signal });
  if (sizes.size < new Set(ids).size) throw expired();
  const differences = rows.flatMap((file) => {
    const { path } = place.locate(file);
    const entry = (mode: string | null, ref: string | null) => mode && { mode, id: idOf(ref) as string };
    const before = entry(file.modeBefore, file.contentBefore) || null;
    const after = entry(file.modeAfter, file.contentAfter) || null;
    if (file.oldPath === null) return [{ path, before, after }];
    return [
      { path: place.locate(written(file.oldPath)).path, before, after: null },
      { path, before: null, after },
    ];
  });
  const trees = await writeReducedTrees(git, store, differences, { signal });
  const args = [...PATCH_OPTIONS, '--binary', '--full-index', trees.before, trees.after];
  yield* git.stream({ gitDir: store.dir, args, signal });
}
