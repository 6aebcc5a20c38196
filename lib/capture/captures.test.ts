/** File captures (L1): what they copy, what they refuse, and how they and snapshots prove one record together. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captureSettings, fileAt, rowsOf, watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

describe('copies', () => {
  test('a file, once for equal content; its text; absent; a link unfollowed', async () => {
    const folder = testFolder();
    folder.write('a', 'text\n');
    folder.write('b', 'text\n');
    symlinkSync('/etc/passwd', folder.at('link'));
    const settings = captureSettings();
    const { capture, location } = await watch(folder.path, settings);
    const a = await capture.captureFile(location, folder.at('a'));
    const b = await capture.captureFile(location, folder.at('b'));
    expect(a).toMatchObject({ state: 'file', size: 5, mode: '100644', binary: false, path: folder.at('a') });
    expect(a.state === 'file' && b.state === 'file' && a.content === b.content).toBe(true);
    expect(await capture.readCaptureText(a)).toBe('text\n');
    expect(filesBelow(join(settings.dataDir, 'capture', 'copies'))).toHaveLength(1);
    expect(await capture.captureFile(location, folder.at('none'))).toMatchObject({ state: 'absent' });
    expect(await capture.captureFile(location, folder.at('a/none'))).toMatchObject({ state: 'absent' });
    const link = await capture.captureFile(location, folder.at('link'));
    expect(link).toMatchObject({ state: 'symlink', target: '/etc/passwd' });
    expect(await capture.readCaptureText(link)).toBeNull();
  });

  test('binary, undecodable and oversized content has no text; the limit itself is still read', async () => {
    const folder = testFolder();
    folder.write('binary', Buffer.from([1, 0]));
    folder.write('latin1', Buffer.from([0xe9]));
    folder.write('limit', 'x'.repeat(64));
    folder.write('over', 'x'.repeat(65));
    const { capture, location } = await watch(folder.path, captureSettings({ limitsOf: { fileBytes: 64 } }));
    const read = async (name: string) => capture.captureFile(location, folder.at(name));
    expect(await read('binary')).toMatchObject({ state: 'file', binary: true });
    expect(await capture.readCaptureText(await read('binary'))).toBeNull();
    expect(await capture.readCaptureText(await read('latin1'))).toBeNull();
    expect(await capture.readCaptureText(await read('limit'))).toHaveLength(64);
    expect(await read('over')).toMatchObject({ state: 'oversized', size: 65 });
  });

  test('folders, pipes and sockets are not opened', async () => {
    const folder = testFolder();
    folder.sh('mkdir d; mkfifo pipe');
    const server = createServer().listen(folder.at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const { capture, location } = await watch(folder.path);
    for (const name of ['d', 'pipe', 'socket']) {
      expect(await capture.captureFile(location, folder.at(name))).toMatchObject({
        state: 'uncovered',
        reason: 'not_a_file',
      });
    }
    await new Promise((resolve) => server.close(resolve));
  });

  test('a path through a linked folder is its real one; temporary folders are outside, unless the workspace is there', async () => {
    const temporary = testFolder();
    const folder = testFolder();
    folder.write('real/a', '1\n');
    temporary.write('scratch', '1\n');
    temporary.write('work/b', '1\n');
    symlinkSync('real', folder.at('linked'));
    const settings = captureSettings({ tempDirs: [temporary.path] });
    const { capture, location } = await watch(folder.path, settings);
    expect((await capture.captureFile(location, folder.at('linked/a'))).path).toBe(folder.at('real/a'));
    expect((await capture.captureFile(location, folder.at('linked/new/deep'))).path).toBe(folder.at('real/new/deep'));
    expect(await capture.captureFile(location, temporary.at('scratch'))).toMatchObject({
      state: 'uncovered',
      reason: 'outside',
    });
    const inside = await capture.locate(temporary.at('work'));
    expect(await capture.captureFile(inside, temporary.at('work/b'))).toMatchObject({ state: 'file' });
  });
});

describe('one record', () => {
  test('ignored files, files outside and no-op edits', async () => {
    const outside = testFolder();
    outside.write('notes.md', 'a\n');
    const repo = testRepository({ '.gitignore': 'dist/\n', a: '1\n' });
    repo.write('dist/x.js', '1\n');
    repo.write('dist/same.js', '1\n');
    const { span, capture, location } = await watch(repo.path);
    const paths = [
      repo.at('dist/x.js'),
      repo.at('dist/same.js'),
      repo.at('dist/new.js'),
      outside.at('notes.md'),
      repo.at('a'),
    ];
    const taken: Awaited<ReturnType<typeof capture.captureFile>>[] = [];
    const { delta: bare } = await span(async () => {
      for (const path of paths) taken.push(await capture.captureFile(location, path));
      repo.sh(`echo 2 >> dist/x.js; echo n > dist/new.js; echo b >> '${outside.at('notes.md')}'; echo 2 >> a`);
    });
    expect(rowsOf(bare)).toEqual(['M a +1 -0']);
    const before = taken;
    const after = await Promise.all(paths.map((path) => capture.captureFile(location, path)));
    const pairs = before.map((one, at) => ({ before: one, after: after[at] as typeof one }));
    const { delta } = await span(() => {}, { captures: pairs });
    // This span saw no change of `a`: its captures are older than the span, as of a baseline that came late.
    expect(rowsOf(delta)).toEqual([
      `M ${outside.at('notes.md')} +1 -0`,
      'M a +1 -0',
      'A dist/new.js +1 -0 ignored',
      'M dist/x.js +1 -0 ignored',
    ]);
    expect(fileAt(delta, 'dist/x.js').evidence).toEqual(['capture']);
    const patch = await capture.readPatch(delta.kept, location, delta.files);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    expect(patch.omitted).toBe(1);
    expect(text).toMatch(/^# not in this patch: .*notes\.md \(outside the repository\)\ndiff --git /);
    expect(
      await capture.readComparison(delta.kept, fileAt(delta, outside.at('notes.md')), { context: 3 }),
    ).toMatchObject({
      kind: 'text',
      hunks: [
        {
          lines: [
            { type: 'context', text: 'a' },
            { type: 'added', text: 'b' },
          ],
        },
      ],
    });
  });

  test('where snapshots cover a path they win, and the capture is evidence', async () => {
    const repo = testRepository({ a: '1\n', b: '1\n' });
    const { span, capture, location } = await watch(repo.path);
    const pairs: { before: never; after: never }[] = [];
    const { rows, delta } = await span(
      async () => {
        repo.sh('echo command >> a; echo x >> b');
        const before = await capture.captureFile(location, repo.at('a'));
        const b = await capture.captureFile(location, repo.at('b'));
        repo.sh('echo tool >> a; printf "1\\n" > b');
        pairs.push({ before, after: await capture.captureFile(location, repo.at('a')) } as never);
        pairs.push({ before: b, after: await capture.captureFile(location, repo.at('b')) } as never);
      },
      { captures: pairs },
    );
    // `b` ends as it began, whatever the capture saw on the way.
    expect(rows).toEqual(['M a +2 -0']);
    expect(fileAt(delta, 'a').evidence).toEqual(['snapshot', 'capture']);
  });

  test('a capture older than a late baseline wins, in the form that git compares', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh(
      'git config core.autocrlf true; printf "l1\\r\\nl2\\r\\nl3\\r\\n" > crlf; git add crlf; git commit -qm crlf',
    );
    const { capture, location } = await watch(repo.path);
    const first = await Promise.all(['a', 'crlf'].map((name) => capture.captureFile(location, repo.at(name))));
    repo.sh('echo early >> a; printf "l1\\r\\nearly\\r\\nl3\\r\\n" > crlf; sleep 0.01');
    const late = await capture.takeSnapshot(location);
    repo.sh('echo later >> a');
    const end = await capture.takeSnapshot(location);
    const last = await Promise.all(['a', 'crlf'].map((name) => capture.captureFile(location, repo.at(name))));
    const captures = first.map((before, at) => ({ before, after: last[at] as typeof before }));
    const delta = await capture.compare(location, late, end, { keepAs: 'late', patches: true, captures });
    expect(rowsOf(delta)).toEqual(['M a +2 -0', 'M crlf +1 -1']);
  });

  test('without snapshots captures are the record, and it says so', async () => {
    const repo = testRepository({ a: '1\n' });
    const { capture, location } = await watch(repo.path);
    const before = await capture.captureFile(location, repo.at('a'));
    repo.sh('rm a; mkdir a');
    const after = await capture.captureFile(location, repo.at('a'));
    const end = await capture.takeSnapshot(location);
    const delta = await capture.compare(location, null, end, {
      keepAs: 'none',
      patches: true,
      captures: [{ before, after }],
    });
    expect(rowsOf(delta)).toEqual(['D a +0 -1']);
    expect(delta.gaps.map((gap) => gap.reason)).toEqual(['baseline_missing']);
  });

  test('content that nobody read is never known to be unchanged', async () => {
    const folder = testFolder();
    const home = testFolder();
    folder.write('big', 'x'.repeat(300_000));
    const { capture, location } = await watch(
      home.path,
      captureSettings({ home: home.path, limitsOf: { fileBytes: 1_000 } }),
    );
    const before = await capture.captureFile(location, folder.at('big'));
    execFileSync('sh', ['-c', `printf y | dd of='${folder.at('big')}' bs=1 seek=150000 conv=notrunc 2>/dev/null`]);
    const after = await capture.captureFile(location, folder.at('big'));
    const delta = await capture.compare(location, null, null, {
      keepAs: null,
      patches: true,
      captures: [{ before, after }],
    });
    expect(rowsOf(delta)).toEqual([`M ${folder.at('big')} +0 -0 oversized`]);
  });

  test('a file that vanished before it could be copied', async () => {
    const folder = testFolder();
    folder.write('a', '1\n');
    const { capture, location } = await watch(folder.path);
    unlinkSync(folder.at('a'));
    expect(await capture.captureFile(location, folder.at('a'))).toMatchObject({ state: 'absent' });
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}
