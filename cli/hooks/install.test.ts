import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, commandLine, finished } from '@/lib/testing/command-line';

let tidemark: CommandLine;
let home: string;
let counter = 0;

beforeAll(async () => {
  tidemark = await commandLine();
});
afterAll(() => tidemark.remove());
beforeEach(() => {
  counter += 1;
  home = join(tidemark.folder, `home ${counter}`);
  mkdirSync(home);
});

/** `tidemark hooks …` with a home and a data folder of its own. */
function hooks(...args: string[]) {
  return tidemark.run(['hooks', ...args], {
    cwd: home,
    env: { HOME: home, TIDEMARK_DATA_DIR: join(home, 'data folder') },
  });
}

function put(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const PLACES = {
  claude: ['.claude/settings.json', '.claude/settings.local.json'],
  codex: ['.codex/hooks.json', '.codex/hooks.json'],
  gemini: ['.gemini/settings.json', '.gemini/settings.json'],
  qwen: ['.qwen/settings.json', '.qwen/settings.json'],
  opencode: ['.config/opencode/plugins/tidemark.js', '.opencode/plugins/tidemark.js'],
} as const;

describe.each(Object.entries(PLACES))('hooks of %s', (agent, [user, project]) => {
  it('are installed where there was nothing, and leave nothing when they are removed', async () => {
    const installed = await hooks('install', agent);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    expect(installed.stdout).toContain(`+++ ${join(home, user)}`);
    const text = readFileSync(join(home, user), 'utf8');
    expect(text).toContain(join(home, 'data folder'));
    expect((await hooks('status', agent)).stdout).toContain('installed, no event yet');
    const again = await hooks('install', agent);
    expect(again.stdout).toContain('installed already');
    expect(readFileSync(join(home, user), 'utf8')).toBe(text);
    const removed = await hooks('remove', agent);
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(home)).toEqual(['data folder']);
    expect((await hooks('status', agent)).stdout).toContain('not installed');
  });

  it('are installed for one folder alone', async () => {
    expect(await hooks('install', agent, '--project')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(home, project))).toBe(true);
    expect((await hooks('status')).stdout).toMatch(/\(this folder\) +installed, no event yet/);
    expect(await hooks('remove', agent, '--project')).toMatchObject({ code: 0 });
    expect(existsSync(join(home, project))).toBe(false);
  });

  it('are only shown by a dry run', async () => {
    expect((await hooks('install', agent, '--dry-run')).stdout).toContain('@@');
    expect(readdirSync(home)).toEqual([]);
  });
});

const THEIRS =
  '{\n  // my model\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }, // mine\n    ],\n  },\n}\n';

it('come and go without changing a byte of what others wrote, and a copy is kept', async () => {
  const file = put('.claude/settings.json', THEIRS);
  chmodSync(file, 0o640);
  const { stdout } = await hooks('install', 'claude');
  expect(stdout).not.toContain('\n-');
  const backup = /a copy of the file is (.*)/.exec(stdout)?.[1] as string;
  expect(readFileSync(backup, 'utf8')).toBe(THEIRS);
  expect(readFileSync(file, 'utf8')).toContain('say done');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  await hooks('remove', 'claude');
  expect(readFileSync(file, 'utf8')).toBe(THEIRS);
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

it('keep what others added after they were installed', async () => {
  const file = put('.gemini/settings.json', '{\n  "theme": "dark"\n}\n');
  await hooks('install', 'gemini');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"theme": "dark"', '"theme": "light",\n  "added": true'));
  await hooks('remove', 'gemini');
  expect(readFileSync(file, 'utf8')).toBe('{\n  "theme": "light",\n  "added": true\n}\n');
});

it('go through a link and leave it a link', async () => {
  const real = put('dotfiles/claude.json', '{}\n');
  mkdirSync(join(home, '.claude'));
  symlinkSync(real, join(home, '.claude/settings.json'));
  await hooks('install', 'claude');
  expect(lstatSync(join(home, '.claude/settings.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('UserPromptSubmit');
  await hooks('remove', 'claude');
  expect(lstatSync(join(home, '.claude/settings.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toBe('{}\n');
});

describe('change nothing, and say why, where the settings', () => {
  it('are broken', async () => {
    const file = put('.claude/settings.json', '{ "model": \n');
    const result = await hooks('install', 'claude');
    expect(result.code).toBe(65);
    expect(result.stderr).toMatch(/settings\.json: it is not valid JSON \(line 2/);
    expect(readFileSync(file, 'utf8')).toBe('{ "model": \n');
  });

  it('are read-only', async () => {
    const file = put('.claude/settings.json', '{}');
    chmodSync(file, 0o444);
    const result = await hooks('install', 'claude');
    expect(result).toMatchObject({ code: 73 });
    expect(result.stderr).toContain('is read-only');
    expect(readFileSync(file, 'utf8')).toBe('{}');
    expect(readdirSync(join(home, '.claude'))).toEqual(['settings.json']);
  });

  it('would lie below a file', async () => {
    put('.claude', 'a file');
    const result = await hooks('install', 'claude');
    expect(result.code).toBe(65);
    expect(result.stderr).toContain('a folder in its path is a file');
  });

  it('are a link that leads nowhere', async () => {
    mkdirSync(join(home, '.claude'));
    symlinkSync(join(home, 'gone'), join(home, '.claude/settings.json'));
    const result = await hooks('install', 'claude');
    expect(result.code).toBe(65);
    expect(result.stderr).toContain('a link that leads nowhere');
  });

  it('are a folder, or no text', async () => {
    mkdirSync(join(home, '.claude/settings.json'), { recursive: true });
    expect((await hooks('install', 'claude')).stderr).toContain('is not a file');
    writeFileSync(put('.qwen/settings.json', ''), Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await hooks('install', 'qwen')).stderr).toContain('is not UTF-8 text');
  });

  it('hold a plugin of that name that is not ours', async () => {
    const file = put('.config/opencode/plugins/tidemark.js', 'export const Mine = 1;\n');
    expect(await hooks('install', 'opencode')).toMatchObject({ code: 65 });
    await hooks('remove', 'opencode');
    expect(readFileSync(file, 'utf8')).toBe('export const Mine = 1;\n');
  });
});

it('of all agents: those that are used here, and one that fails does not stop the others', async () => {
  put('.claude/settings.json', '[]');
  put('.gemini/settings.json', '{}');
  const result = await hooks('install', '--all', '--json');
  expect(result.code).toBe(65);
  const done = (JSON.parse(result.stdout) as { hooks: { agent: string; done: string }[] }).hooks;
  expect(done.map(({ agent, done: how }) => [agent, how])).toEqual([
    ['claude', 'failed'],
    ['codex', 'skipped'],
    ['gemini', 'installed'],
    ['qwen', 'skipped'],
    ['opencode', 'skipped'],
  ]);
});

it('hold no token, in no file that is readable by others', async () => {
  const dataDir = join(home, 'data folder');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'token'), 'the-secret-token\n', { mode: 0o600 });
  for (const agent of Object.keys(PLACES)) await hooks('install', agent);
  for (const [user] of Object.values(PLACES)) expect(readFileSync(join(home, user), 'utf8')).not.toContain('secret');
  for (const agent of ['claude', 'codex', 'gemini', 'qwen']) {
    const script = join(dataDir, 'hooks', agent);
    expect(readFileSync(script, 'utf8')).not.toContain('secret');
    expect(statSync(script).mode & 0o777).toBe(0o700);
  }
});

it('work from a data folder with any name', async () => {
  const dataDir = join(home, `it's "$(touch ran)" \\ \`x\` ü`);
  const env = { HOME: home, TIDEMARK_DATA_DIR: dataDir };
  for (const agent of ['claude', 'opencode']) {
    expect(await tidemark.run(['hooks', 'install', agent], { cwd: home, env })).toMatchObject({ code: 0 });
  }
  const { hooks: events } = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'));
  const { command } = events.Stop[0].hooks[0];
  const shell = await finished(
    spawn('/bin/sh', ['-c', command], { cwd: home, env: { ...process.env, HOME: home } }),
    '{}',
  );
  // The script ran: it is its own sentence.
  expect(shell).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('tidemark: not running') });
  expect(readdirSync(home)).not.toContain('ran');
  const plugin = readFileSync(join(home, '.config/opencode/plugins/tidemark.js'), 'utf8');
  expect(plugin).toContain(`const DATA = ${JSON.stringify(dataDir)};`);
  expect(await tidemark.run(['hooks', 'remove', '--all'], { cwd: home, env })).toMatchObject({ code: 0 });
  expect(existsSync(join(home, '.claude'))).toBe(false);
});

it('are written with the whole path of a data folder that is named from here', async () => {
  const env = { HOME: home, TIDEMARK_DATA_DIR: 'relative' };
  await tidemark.run(['hooks', 'install', 'claude'], { cwd: home, env });
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain(
    join(home, 'relative', 'hooks', 'claude'),
  );
});

it('say what is wrong with the words', async () => {
  expect(await hooks('install')).toMatchObject({ code: 64 });
  expect(await hooks('install', 'emacs')).toMatchObject({ code: 64 });
  expect(await hooks('install', 'claude', '--all')).toMatchObject({ code: 64 });
  expect(await hooks('uninstall', 'claude')).toMatchObject({ code: 64 });
});
