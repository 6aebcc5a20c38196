import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Child, type ChildOptions, startChild } from './child';
import { isGroupAlive, processStartTime, signalGroup } from './process-group';

let dir: string;
const children: Child[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tidemark-child-'));
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop(0)));
  await rm(dir, { recursive: true, force: true });
});

async function start(script: string, options: Partial<ChildOptions> = {}): Promise<Child> {
  const result = await startChild({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: dir,
    env: { PATH: process.env.PATH },
    stdin: 'ignore',
    ...options,
  });
  if (!result.started) throw new Error(result.message);
  children.push(result.child);
  return result.child;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = Number(await readFile(join(dir, file), 'utf8').catch(() => ''));
    if (pid > 0) return pid;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a child has its own group, its output and its exit', async () => {
  const child = await start('echo out; echo err >&2; exit 3');
  const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
  expect({ out, err, exit }).toEqual({ out: 'out\n', err: 'err\n', exit: { code: 3, signal: null } });
  await child.closed;
});

test('a child converses over its standard input', async () => {
  const child = await start('read line; echo "got $line"', { stdin: 'pipe' });
  child.stdin?.write('hello\n');
  expect(await text(child.stdout)).toBe('got hello\n');
});

test('the environment is only what was given', async () => {
  const child = await start('env', { env: { ONLY: 'this' } });
  const names = (await text(child.stdout)).split('\n').map((line) => line.split('=')[0]);
  expect(names).toContain('ONLY');
  expect(names).not.toContain('HOME');
});

test('what cannot be started is a value that says why', async () => {
  const options: Omit<ChildOptions, 'command'> = { args: [], cwd: dir, env: {}, stdin: 'ignore' };
  expect(await startChild({ ...options, command: join(dir, 'nothing-here') })).toMatchObject({
    started: false,
    code: 'ENOENT',
  });
  expect(await startChild({ ...options, command: dir })).toMatchObject({ started: false, code: 'EACCES' });
  expect(await startChild({ ...options, command: '/bin/sh', args: ['nul\0'] })).toMatchObject({ started: false });
  expect(await startChild({ ...options, command: '/bin/sh', args: ['x'.repeat(400_000)] })).toMatchObject({
    started: false,
    code: 'E2BIG',
  });
  expect(await startChild({ ...options, command: '/bin/sh', cwd: join(dir, 'gone') })).toMatchObject({
    started: false,
    code: 'ENOENT',
  });
});

test('stop ends children that hold the pipes open, and resolves when they are gone', async () => {
  const child = await start('sleep 600 & echo $! > background; wait');
  const background = await pidIn('background');
  await child.stop();
  expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' });
  await child.closed;
  expect(await isGroupAlive(child.pid)).toBe(false);
  expect(isAlive(background) && (await processStartTime(background)) !== null && (await isGroupAlive(background))).toBe(
    false,
  );
});

test('stop kills who ignores SIGTERM', async () => {
  const child = await start('trap "" TERM; echo $$ > self; while :; do sleep 600; done');
  await pidIn('self');
  await child.stop(100);
  expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await isGroupAlive(child.pid)).toBe(false);
});

test('stop ends background children of a process that has already gone', async () => {
  const child = await start('sleep 600 & echo $! > background');
  await child.exited;
  expect(await isGroupAlive(child.pid)).toBe(true);
  await Promise.all([child.stop(), child.stop()]);
  expect(await isGroupAlive(child.pid)).toBe(false);
  await child.closed;
});

test.skipIf(process.platform !== 'linux')('stop ends descendants that made a group of their own', async () => {
  const child = await start('setsid sleep 600 & echo $! > other; wait');
  const other = await pidIn('other');
  await child.stop();
  expect(await isGroupAlive(other)).toBe(false);
});

test('a group that cannot be anybody else’s is never signalled', async () => {
  let heard = 0;
  const hear = () => {
    heard += 1;
  };
  process.on('SIGWINCH', hear);
  for (const group of [0, 1, -1]) signalGroup(group, 'SIGWINCH');
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('SIGWINCH', hear);
  expect(heard).toBe(0);
});

test('a start time is the same twice and tells processes apart', async () => {
  const first = await start('sleep 600');
  await new Promise((resolve) => setTimeout(resolve, 30));
  const second = await start('sleep 600');
  expect(await first.startTime).not.toBe('');
  expect(await processStartTime(first.pid)).toBe(await first.startTime);
  expect(await second.startTime).not.toBe(await first.startTime);
});
