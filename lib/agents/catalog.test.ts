import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentCatalog } from './catalog';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tidemark-catalog-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function withFile(content: unknown): Promise<string> {
  const file = join(dir, 'agents.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const catalog = (file: string | null, PATH = dir) => agentCatalog({ file, outputBytes: 1_000, environment: { PATH } });

test('the shell is always there and always available', async () => {
  const [shell] = catalog(null);
  expect(shell).toMatchObject({ id: 'shell', kind: 'shell' });
  expect(await shell?.availability()).toEqual({ available: true });
});

test('an agent that is not installed says what to type, and is found as soon as it is there', async () => {
  const gemini = catalog(null).find((agent) => agent.id === 'gemini');
  expect(await gemini?.availability()).toEqual({
    available: false,
    reason: 'The command gemini was not found. Type: npm install -g @google/gemini-cli',
  });
  await writeFile(join(dir, 'gemini'), '#!/bin/sh\n');
  expect(await gemini?.availability()).toMatchObject({ available: false });
  await chmod(join(dir, 'gemini'), 0o755);
  expect(await gemini?.availability()).toEqual({ available: true });
});

test('a folder of that name, or a program in a relative folder of the search path, is no agent', async () => {
  await mkdir(join(dir, 'qwen'));
  await writeFile(join(dir, 'codex-acp'), '#!/bin/sh\n', { mode: 0o755 });
  const agents = catalog(null, `${dir}/nothing:.:`);
  const [qwen, codex] = [agents.find(({ id }) => id === 'qwen'), agents.find(({ id }) => id === 'codex')];
  expect(await qwen?.availability()).toMatchObject({ available: false });
  expect(await codex?.availability()).toMatchObject({ available: false });
});

test('every known agent has a unique id and tells how to get it', async () => {
  const agents = catalog(null);
  expect(agents.map(({ id }) => id)).toEqual(['shell', 'claude', 'codex', 'gemini', 'qwen', 'opencode']);
  for (const agent of agents.slice(1)) {
    expect(await agent.availability()).toMatchObject({ reason: expect.stringContaining('npm install -g') });
  }
});

test('the file of the user adds agents and replaces known ones', async () => {
  const program = join(dir, 'mine');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  const agents = catalog(
    await withFile({
      agents: [
        { id: 'mine', name: 'Mine', command: program, args: ['--acp'], env: { A: 'b' }, fs: false },
        { id: 'gemini', name: 'Gemini nightly', command: 'gemini-nightly' },
      ],
    }),
  );
  expect(agents.map(({ id, name }) => `${id}: ${name}`)).toContain('mine: Mine');
  expect(agents.filter(({ id }) => id === 'gemini').map(({ name }) => name)).toEqual(['Gemini nightly']);
  expect(await agents.find(({ id }) => id === 'mine')?.availability()).toEqual({ available: true });
});

test.each([
  ['no JSON', '{', 'is no JSON'],
  ['no agents', {}, 'agents'],
  ['a field nobody knows', { agents: [{ id: 'a', name: 'A', command: 'a', commnad: 'x' }] }, 'commnad'],
  ['an id with a slash', { agents: [{ id: 'a/b', name: 'A', command: 'a' }] }, 'agents.0.id'],
  ['the id of the shell', { agents: [{ id: 'shell', name: 'A', command: 'a' }] }, 'built in'],
  [
    'an id twice',
    {
      agents: [
        { id: 'a', name: 'A', command: 'a' },
        { id: 'a', name: 'B', command: 'b' },
      ],
    },
    'stands twice',
  ],
  ['no command', { agents: [{ id: 'a', name: 'A', command: '' }] }, 'agents.0.command'],
])('a file with %s stops the start and names the setting', async (_, content, words) => {
  const file = await withFile(content);
  expect(() => catalog(file)).toThrow(/^TIDEMARK_AGENTS names /);
  expect(() => catalog(file)).toThrow(words);
});

test('a file that is not there stops the start', () => {
  expect(() => catalog(join(dir, 'missing.json'))).toThrow('cannot be read (ENOENT)');
});
