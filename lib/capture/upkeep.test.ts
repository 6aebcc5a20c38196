/** What is kept stays readable whatever happens to the repository; what is let go gives its space back. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCapture } from '@/lib/capture/open-capture';
import { captureSettings, fileAt, watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');
const privateDir = (dataDir: string) => {
  const folder = join(dataDir, 'capture', 'git');
  return join(folder, readdirSync(folder)[0] as string);
};

describe('kept bodies', () => {
  test('are whole after the user’s clean-up, and after the repository is gone', async () => {
    const repo = testRepository({ a: lines(50), b: lines(50, 'b'), 'x.bin': Buffer.from([0, 1]) });
    const settings = captureSettings();
    const { span, capture } = await watch(repo.path, settings);
    const { delta, before, after } = await span(() =>
      repo.sh('sed -i s/7$/seven/ a; rm b; printf "\\000\\002" > x.bin'),
    );
    await capture.releaseSnapshot(before);
    await capture.releaseSnapshot(after);
    await capture.collect();
    repo.sh('git add -A; git commit -qm x; rm -rf .git');
    await capture.collect();
    const dir = privateDir(settings.dataDir);
    const store = testFolder(dir);
    expect(
      store.sh('git --git-dir=. fsck --no-dangling 2>&1 | grep -v alternate | grep -v "unable to normalize" || true'),
    ).not.toContain('missing blob');
    // A new process reads them too.
    const later = openCapture(settings);
    expect(await later.readComparison(delta.kept, fileAt(delta, 'a'), { context: 'all' })).toMatchObject({
      kind: 'text',
    });
    expect(Buffer.from(await later.readContent(delta.kept, fileAt(delta, 'b'), 'before')).toString()).toBe(
      lines(50, 'b'),
    );
    const patch = await later.readPatch(delta.kept, { root: repo.path }, delta.files);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toContain('GIT binary patch');
  });

  test('expire when they are forgotten, and give their space back', async () => {
    const repo = testRepository({ a: '1\n' });
    const settings = captureSettings();
    const { span, capture } = await watch(repo.path, settings);
    const kept: { delta: Awaited<ReturnType<typeof span>>['delta']; name: string }[] = [];
    for (let round = 0; round < 3; round += 1) {
      const name = `run:${round}#1`;
      const { delta, before, after } = await span(
        () => repo.write('a', Array.from({ length: 20_000 }, () => `${Math.random()}\n`).join('')),
        { keepAs: name },
      );
      kept.push({ delta, name });
      await capture.releaseSnapshot(before);
      await capture.releaseSnapshot(after);
    }
    const full = (await capture.usage()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(full).toBeGreaterThan(400_000);
    for (const { delta, name } of kept.slice(0, 2)) await capture.forget(name, delta.kept);
    await capture.collect();
    const [first, , last] = kept as [(typeof kept)[0], unknown, (typeof kept)[0]];
    await expect(capture.readContent(first.delta.kept, fileAt(first.delta, 'a'), 'after')).rejects.toMatchObject({
      code: 'expired',
    });
    await expect(
      capture.readComparison(first.delta.kept, fileAt(first.delta, 'a'), { context: 3 }),
    ).rejects.toMatchObject({ code: 'expired' });
    await expect(capture.readPatch(first.delta.kept, { root: repo.path }, first.delta.files)).rejects.toMatchObject({
      code: 'expired',
    });
    expect((await capture.readContent(last.delta.kept, fileAt(last.delta, 'a'), 'before')).length).toBeGreaterThan(0);
    const less = (await capture.usage()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(less).toBeLessThan(full * 0.8);
    // A repeated snapshot still works on what is left.
    expect((await span(() => repo.write('a', 'x\n'))).rows[0]).toMatch(/^M a /);
  });

  test('many records are put together in one pack and stay apart', async () => {
    const repo = testRepository({ a: '1\n' });
    const settings = captureSettings();
    const { span, capture } = await watch(repo.path, settings);
    const deltas: Awaited<ReturnType<typeof span>>['delta'][] = [];
    for (let round = 0; round < 42; round += 1) {
      const { delta, before, after } = await span(() => repo.write('a', `${round} round\n`), { keepAs: `k${round}` });
      await capture.releaseSnapshot(before);
      await capture.releaseSnapshot(after);
      deltas.push(delta);
    }
    await capture.collect();
    const packs = readdirSync(join(privateDir(settings.dataDir), 'objects', 'pack')).filter((name) =>
      name.endsWith('.pack'),
    );
    expect(packs).toHaveLength(1);
    for (let round = 0; round < 38; round += 1)
      await capture.forget(`k${round}`, (deltas[round] as (typeof deltas)[0]).kept);
    await capture.collect();
    for (const [round, delta] of deltas.entries()) {
      // What round 37 left is what round 38 found, and that is kept.
      const read = capture.readContent(delta.kept, fileAt(delta, 'a'), 'after');
      if (round < 37) await expect(read, `round ${round}`).rejects.toMatchObject({ code: 'expired' });
      else expect(Buffer.from(await read).toString()).toBe(`${round} round\n`);
    }
  }, 60_000);

  test('a body that is read while a sweep goes on is whole', async () => {
    const repo = testRepository({ a: '1\n' });
    const { span, capture } = await watch(repo.path);
    const { delta } = await span(() => repo.sh('echo 2 >> a; echo 1 > n'), { keepAs: 'read' });
    const live = { snapshots: [], kept: ['read'] };
    const read = async () => {
      const parts: Uint8Array[] = [];
      const patch = await capture.readPatch(delta.kept, { root: repo.path }, delta.files);
      for await (const part of patch.text) parts.push(part);
      return Buffer.concat(parts)
        .toString()
        .match(/^diff --git .*$/gm);
    };
    let isReading = true;
    const sweeping = (async () => {
      while (isReading) await capture.sweep(live);
    })();
    for (let round = 0; round < 25; round += 1) {
      expect(await read()).toEqual(['diff --git a/a b/a', 'diff --git a/n b/n']);
      const comparison = await capture.readComparison(delta.kept, fileAt(delta, 'n'), { context: 3 });
      expect(comparison).toMatchObject({ kind: 'text', hunks: [{ newLines: 1 }] });
    }
    isReading = false;
    await sweeping;
  });

  test('a sweep removes what nobody names, and nothing else', async () => {
    const repo = testRepository({ a: '1\n' });
    const settings = captureSettings();
    const { span, capture } = await watch(repo.path, settings);
    await span(() => repo.write('a', 'two\n'), { keepAs: 'one' });
    const two = await span(() => repo.write('a', 'three\n'), { keepAs: 'two' });
    await capture.sweep({ snapshots: [two.after], kept: ['two'] });
    expect(Buffer.from(await capture.readContent(two.delta.kept, fileAt(two.delta, 'a'), 'before')).toString()).toBe(
      'two\n',
    );
    const refs = testFolder(privateDir(settings.dataDir)).sh('find refs -type f | wc -l').trim();
    expect(refs).toBe('3');
    expect(readdirSync(join(privateDir(settings.dataDir), 'tidemark', 'kept'))).toHaveLength(1);
    // The end of the last run is still good as the start of drift, in a new process as well.
    const later = openCapture(settings);
    const location = await later.locate(repo.path);
    repo.write('a', 'four\n');
    const delta = await later.compare(location, two.after, await later.takeSnapshot(location), {
      keepAs: 'drift',
      patches: true,
      captures: [],
    });
    expect(delta.files).toMatchObject([{ path: 'a', additions: 1, deletions: 1 }]);
  });

  test('the folder of a workspace that is gone goes with its last record', async () => {
    const repo = testRepository({ a: '1\n' });
    const settings = captureSettings();
    const { span } = await watch(repo.path, settings);
    await span(() => repo.write('a', '2\n'));
    repo.sh('rm -rf ./* .git; rmdir "$PWD"');
    await openCapture(settings).sweep({ snapshots: [], kept: [] });
    expect(readdirSync(join(settings.dataDir, 'capture', 'git'))).toEqual([]);
  });
});

test('what a row says of its end is checked against the disk', async () => {
  const repo = testRepository({ a: '1\n', 'pkg/c': '1\n', m: '1\n', gone: '1\n' });
  repo.sh('git config core.autocrlf true; printf "x\\r\\n" > crlf; git add crlf; git commit -qm c');
  const { span, capture, location } = await watch(repo.path);
  const { delta } = await span(() => repo.sh('echo 2 >> a; printf "y\\r\\n" > crlf; chmod +x m; rm gone; ln -s a l'));
  expect(delta.files.map((file) => file.path)).toEqual(['a', 'crlf', 'gone', 'l', 'm']);
  const current = async () => Promise.all(delta.files.map((file) => capture.isCurrent(location, file)));
  expect(await current()).toEqual([true, true, true, true, true]);
  repo.sh('echo 3 >> a; echo z > crlf; echo back > gone; ln -sfn m l; chmod -x m');
  expect(await current()).toEqual([false, false, false, false, false]);
});

test('a snapshot is listed with sizes, times and hashes', async () => {
  const repo = testRepository({ b: 'hello', 'a\nx': '', 'd/c': 'x'.repeat(5_000) });
  repo.write('big', Buffer.alloc(3_000_000, 'y'));
  const { capture, location } = await watch(repo.path);
  const files = await capture.listSnapshot(await capture.takeSnapshot(location));
  expect(files.map(({ path, size }) => [path, size])).toEqual([
    ['"a\\nx"', 0],
    ['b', 5],
    ['big', 3_000_000],
    ['d/c', 5_000],
  ]);
  // FNV-1a-64 of nothing and of "hello", as its authors give them.
  expect(files[0]?.headHash).toBe(0xcbf29ce484222325n);
  expect(files[1]?.headHash).toBe(0xa430d84680aabd0bn);
  // Above the size limit nothing is hashed.
  expect(files[2]?.headHash).toBe(0n);
  expect(files.every(({ mtimeNs }) => mtimeNs > 1_500_000_000_000_000_000n)).toBe(true);
});

test('a listing tells of the snapshot, whatever happened on the disk since', async () => {
  const repo = testRepository({ a: 'hello', gone: 'hello', 'd/e': 'x' });
  repo.write('untracked', 'hello');
  repo.sh('ln -s a link');
  const { capture, location } = await watch(repo.path);
  const snapshot = await capture.takeSnapshot(location);
  const before = await capture.listSnapshot(snapshot);
  repo.sh('echo changed > a; rm gone; echo changed > untracked; rm -r d; echo new > new; ln -sfn new link');
  expect(await capture.listSnapshot(snapshot)).toEqual(before);
  expect(before.map(({ path, headHash }) => [path, headHash === 0xa430d84680aabd0bn])).toEqual([
    ['a', true],
    ['d/e', false],
    ['gone', true],
    ['link', false],
    ['untracked', true],
  ]);
});
