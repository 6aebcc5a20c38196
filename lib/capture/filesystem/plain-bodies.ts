/** Keeps and reads the bodies of changes that were recorded without git: copies, held by a list of their names. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@/lib/domain/errors';
import { diffLines, linesOf } from '@/lib/domain/line-diff';
import type { Comparison, Hunk } from '@/lib/domain/patch';
import { readPath } from '@/lib/domain/workspace';
import type { KeptBodies, KeptFile } from '../capture';
import { type RawPath, rawFromBytes } from '../raw-path';
import { gitPatch } from './plain-patch';

/** Milliseconds that a comparison on demand may hold the event loop. */
const COMPARISON_MS = 40;

export const isPlainKept = (kept: KeptBodies): boolean => kept.engine === 'plain';

const expired = () => new AppError('expired', 'The content of this change is no longer kept.');

export interface PlainBodies {
  /** Copies stay while a record holds them. */
  hold(keepAs: string, refs: readonly string[]): Promise<void>;
  letGo(keepAs: string): Promise<void>;
  /** What all records hold. */
  held(): Promise<Set<string>>;
  /** The records there are, by the name they are filed under. */
  names(): Promise<string[]>;
  drop(name: string): Promise<void>;
  comparison(file: KeptFile, options: { context: number | 'all'; ignoreWhitespace?: boolean }): Promise<Comparison>;
  content(file: KeptFile, side: 'before' | 'after'): Promise<Buffer>;
  patch(file: KeptFile): Promise<string>;
}

export const plainName = (keepAs: string) => createHash('sha256').update(keepAs).digest('hex').slice(0, 40);

export function plainBodies(folder: string, bytesOf: (ref: string) => Promise<Buffer | null>): PlainBodies {
  const listFile = (name: string) => join(folder, `${name}.json`);
  const names = async () =>
    (await readdir(folder).catch(() => [] as string[]))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -5));
  const drop = (name: string) => rm(listFile(name), { force: true });

  async function bytes(ref: string | null): Promise<Buffer | null> {
    if (ref === null) return null;
    const found = await bytesOf(ref);
    if (found === null) throw expired();
    return found;
  }
  const sides = (file: KeptFile) => Promise.all([bytes(file.contentBefore), bytes(file.contentAfter)]);
  const text = (content: Buffer | null) => content?.toString() ?? '';

  return {
    names,
    drop,
    async hold(keepAs, refs) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(listFile(plainName(keepAs)), JSON.stringify(refs), { mode: 0o600 });
    },
    letGo: (keepAs) => drop(plainName(keepAs)),
    async held() {
      const refs = new Set<string>();
      for (const name of await names()) {
        const list = await readFile(listFile(name), 'utf8').catch(() => '[]');
        for (const ref of JSON.parse(list) as string[]) refs.add(ref);
      }
      return refs;
    },
    async comparison(file, options) {
      const sizes = {
        sizeBefore: file.sizeBefore,
        sizeAfter: file.sizeAfter,
        idBefore: idOf(file.contentBefore),
        idAfter: idOf(file.contentAfter),
      };
      if (file.oversized) return { kind: 'oversized', ...sizes };
      const [before, after] = await sides(file);
      if (file.binary || before?.includes(0) || after?.includes(0)) return { kind: 'binary', ...sizes };
      if ([file.kindBefore, file.kindAfter].every((kind) => kind === null || kind === 'symlink')) {
        return { kind: 'symlink', targetBefore: before?.toString() ?? null, targetAfter: after?.toString() ?? null };
      }
      const lacks = (content: Buffer | null) => content !== null && content.length > 0 && content.at(-1) !== 0x0a;
      const diff = diffLines(text(before), text(after), { context: options.context, timeoutMs: COMPARISON_MS });
      const bounds = { context: options.context, timeoutMs: COMPARISON_MS };
      const hunks = options.ignoreWhitespace
        ? withTheirText(diffLines(squeezed(before), squeezed(after), bounds).hunks, text(before), text(after))
        : diff.hunks;
      return {
        kind: 'text',
        beforePresent: file.kindBefore !== null,
        afterPresent: file.kindAfter !== null,
        hunks,
        coarse: diff.coarse,
        noNewlineBefore: lacks(before),
        noNewlineAfter: lacks(after),
      };
    },
    async content(file, side) {
      const ref = side === 'before' ? file.contentBefore : file.contentAfter;
      const found = await bytes(ref);
      if (found === null) throw new AppError('not_found', 'This side has no content.');
      return found;
    },
    async patch(file) {
      const [before, after] = await sides(file);
      const same = before !== null && after !== null && before.equals(after);
      return gitPatch({
        path: rawOf(file.path),
        oldPath: file.oldPath === null ? null : rawOf(file.oldPath),
        modeBefore: file.modeBefore,
        modeAfter: file.modeAfter,
        diff: same ? null : diffLines(text(before), text(after), { context: 3, timeoutMs: COMPARISON_MS }),
        sameContent: same,
      });
    },
  };
}

/** A path as a row writes it says itself whether it is quoted. */
const rawOf = (path: string): RawPath => rawFromBytes(readPath({ path, quoted: path.startsWith('"') }));

const idOf = (ref: string | null) => ref?.split(':').at(-1) ?? null;
/** Hunks found between texts of squeezed lines, with the lines as they really are. */
function withTheirText(hunks: Hunk[], before: string, after: string): Hunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  return hunks.map((hunk) => {
    let oldAt = Math.max(0, hunk.oldStart - 1);
    let newAt = Math.max(0, hunk.newStart - 1);
    const lines = hunk.lines.map(({ type }) => {
      const line = type === 'removed' ? old[oldAt] : now[newAt];
      if (type !== 'added') oldAt += 1;
      if (type !== 'removed') newAt += 1;
      return { type, text: line ?? '' };
    });
    return { ...hunk, lines };
  });
}

const squeezed = (content: Buffer | null) => (content?.toString() ?? '').replace(/[ \t]+/g, ' ');
