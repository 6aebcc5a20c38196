/** Writes the patch of one file the way git does, for records that are made without git. */
import { hunkTexts, type LineDiff } from '@/lib/domain/line-diff';
import { type RawPath, writeRaw } from '../raw-path';

export interface PatchedFile {
  path: RawPath;
  oldPath: RawPath | null;
  modeBefore: string | null;
  modeAfter: string | null;
  /** Null where the content is binary. */
  diff: LineDiff | null;
  sameContent: boolean;
}

/** A patch that `git apply` takes, unless the content is binary: then it only says so. */
export function gitPatch(file: PatchedFile): string {
  const { path, modeBefore, modeAfter } = file;
  const before = file.oldPath ?? path;
  const lines = [`diff --git ${named('a', before)} ${named('b', path)}`];
  if (modeBefore === null) lines.push(`new file mode ${modeAfter}`);
  else if (modeAfter === null) lines.push(`deleted file mode ${modeBefore}`);
  else if (modeBefore !== modeAfter) lines.push(`old mode ${modeBefore}`, `new mode ${modeAfter}`);
  if (file.oldPath !== null) lines.push(`rename from ${plain(file.oldPath)}`, `rename to ${plain(path)}`);
  if (!file.sameContent) {
    const from = modeBefore === null ? '/dev/null' : named('a', before);
    const to = modeAfter === null ? '/dev/null' : named('b', path);
    if (file.diff === null) lines.push(`Binary files ${from} and ${to} differ`);
    else if (file.diff.hunks.length > 0) lines.push(`--- ${ended(from)}`, `+++ ${ended(to)}`, ...hunkTexts(file.diff));
  }
  return `${lines.join('\n')}\n`;
}

/** A path with its side, quoted as a whole where it has to be. */
function named(side: string, path: RawPath): string {
  const { path: text, quoted } = writeRaw(path);
  return quoted ? `"${side}/${text.slice(1)}` : `${side}/${text}`;
}

const plain = (path: RawPath) => writeRaw(path).path;

/** git ends a name that has a space by a tab, so that it is told from a time. */
const ended = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name);
