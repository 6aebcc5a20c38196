/** Rows of a record in short, for tests to compare. */
import type { Delta } from '@/lib/capture/capture';

const LETTER = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' } as const;

/**
 * Rows as one line each: `M src/a.ts +1 -0`, `R old -> new +0 -0`, with marks where they apply: `binary`, `oversized`,
 * `ignored`, `mode 100644 100755`, `kind file symlink`, `eol lf crlf 50`, `git` for what came with git.
 */
export function rowsOf(delta: Pick<Delta, 'files'>): string[] {
  return delta.files.map((file) => {
    const name = file.oldPath === null ? file.path : `${file.oldPath} -> ${file.path}`;
    const kinds = bothDiffer(file.kindBefore, file.kindAfter);
    const marks = [
      file.binary && 'binary',
      file.oversized && 'oversized',
      file.ignored && 'ignored',
      file.movedByGit && 'git',
      file.lineEndings && `eol ${file.lineEndings.before} ${file.lineEndings.after} ${file.lineEndings.lines}`,
      kinds && `kind ${file.kindBefore} ${file.kindAfter}`,
      !kinds && bothDiffer(file.modeBefore, file.modeAfter) && `mode ${file.modeBefore} ${file.modeAfter}`,
    ].filter((mark) => typeof mark === 'string');
    return [LETTER[file.changeType], name, `+${file.additions} -${file.deletions}`, ...marks].join(' ');
  });
}

const bothDiffer = (a: string | null, b: string | null) => a !== null && b !== null && a !== b;
