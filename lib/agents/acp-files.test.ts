import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AcpFiles, createAcpFiles } from './acp-files';

let root: string;
let workspace: string;
let files: AcpFiles;
let announced: string[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tidemark-acp-files-')));
  workspace = join(root, 'work');
  await mkdir(workspace);
  announced = [];
  files = createAcpFiles({
    workspace,
    fileBytes: 1_000,
    beforeWrite: async (path) => {
      announced.push(`${path}: ${await readFile(path, 'utf8').catch(() => 'absent')}`);
    },
  });
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

test('reads a file whole or in part', async () => {
  await writeFile(join(workspace, 'a.txt'), 'one\ntwo\r\nthree');
  const path = join(workspace, 'a.txt');
  expect(await files.read({ path })).toEqual({ content: 'one\ntwo\r\nthree' });
  expect(await files.read({ path, line: 2, limit: 1 })).toEqual({ content: 'two\r\n' });
  expect(await files.read({ path, line: 3 })).toEqual({ content: 'three' });
  expect(await files.read({ path: 'a.txt', limit: 0 })).toEqual({ content: '' });
});

test('a file that is not there reads as empty, so that agents can create it', async () => {
  expect(await files.read({ path: join(workspace, 'sub', 'new.txt') })).toEqual({ content: '' });
});

test('writes a new file with its folders and overwrites one in place, after its old content was copied', async () => {
  const created = join(workspace, 'deep', 'er', 'new.txt');
  await files.write({ path: created, content: 'x' });
  await files.write({ path: created, content: 'y' });
  expect(await readFile(created, 'utf8')).toBe('y');
  expect(announced).toEqual([`${created}: absent`, `${created}: x`]);
  expect(await readdir(join(workspace, 'deep', 'er'))).toEqual(['new.txt']);
});

test.each([
  ['an absolute path', () => join(root, 'outside.txt')],
  ['a path that climbs', () => '../outside.txt'],
  ['a link to a file outside', () => 'link-file'],
  ['a link to a folder outside', () => 'link-folder/outside.txt'],
  ['a link to nowhere outside', () => 'dangling'],
  ['a null character', () => 'a\0b'],
])('%s is refused, and nothing outside is read or written', async (_, pathOf) => {
  await writeFile(join(root, 'outside.txt'), 'secret');
  await symlink(join(root, 'outside.txt'), join(workspace, 'link-file'));
  await symlink(root, join(workspace, 'link-folder'));
  await symlink(join(root, 'not-there.txt'), join(workspace, 'dangling'));
  await expect(files.read({ path: pathOf() })).rejects.toMatchObject({ code: -32602 });
  await expect(files.write({ path: pathOf(), content: 'overwritten' })).rejects.toMatchObject({ code: -32602 });
  expect(await readFile(join(root, 'outside.txt'), 'utf8')).toBe('secret');
  expect(await readdir(root)).toEqual(['outside.txt', 'work']);
  expect(announced).toEqual([]);
});

test('a neighbour whose name begins like the workspace is outside', async () => {
  await mkdir(join(root, 'work-other'));
  await expect(files.write({ path: join(root, 'work-other', 'a'), content: '' })).rejects.toThrow(
    'outside the workspace',
  );
});

test.each([
  ['a folder', { path: '.' }],
  ['a file that is no text', { path: 'binary' }],
  ['a file over the limit', { path: 'large' }],
  ['no path', {}],
  ['a path that is no string', { path: 5 }],
  ['nothing', null],
])('reading %s is an error the agent can tell', async (_, params) => {
  await writeFile(join(workspace, 'binary'), new Uint8Array([0xff, 0xfe, 0x00]));
  await writeFile(join(workspace, 'large'), 'x'.repeat(1_001));
  await expect(files.read(params)).rejects.toMatchObject({ code: -32602 });
});

test('writing a folder or more than the limit is refused', async () => {
  await expect(files.write({ path: '.', content: '' })).rejects.toThrow('not a file');
  await expect(files.write({ path: 'a', content: 'é'.repeat(501) })).rejects.toThrow('larger than 1000 bytes');
  expect(await readdir(workspace)).toEqual([]);
});
