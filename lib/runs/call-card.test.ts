import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Capture } from '@/lib/capture/capture';
import { openCapture } from '@/lib/capture/open-capture';
import type { ToolCallId } from '@/lib/domain/ids';
import { DEFAULT_LIMITS } from '@/lib/domain/limits';
import { readToolMeta } from '@/lib/domain/tool-meta';

import { cardOf } from './call-card';
import { Recorder } from './recorder';

let base: string;
let workspace: string;
let capture: Capture;
let recorder: Recorder;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'tidemark-card-')));
  workspace = join(base, 'work');
  execFileSync('git', ['init', '-q', workspace]);
  await writeFile(join(workspace, 'a.txt'), 'one\ntwo\nthree\n');
  capture = openCapture({
    dataDir: join(base, 'data'),
    limits: DEFAULT_LIMITS,
    privatePaths: [],
    namesOnly: false,
    includeDirs: [],
    home: base,
    tempDirs: [],
  });
  recorder = new Recorder(capture, await capture.locate(workspace), DEFAULT_LIMITS);
  await recorder.takeBaseline();
});
afterEach(async () => {
  await rm(base, { recursive: true, force: true });
});

const id = (name: string) => name as ToolCallId;
const file = (name: string) => join(workspace, name);

function startCall(name: string, paths: string[], { mayBeginAt = Date.now() } = {}): Promise<void> {
  return recorder.startCall({ id: id(name), kind: 'edit', paths, mayBeginAt, look: true });
}

async function cardOfCall(name: string) {
  recorder.endCall(id(name), Date.now());
  const files = await recorder.callCaptures(id(name));
  const card = await cardOf(capture, recorder, DEFAULT_LIMITS, id(name), files);
  recorder.settleCall(id(name));
  return card === null ? null : readToolMeta(card);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a file that is copied in time shows what was applied to it', async () => {
  await pause(50);
  await startCall('c', ['a.txt']);
  await writeFile(file('a.txt'), 'one\nTWO\nthree\n');
  const card = await cardOfCall('c');
  expect(card?.diffs).toMatchObject([{ path: 'a.txt', kind: 'modified', new_text: 'one\nTWO\nthree\n' }]);
});

test('a tool that is faster than the copy is told by the look before it, never as unchanged', async () => {
  await pause(50);
  const announcedAt = Date.now();
  await writeFile(file('a.txt'), 'one\nTWO\nthree\n');
  await writeFile(file('new.txt'), 'fresh\n');
  await startCall('c', ['a.txt', 'new.txt'], { mayBeginAt: announcedAt });
  const card = await cardOfCall('c');
  expect(card?.stat).toEqual({ files: 2, additions: 2, deletions: 1, omitted: 0 });
  expect(card?.diffs).toMatchObject([
    { path: 'a.txt', kind: 'modified', old_text: 'one\ntwo\nthree\n', new_text: 'one\nTWO\nthree\n' },
    { path: 'new.txt', kind: 'created', old_text: null, new_text: 'fresh\n' },
  ]);
});

test('where two fast tools named one file between two looks, no card claims what was whose', async () => {
  await pause(50);
  const announcedAt = Date.now();
  await writeFile(file('a.txt'), 'ONE\ntwo\nthree\n');
  const first = startCall('first', ['a.txt'], { mayBeginAt: announcedAt });
  await writeFile(file('a.txt'), 'ONE\nTWO\nthree\n');
  const second = startCall('second', ['a.txt'], { mayBeginAt: announcedAt });
  await Promise.all([first, second]);
  expect(await cardOfCall('first')).toBe(null);
  expect(await cardOfCall('second')).toBe(null);
});

test('what happens to a file after the call is not on its card', async () => {
  await pause(50);
  await startCall('c', ['a.txt']);
  await writeFile(file('a.txt'), 'one\nTWO\nthree\n');
  recorder.endCall(id('c'), Date.now());
  const ended = recorder.callCaptures(id('c'));
  await ended;
  await writeFile(file('a.txt'), 'one\nTWO\nTHREE\n');
  const card = await cardOfCall('c');
  expect(card?.diffs).toMatchObject([{ new_text: 'one\nTWO\nthree\n' }]);
});

test('a host that waits for us is never late', async () => {
  await writeFile(file('a.txt'), 'just now\n');
  await startCall('c', ['a.txt'], { mayBeginAt: Number.POSITIVE_INFINITY });
  await writeFile(file('a.txt'), 'and then\n');
  const card = await cardOfCall('c');
  expect(card?.diffs).toMatchObject([{ kind: 'modified', old_text: 'just now\n', new_text: 'and then\n' }]);
});

test('beside a file that is known, one that is not known takes the counts with it', async () => {
  await pause(50);
  const announcedAt = Date.now();
  await writeFile(file('shared.txt'), 'both\n');
  await startCall('other', ['shared.txt'], { mayBeginAt: announcedAt });
  await startCall('c', ['a.txt', 'shared.txt'], { mayBeginAt: announcedAt });
  await writeFile(file('a.txt'), 'one\nTWO\nthree\n');
  const card = await cardOfCall('c');
  expect(card?.diffs.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['a.txt modified', 'shared.txt unknown']);
  expect(card?.stat).toBe(null);
});

test('a call does not begin after its end, where its host did not wait for us', async () => {
  const started = startCall('c', ['a.txt'], { mayBeginAt: Number.POSITIVE_INFINITY });
  recorder.endCall(id('c'), Date.now());
  await started;
  const call = recorder.calls.get(id('c'));
  expect(call?.start).toBeLessThanOrEqual(call?.end ?? 0);
});
