/** The same record on a computer without git: rows, counts, renames, patches and bodies from copies and `diff` alone. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCapture } from '@/lib/capture/open-capture';
import { captureSettings, fileAt, rowsOf, watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

const lines = (count: number, word = 'line', end = '\n') =>
  Array.from({ length: count }, (_, at) => `${word} ${at}${end}`).join('');

/** Settings of a computer on which no git is found. */
function withoutGit(overrides: Parameters<typeof captureSettings>[0] = {}) {
  const empty = testFolder();
  mkdirSync(empty.at('bin'));
  return captureSettings({ path: empty.at('bin'), ...overrides });
}

describe('a computer without git', () => {
  test('G22: a repository is a folder, and the record says why', async () => {
    const repo = testRepository({ a: '1\n', 'x.bin': Buffer.from([0, 1]), 'sub/c': '1\n' });
    testRepository({ n: '1\n' }, repo.at('nested'));
    const { span, location, capture } = await watch(repo.path, withoutGit());
    expect(location.kind).toBe('filesystem');
    const { rows, delta } = await span(() =>
      repo.sh('echo 2 >> a; printf "\\000\\002" > x.bin; echo n > n; rm sub/c; echo 2 >> nested/n; ln -s a l'),
    );
    expect(rows).toEqual([
      'M a +1 -0',
      'A l +1 -0',
      'A n +1 -0',
      'M nested/n +1 -0',
      'D sub/c +0 -1',
      'M x.bin +0 -0 binary',
    ]);
    expect(delta.gaps).toMatchObject([{ reason: 'git_missing' }]);
    expect(Buffer.from(await capture.readContent(delta.kept, fileAt(delta, 'x.bin'), 'before'))).toEqual(
      Buffer.from([0, 1]),
    );
    expect(await capture.isCurrent(location, fileAt(delta, 'a'))).toBe(true);
    repo.sh('echo 3 >> a');
    expect(await capture.isCurrent(location, fileAt(delta, 'a'))).toBe(false);
  });

  test('rows and patches are what git makes of the same change', async () => {
    const files = {
      'a b.txt': lines(40),
      'old.ts': lines(30),
      similar: lines(30, 's'),
      'm.sh': 'echo\n',
      crlf: lines(20),
      n: 'no end',
      'q.lua': '-- a\n-- b\nx\n',
      'tab\there': '1\n',
      日本: '1\n',
      gone: '1\n2\n',
    };
    const act =
      "sed -i 's/line 3$/three/; s/line 30$/thirty/' 'a b.txt'; mv old.ts new.ts; mv similar moved; echo more >> moved; chmod +x m.sh; sed -i 's/$/\\r/' crlf; printf 'other end' > n; printf 'x\\n++ i\\n' > q.lua; echo 2 >> 'tab\there'; echo 2 >> 日本; rm gone; : > empty; ln -s n link";
    const [one, two] = [testFolder(), testFolder()];
    for (const folder of [one, two]) for (const [name, content] of Object.entries(files)) folder.write(name, content);
    const plain = await watch(one.path, withoutGit());
    const byGit = await watch(two.path);
    const a = await plain.span(() => one.sh(act));
    const b = await byGit.span(() => two.sh(act));
    expect(a.rows).toEqual(b.rows);
    for (const file of a.delta.files) {
      const theirs = fileAt(b.delta, file.path).patch as string;
      const facts = /^(?:index|similarity|dissimilarity) .*\n/gm;
      // What follows @@ is a guess at the function around it.
      expect((file.patch as string).replace(/^(@@ .* @@).*/gm, '$1')).toBe(
        theirs.replace(facts, '').replace(/^(@@ .* @@).*/gm, '$1'),
      );
      const [mine, other] = await Promise.all([
        plain.capture.readComparison(a.delta.kept, file, { context: 3 }),
        byGit.capture.readComparison(b.delta.kept, fileAt(b.delta, file.path), { context: 3 }),
      ]);
      expect(mine).toEqual(other);
    }
    const patch = await plain.capture.readPatch(a.delta.kept, plain.location, a.delta.files);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    one.write('../patch', Buffer.concat(pieces));
    one.sh('git init -q .; git apply -R ../patch; rm ../patch');
    for (const [name, content] of Object.entries(files)) expect(one.sh(`cat '${name}'`)).toBe(content);
  });

  test('the size limit, the scan limit and skipped classes', async () => {
    const folder = testFolder();
    folder.write('big', 'x'.repeat(600 * 1024));
    folder.write('logo.png', 'x');
    const { span } = await watch(folder.path, withoutGit());
    const { rows } = await span(() => folder.sh('echo x >> big; echo x >> logo.png'));
    expect(rows).toEqual(['M big +0 -0 oversized', 'M logo.png +0 -0 oversized']);
    const small = testFolder();
    small.sh('for i in 1 2 3 4 5; do echo $i > f$i; done');
    const bounded = await watch(small.path, withoutGit({ limitsOf: { scanFiles: 3 } }));
    const cut = await bounded.span(() => small.sh('rm f1; echo x >> f2; echo x >> f5'));
    expect(cut.rows).toEqual(['D f1 +0 -1', 'M f2 +1 -0']);
    expect(cut.delta.gaps).toMatchObject([{ reason: 'scan_limit' }]);
  });

  test('captures, kept bodies and their end', async () => {
    const outside = testFolder();
    outside.write('o', '1\n');
    const folder = testFolder();
    folder.write('a', '1\n');
    const settings = withoutGit();
    const { capture, location, span } = await watch(folder.path, settings);
    const before = await capture.captureFile(location, outside.at('o'));
    outside.write('o', '1\n2\n');
    const after = await capture.captureFile(location, outside.at('o'));
    const one = await span(() => folder.sh('echo 2 >> a'), { keepAs: 'one', captures: [{ before, after }] });
    expect(one.rows).toEqual([`M ${outside.at('o')} +1 -0`, 'M a +1 -0']);
    const two = await span(() => folder.sh('echo 3 >> a'), { keepAs: 'two' });
    for (const { before: start, after: end } of [one, two]) {
      await capture.releaseSnapshot(start);
      await capture.releaseSnapshot(end);
    }
    const later = openCapture(settings);
    await later.sweep({ snapshots: [], kept: ['two'] });
    await expect(later.readContent(one.delta.kept, fileAt(one.delta, 'a'), 'before')).rejects.toMatchObject({
      code: 'expired',
    });
    expect(Buffer.from(await later.readContent(two.delta.kept, fileAt(two.delta, 'a'), 'before')).toString()).toBe(
      '1\n2\n',
    );
    expect(await later.usage()).toEqual([{ root: '', bytes: 10 }]);
    await later.forget('two', two.delta.kept);
    await later.sweep({ snapshots: [], kept: [] });
    const copies = join(settings.dataDir, 'capture', 'copies');
    expect(readdirSync(copies, { recursive: true }).filter((name) => String(name).includes('/'))).toEqual([]);
  });

  test('git that appears during a run is no reason to lose its record', async () => {
    const folder = testFolder();
    folder.write('a', '1\n');
    const bin = testFolder();
    mkdirSync(bin.at('bin'));
    const { capture, location } = await watch(folder.path, captureSettings({ path: bin.at('bin'), limitsOf: {} }));
    const start = await capture.takeSnapshot(location);
    const middle = await capture.takeSnapshot(location);
    folder.write('a', '1\n2\n');
    const end = await capture.takeSnapshot(location);
    expect(
      rowsOf(await capture.compare(location, start, middle, { keepAs: null, patches: true, captures: [] })),
    ).toEqual([]);
    expect(rowsOf(await capture.compare(location, start, end, { keepAs: null, patches: true, captures: [] }))).toEqual([
      'M a +1 -0',
    ]);
    chmodSync(bin.path, 0o755);
  });
});
