/** A tree holds every row once, under its folders, with true sums. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFile } from '@/lib/testing/changed-file';
import { flatItems, type ListItem, treeItems } from './file-tree';
import { passes } from './use-change-rows';

const drawn = (items: ListItem[]) =>
  items.map((item) =>
    item.type === 'file'
      ? `${'  '.repeat(item.depth)}${item.file.path}`
      : `${'  '.repeat(item.depth)}${item.name}/ ${item.files}`,
  );

describe('A tree', () => {
  const files = ['README.md', 'src/a/b/x.ts', 'src/a/b/y.ts', 'src/c.ts', '../other/z.ts', '/outside/w.ts'].map(
    (path) => changedFile({ path, additions: 1 }),
  );

  it('puts chains of single folders into one line, and folders before files', () => {
    expect(drawn(treeItems(files, () => true))).toEqual([
      'src/ 3',
      '  a/b/ 2',
      '    src/a/b/x.ts',
      '    src/a/b/y.ts',
      '  src/c.ts',
      '../other/ 1',
      '  ../other/z.ts',
      '/outside/ 1',
      '  /outside/w.ts',
      'README.md',
    ]);
  });

  it('hides what a closed folder holds, and still counts it', () => {
    expect(drawn(treeItems(files, (path) => path !== 'src'))[0]).toBe('src/ 3');
    expect(drawn(treeItems(files, () => false))).toEqual(['src/ 3', '../other/ 1', '/outside/ 1', 'README.md']);
  });

  it('does not take a quoted name apart', () => {
    const quoted = changedFile({ path: '"a/\\tb"', pathQuoted: true });
    expect(drawn(treeItems([quoted], () => true))).toEqual(['"a/\\tb"']);
  });

  it('shows every row once when all is open, whatever the names', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '..', 'x y');
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))),
        (paths) => {
          const rows = paths.map((path) => changedFile({ path, deletions: 2 }));
          const items = treeItems(rows, () => true);
          const shown = items.flatMap((item) => (item.type === 'file' ? [item.file.path] : []));
          expect(shown.sort()).toEqual([...paths].sort());
          const top = items.filter(({ depth }) => depth === 0);
          const sum = top.reduce((all, item) => all + (item.type === 'file' ? item.file.deletions : item.deletions), 0);
          expect(sum).toBe(2 * paths.length);
        },
      ),
    );
  });

  it('flat, is the rows as they come', () => {
    expect(drawn(flatItems(files))).toEqual(files.map(({ path }) => path));
  });
});

describe('A filter', () => {
  const none = { text: '', kind: null, origin: null };
  const file = changedFile({ path: 'src/New.ts', oldPath: 'src/Old.ts', changeType: 'renamed', origin: 'command' });
  it.each([
    [none, true],
    [{ ...none, text: 'new' }, true],
    [{ ...none, text: 'OLD' }, true],
    [{ ...none, text: 'other' }, false],
    [{ ...none, kind: 'renamed' as const }, true],
    [{ ...none, kind: 'added' as const }, false],
    [{ ...none, origin: 'command' as const }, true],
    [{ ...none, origin: 'tool' as const }, false],
  ])('%j', (filter, expected) => {
    expect(passes(file, filter)).toBe(expected);
  });
});
