import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUnifiedPatch } from '@/lib/domain/unified-patch';
import { tempFolder } from '@/lib/testing/temp-workspace';
import { fenced } from './applied-diff';
import { type EditInput, edit, write } from './edit-tools';
import type { FileDoor } from './file-door';
import type { ToolAnswer } from './tool-answer';
import { workspaceFiles } from './workspace-files';

/** A workspace with the tools that work on it. */
function workspace(files: Record<string, string | Uint8Array> = {}) {
  const root = tempFolder('tools');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const door = workspaceFiles({ root, maxBytes: 2 * 1024 * 1024 });
  const tools = {
    files: door,
    bounds: { maxLines: 200, timeoutMs: 5_000 },
    isPrivate: (name: string) => name === 'private',
  };
  return {
    root,
    door,
    tools,
    at: (name: string) => join(root, name),
    text: (name: string) => readFileSync(join(root, name), 'utf8'),
    edit: (input: EditInput) => edit(tools, input),
    write: (path: string, content: string) => write(tools, { path, content }),
  };
}

/** The lines inside a fenced block. */
function inBlock(text: string): string[] {
  const [, fence = '', body = ''] = /\n(`{3,})diff\n([\s\S]*)\n\1$/.exec(`\n${text.slice(text.indexOf('```'))}`) ?? [];
  expect(fence).not.toBe('');
  return body.split('\n');
}

/** The hunks that stand in `_meta`. */
function hunksOf({ meta }: ToolAnswer): unknown[] {
  const diffs = (meta?.diffs ?? []) as { hunks: unknown[] }[];
  return diffs.flatMap(({ hunks }) => hunks);
}

const LINES = Array.from({ length: 20 }, (_, line) => `line ${line + 1}\n`).join('');

describe('edit', () => {
  it('answers with the diff of a single replacement, three lines around it', async () => {
    const { edit, text } = workspace({ 'a.txt': LINES });
    const answer = await edit({ path: 'a.txt', old_string: 'line 10\n', new_string: 'line ten\n' });
    expect(inBlock(answer.text)).toEqual([
      '@@ -7,7 +7,7 @@',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+line ten',
      ' line 11',
      ' line 12',
      ' line 13',
    ]);
    expect(text('a.txt')).toBe(LINES.replace('line 10\n', 'line ten\n'));
    expect(answer.meta?.diffs).toMatchObject([
      { path: 'a.txt', kind: 'modified', hunks: [{ old_start: 7, new_start: 7 }] },
    ]);
  });

  it('cuts a diff of 250 replacements at 200 lines and says how many more there are', async () => {
    const { edit } = workspace({ 'a.txt': 'x\n'.repeat(250) });
    const answer = await edit({ path: 'a.txt', old_string: 'x', new_string: 'y', replace_all: true });
    const lines = inBlock(answer.text);
    expect(lines).toHaveLength(201);
    // One header, 250 removed and 250 added lines.
    expect(lines.at(-1)).toBe('... (301 more lines truncated)');
    expect(answer.text).toContain('250 replacements');
  });

  it('gives one hunk for each place that replace_all changed', async () => {
    const { edit } = workspace({ 'a.txt': Array.from({ length: 5 }, () => `x\n${LINES}`).join('') });
    const answer = await edit({ path: 'a.txt', old_string: 'x\n', new_string: 'y\n', replace_all: true });
    expect(hunksOf(answer)).toHaveLength(5);
  });

  it('keeps line ends, mode, byte order mark and the missing last line end', async () => {
    const { edit, at, text } = workspace({ 'a.bat': '\ufeffone\r\ntwo\r\nthree' });
    chmodSync(at('a.bat'), 0o751);
    const answer = await edit({ path: 'a.bat', old_string: 'one\ntwo\n', new_string: 'one\n2\n' });
    expect(text('a.bat')).toBe('\ufeffone\r\n2\r\nthree');
    expect(statSync(at('a.bat')).mode & 0o777).toBe(0o751);
    expect(answer.text).not.toContain('\r');
    expect(inBlock(answer.text)).toContain('\\ No newline at end of file');
  });

  it('takes what looks like a pattern as it is', async () => {
    const { edit, text } = workspace({ 'a.js': 'f($1)\n' });
    await edit({ path: 'a.js', old_string: 'f($1)', new_string: "$& $$ $` $'" });
    expect(text('a.js')).toBe("$& $$ $` $'\n");
  });

  it.each<[string, Partial<EditInput>, RegExp]>([
    ['an absent text', { old_string: 'nowhere' }, /not in a\.txt/],
    ['a text that is there twice', { old_string: 'line 1' }, /11 times/],
    ['an empty text', { old_string: '' }, /old_string is empty/],
    ['nothing', { old_string: 'line 1\n', new_string: 'line 1\n' }, /the same/],
    ['a file that is not there', { path: 'b.txt' }, /does not exist/],
    ['a folder', { path: 'folder' }, /not a file/],
    ['the workspace', { path: '.' }, /not a file inside the workspace/],
    ['a file above', { path: '../a.txt' }, /not a file inside the workspace/],
    ['a file elsewhere', { path: '/etc/hostname' }, /not a file inside the workspace/],
    ['a link', { path: 'link' }, /symbolic link/],
    ['through a link', { path: 'out/x' }, /symbolic link/],
    ['what belongs to git', { path: 'folder/../.git/config' }, /belongs to git/],
    ['bytes', { path: 'binary' }, /not a text file/],
    ['a pipe', { path: 'pipe' }, /not a file/],
    ['a path with a NUL', { path: 'a\0b' }, /not a path/],
  ])('refuses to edit %s, and changes nothing', async (_what, input, why) => {
    const { edit, at, text, root } = workspace({ 'a.txt': LINES, binary: new Uint8Array([1, 0, 2, 255]) });
    mkdirSync(at('folder'));
    mkdirSync(at('.git'));
    writeFileSync(at('.git/config'), 'x');
    symlinkSync(at('a.txt'), at('link'));
    symlinkSync(tempFolder('elsewhere'), at('out'));
    execFileSync('mkfifo', [at('pipe')]);
    const before = readdirSync(root);
    await expect(edit({ path: 'a.txt', old_string: 'x', new_string: 'y', ...input })).rejects.toThrow(why);
    expect(text('a.txt')).toBe(LINES);
    expect(readdirSync(root)).toEqual(before);
  });

  it('does not overwrite what somebody changed meanwhile', async () => {
    const { tools, at, text, door, root } = workspace({ 'a.txt': LINES });
    const late: FileDoor = {
      ...door,
      replace: async (before, bytes) => {
        writeFileSync(at('a.txt'), 'by somebody else\n');
        await door.replace(before, bytes);
      },
    };
    await expect(
      edit({ ...tools, files: late }, { path: 'a.txt', old_string: 'line 10\n', new_string: '' }),
    ).rejects.toThrow(/changed while/);
    expect(text('a.txt')).toBe('by somebody else\n');
    expect(readdirSync(root)).toEqual(['a.txt']);
  });

  it('replaces in one step: another name of the same file keeps what it had', async () => {
    const { edit, at, text } = workspace({ 'a.txt': 'one\n' });
    linkSync(at('a.txt'), at('b.txt'));
    await edit({ path: at('a.txt'), old_string: 'one', new_string: 'two' });
    expect([text('a.txt'), text('b.txt')]).toEqual(['two\n', 'one\n']);
  });

  it('refuses what would become too large, and what is read-only, and changes nothing', async () => {
    const { edit, write, at, text } = workspace({ 'a.txt': 'x'.repeat(1_000_000), 'locked.txt': 'x\n' });
    await expect(edit({ path: 'a.txt', old_string: 'x', new_string: 'xyz', replace_all: true })).rejects.toThrow(
      /would have 3000000 bytes/,
    );
    await expect(write('b.txt', 'x'.repeat(3_000_000))).rejects.toThrow(/would have/);
    expect([text('a.txt').length, existsSync(at('b.txt'))]).toEqual([1_000_000, false]);
    chmodSync(at('locked.txt'), 0o444);
    await expect(write('locked.txt', 'y')).rejects.toThrow(/is read-only/);
    expect(text('locked.txt')).toBe('x\n');
  });

  it('is done although somebody took the file away right after', async () => {
    const { tools, at, door } = workspace({ 'a.txt': 'one\n' });
    const gone: FileDoor = {
      ...door,
      replace: async (before, bytes) => {
        await door.replace(before, bytes);
        rmSync(at('a.txt'));
      },
    };
    const answer = await edit({ ...tools, files: gone }, { path: 'a.txt', old_string: 'one', new_string: 'two' });
    expect(answer.text).toBe('Edited a.txt (1 replacement).');
  });

  it('shows nothing of a private file', async () => {
    const { edit, text } = workspace({ private: 'secret=1\n' });
    const answer = await edit({ path: 'private', old_string: '1', new_string: '2' });
    expect(text('private')).toBe('secret=2\n');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('write', () => {
  it('says how many bytes a new file has, and shows no diff', async () => {
    const { write, text } = workspace();
    const answer = await write('src/new/é.txt', 'é\n');
    expect(answer.text).toMatch(/^Wrote 3 bytes to src\/new\/é\.txt\.$/);
    expect(text('src/new/é.txt')).toBe('é\n');
    expect(answer.meta?.diffs).toMatchObject([{ old_text: null, new_text: 'é\n' }]);
  });

  it('adds the diff where it replaced text', async () => {
    const { write } = workspace({ 'a.txt': 'one\ntwo\n' });
    const answer = await write('a.txt', 'one\nthree\n');
    expect(answer.text).toMatch(/^Wrote 10 bytes to a\.txt\.\n```diff\n/);
    expect(inBlock(answer.text)).toEqual(['@@ -1,2 +1,2 @@', ' one', '-two', '+three']);
  });

  it('shows no diff where it replaced what was no UTF-8, and does not fail', async () => {
    const { write, text } = workspace({ 'a.bin': new Uint8Array([0xff, 0xfe, 0x41]) });
    const answer = await write('a.bin', 'text\n');
    expect(answer.text).toBe('Wrote 5 bytes to a.bin.');
    expect(text('a.bin')).toBe('text\n');
  });

  it('shows no diff where nothing changed', async () => {
    const { write } = workspace({ 'a.txt': 'one\n' });
    expect((await write('a.txt', 'one\n')).text).toBe('Wrote 4 bytes to a.txt.');
  });

  it('keeps the line ends of the file', async () => {
    const { write, text } = workspace({ 'a.txt': 'one\r\ntwo\r\n' });
    await write('a.txt', 'one\n2\n');
    expect(text('a.txt')).toBe('one\r\n2\r\n');
  });

  it('does not replace a file that somebody made meanwhile', async () => {
    const { tools, at, text, door } = workspace();
    const late: FileDoor = {
      ...door,
      replace: async (before, bytes) => {
        writeFileSync(at('a.txt'), 'theirs\n');
        await door.replace(before, bytes);
      },
    };
    await expect(write({ ...tools, files: late }, { path: 'a.txt', content: 'ours\n' })).rejects.toThrow(
      /changed while/,
    );
    expect(text('a.txt')).toBe('theirs\n');
  });

  it('does not write through a link that somebody put in the way', async () => {
    const { tools, at, door } = workspace();
    const elsewhere = tempFolder('elsewhere');
    const late: FileDoor = {
      ...door,
      replace: async (before, bytes) => {
        symlinkSync(elsewhere, at('folder'));
        await door.replace(before, bytes);
      },
    };
    await expect(write({ ...tools, files: late }, { path: 'folder/a.txt', content: 'x' })).rejects.toThrow(
      /symbolic link/,
    );
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(lstatSync(at('folder')).isSymbolicLink()).toBe(true);
  });

  it('refuses where a folder is in the way of a folder', async () => {
    const { write, at } = workspace({ 'a.txt': 'x' });
    await expect(write('a.txt/b.txt', 'x')).rejects.toThrow(/not a folder/);
    expect(existsSync(at('a.txt'))).toBe(true);
  });
});

it('puts a fence around a diff that nothing in it can close', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[` a~]{0,12}$/), { minLength: 1, maxLength: 6 }), (lines) => {
      const [open = '', ...rest] = fenced(lines).split('\n');
      const fence = open.replace(/diff$/, '');
      expect(fence).toMatch(/^`{3,}$/);
      expect(rest.pop()).toBe(fence);
      for (const line of rest) expect(line).not.toContain(fence);
      expect(rest).toEqual(lines);
    }),
  );
});

it('says of any edit what git would say', async () => {
  const content = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '```', '--- x'), { minLength: 1, maxLength: 12 })
    .map((lines) => lines.join('\n'));
  await fc.assert(
    fc.asyncProperty(content, content, async (before, after) => {
      const { write } = workspace({ 'a.txt': before });
      const answer = await write('a.txt', after);
      if (before === after) {
        expect(answer.text).not.toContain('```');
        return;
      }
      const patch = inBlock(answer.text);
      expect(parseUnifiedPatch(patch.map((line) => `${line}\n`).join('')).hunks).toHaveLength(hunksOf(answer).length);
    }),
    { numRuns: 40 },
  );
});
