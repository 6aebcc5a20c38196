/** What must never be stored is not: paths that are private, and everything in the names-only mode. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { captureSettings, fileAt, rowsOf, watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

/** Everything that a data folder holds, objects unpacked. */
function everythingIn(dataDir: string): string {
  let all = '';
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    const file = join(dataDir, name);
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    all += bytes.toString('latin1');
    if (/objects\/[0-9a-f]{2}\//.test(name)) all += inflateSync(bytes).toString('latin1');
    if (name.endsWith('.idx')) {
      const objects = file.replace(/\/pack\/[^/]*$/, '');
      const env = { ...process.env, GIT_OBJECT_DIRECTORY: objects };
      const ids =
        execFileSync('git', ['verify-pack', '-v', file])
          .toString()
          .match(/^[0-9a-f]{40}/gm) ?? [];
      for (const id of ids)
        all += execFileSync('git', ['--git-dir', join(objects, '..'), 'cat-file', '-p', id], { env }).toString(
          'latin1',
        );
    }
  }
  return all;
}

describe('private paths', () => {
  test('are rows without content, never stored, never served', async () => {
    const repo = testRepository({
      'app/.env': 'TRACKED-SECRET=1\n',
      'app/keys/id': 'KEY-SECRET\n',
      'app/ok': '1\n',
      '.gitignore': '.env.local\n',
    });
    repo.write('app/.env.local', 'LOCAL-SECRET=1\n');
    repo.write('app/new.pem', 'PEM-SECRET\n');
    const settings = captureSettings({ privatePaths: ['.env*', '/keys/', '*.pem'] });
    const { span, capture, location } = await watch(repo.at('app'), settings);
    const before = await capture.captureFile(location, repo.at('app/.env'));
    const { rows, delta } = await span(() =>
      repo.sh(
        'cd app; echo MORE-SECRET >> .env; echo MORE-SECRET >> .env.local; echo MORE-SECRET >> keys/id; echo MORE-SECRET >> new.pem; echo 2 >> ok; mv .env .env.moved; echo MORE-SECRET >> .env.moved',
      ),
    );
    const after = await capture.captureFile(location, repo.at('app/.env'));
    expect([before.state, after.state]).toEqual(['oversized', 'absent']);
    expect(rows.filter((row) => !row.includes('oversized'))).toEqual(['M ok +1 -0']);
    expect(delta.files.map((file) => file.path)).toEqual([
      '.env',
      '.env.local',
      '.env.moved',
      'keys/id',
      'new.pem',
      'ok',
    ]);
    for (const file of delta.files.filter((one) => one.path !== 'ok')) {
      expect(file.patch).toBeNull();
      await expect(capture.readContent(delta.kept, file, 'before')).rejects.toMatchObject({ code: 'not_found' });
      expect(await capture.readComparison(delta.kept, file, { context: 3 })).toMatchObject({ kind: 'oversized' });
    }
    const patch = await capture.readPatch(delta.kept, location, delta.files);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    expect(patch.omitted).toBe(5);
    expect(Buffer.concat(pieces).toString()).not.toContain('SECRET');
    expect(everythingIn(settings.dataDir)).not.toContain('SECRET');
  });

  test('that are said later leave what is there', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.write('notes', 'SOON-SECRET\n');
    const settings = captureSettings();
    const first = await watch(repo.path, settings);
    await first.span(() => repo.sh('echo 2 >> a'), { keepAs: null });
    const later = await watch(repo.path, { ...settings, privatePaths: ['notes'] });
    const { rows } = await later.span(() => repo.sh('echo MORE-SECRET >> notes; echo 3 >> a'));
    expect(rows).toEqual(['M a +1 -0', 'M notes +0 -0 oversized']);
    expect(everythingIn(settings.dataDir)).not.toContain('MORE-SECRET');
  });
});

describe('names only', () => {
  test('a git workspace: rows, kinds, sizes and counts, and not one byte of content', async () => {
    const repo = testRepository({
      a: 'committed content\n',
      old: 'a committed file\nof two lines\n',
      'x.bin': Buffer.from([0, 1]),
      'line\nbreak': 'committed too\n',
      gone: 'committed\n',
    });
    repo.write('untracked', 'WRITTEN-CONTENT before\n');
    const settings = captureSettings({ namesOnly: true });
    const { span, capture, location } = await watch(repo.path, settings);
    const { rows, delta } = await span(() =>
      repo.sh(
        'echo WRITTEN-CONTENT >> a; mv old new; echo WRITTEN-CONTENT > n; printf "\\000\\002WRITTEN-CONTENT" > x.bin; echo WRITTEN-CONTENT >> "line\nbreak"; rm gone; ln -s WRITTEN-CONTENT l; echo WRITTEN-CONTENT >> untracked; chmod +x a',
      ),
    );
    expect(rows).toEqual([
      'M "line\\nbreak" +1 -0',
      'M a +1 -0 mode 100644 100755',
      'D gone +0 -1',
      'A l +1 -0',
      'A n +1 -0',
      'R old -> new +0 -0',
      'M untracked +0 -0 oversized',
      'M x.bin +0 -0 binary',
    ]);
    expect(fileAt(delta, 'a')).toMatchObject({ sizeBefore: 18, sizeAfter: 34, patch: null, contentAfter: null });
    expect(everythingIn(settings.dataDir)).not.toContain('WRITTEN-CONTENT');
    await expect(capture.readContent(delta.kept, fileAt(delta, 'a'), 'after')).rejects.toMatchObject({
      code: 'expired',
    });
    const again = await span(() => repo.sh('echo 2 >> a; git commit -qam x'));
    expect(again.rows).toEqual(['M a +0 -0 oversized']);
    const still = await capture.compare(location, again.after, await capture.takeSnapshot(location), {
      keepAs: null,
      patches: true,
      captures: [],
    });
    expect(rowsOf(still)).toEqual([]);
  });

  test('folders, with git and without', async () => {
    const empty = testFolder();
    for (const path of [undefined, empty.path]) {
      const folder = testFolder();
      folder.write('a', 'WRITTEN-CONTENT\n');
      const settings = captureSettings({ namesOnly: true, ...(path === undefined ? {} : { path }) });
      const { span, capture, location } = await watch(folder.path, settings);
      await capture.captureFile(location, folder.at('a'));
      const { rows } = await span(() => folder.sh('echo WRITTEN-CONTENT >> a; echo WRITTEN-CONTENT > n'));
      expect(rows.map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual(['M a', 'A n']);
      expect(everythingIn(settings.dataDir)).not.toContain('WRITTEN-CONTENT');
    }
  });
});
