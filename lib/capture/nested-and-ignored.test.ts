/** What a run's record says of links, nested repositories and ignored files (conformance 3b). */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { captureSettings, fileAt, watch } from '@/lib/testing/capture-span';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

describe('links', () => {
  test('L1: a link is its target’s name, never its content', async () => {
    const outside = testFolder();
    outside.write('secret', 'TOPSECRET\nTOPSECRET\nTOPSECRET\n');
    const repo = testRepository({ a: '1\n' });
    const { span, capture } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh(`ln -s '${outside.at('secret')}' leak`));
    expect(rows).toEqual(['A leak +1 -0']);
    const file = fileAt(delta, 'leak');
    expect(file).toMatchObject({ kindAfter: 'symlink', modeAfter: '120000' });
    expect(await capture.readComparison(delta.kept, file, { context: 3 })).toEqual({
      kind: 'symlink',
      targetBefore: null,
      targetAfter: outside.at('secret'),
    });
    expect(JSON.stringify(delta)).not.toContain('TOPSECRET');
    expect(Buffer.from(await capture.readContent(delta.kept, file, 'after')).toString()).toBe(outside.at('secret'));
  });

  test('L2: a link that leads elsewhere, and a file that becomes a link', async () => {
    const repo = testRepository({ t1: '1\n', t2: '2\n', f: 'a\nb\n' });
    repo.sh('ln -s t1 link; git add link; git commit -qm link');
    const { span, capture } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('ln -sfn t2 link; rm f; ln -s t1 f'));
    expect(rows).toEqual(['M f +1 -2 kind file symlink', 'M link +1 -1']);
    expect(await capture.readComparison(delta.kept, fileAt(delta, 'link'), { context: 3 })).toEqual({
      kind: 'symlink',
      targetBefore: 't1',
      targetAfter: 't2',
    });
    expect(await capture.readComparison(delta.kept, fileAt(delta, 'f'), { context: 3 })).toMatchObject({
      kind: 'text',
      noNewlineAfter: true,
    });
  });
});

describe('nested repositories', () => {
  test('N1, N2: untracked ones, with and without a commit', async () => {
    const repo = testRepository({ a: '1\n' });
    testRepository({ f: '1\n', 'sub/g': '1\n' }, repo.at('n'));
    repo.sh('mkdir empty; git init -q empty');
    const { span, capture } = await watch(repo.path);
    const { rows, delta } = await span(() =>
      repo.sh('echo 2 >> a; echo 2 >> n/f; echo 2 >> n/sub/g; echo u > empty/u'),
    );
    expect(rows).toEqual(['M a +1 -0', 'A empty/u +1 -0', 'M n/f +1 -0', 'M n/sub/g +1 -0']);
    expect(delta.gaps).toEqual([]);
    const patch = await capture.readPatch(delta.kept, { root: repo.path }, delta.files);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toContain('--- a/n/f\n');
    expect(await capture.readComparison(delta.kept, fileAt(delta, 'n/f'), { context: 3 })).toMatchObject({
      kind: 'text',
    });
  });

  test('N3: a submodule, edited and committed inside', async () => {
    const library = testRepository({ f: '1\n', g: '1\n' });
    const repo = testRepository({ a: '1\n' });
    repo.sh(`git -c protocol.file.allow=always submodule add -q '${library.path}' sub; git commit -qm sub`);
    const { span } = await watch(repo.path);
    const edited = await span(() => repo.sh('echo 2 >> sub/f'));
    expect(edited.rows).toEqual(['M sub/f +1 -0']);
    const committed = await span(() =>
      repo.sh('echo 2 >> sub/g; git -C sub commit -qam x; git add sub; git commit -qm bump'),
    );
    expect(committed.rows).toEqual(['M sub/g +1 -0']);
  });

  test('one that is cloned during the run came with git; one that is made during the run did not', async () => {
    const library = testRepository({ f: '1\n', g: '1\n' });
    const repo = testRepository({ a: '1\n' });
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() =>
      repo.sh(`git clone -q '${library.path}' lib; echo 2 >> lib/g; git init -q own; echo 1 > own/x`),
    );
    expect(rows).toEqual(['A lib/f +1 -0 git', 'A lib/g +2 -0', 'A own/x +1 -0']);
    expect(delta.gaps).toEqual([]);
    const gone = await span(() => repo.sh('rm -rf lib/.git own'));
    expect(gone.rows).toEqual(['D own/x +0 -1']);
    const init = await span(() => repo.sh('git init -q lib; echo 3 >> lib/f'));
    expect(init.rows).toEqual(['M lib/f +1 -0']);
  });

  test('a repository inside a repository inside a repository', async () => {
    const repo = testRepository({ a: '1\n' });
    testRepository({ b: '1\n' }, repo.at('x'));
    testRepository({ c: '1\n' }, repo.at('x/y'));
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> x/y/c; mv x/b x/moved'));
    expect(rows).toEqual(['R x/b -> x/moved +0 -0', 'M x/y/c +1 -0']);
  });

  test('a rename from one repository into another is one row', async () => {
    const repo = testRepository({ 'long.txt': 'one\ntwo\nthree\nfour\n' });
    testRepository({ f: '1\n' }, repo.at('n'));
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('mv long.txt n/long.txt'));
    expect(rows).toEqual(['R long.txt -> n/long.txt +0 -0']);
  });

  test('one that goes away between two looks is held by none of them', async () => {
    const repo = testRepository({ a: '1\n' });
    testRepository({ f: '1\n' }, repo.at('n'));
    const settings = captureSettings();
    const { span, capture, location } = await watch(repo.path, settings);
    await capture.takeSnapshot(location);
    repo.sh('mv n elsewhere; mkdir n; echo 1 > n/f');
    const { before, after, rows } = await span(() => repo.sh('echo 2 >> a; echo 2 >> n/f; echo 2 >> elsewhere/f'));
    expect(rows).toEqual(['M a +1 -0', 'M elsewhere/f +1 -0', 'M n/f +1 -0']);
    repo.sh('rm -rf n; mv elsewhere n');
    const third = await capture.takeSnapshot(location);
    for (const snapshot of [before, after]) await capture.releaseSnapshot(snapshot);
    const held = readdirSync(`${settings.dataDir}/capture/git`).flatMap((key) =>
      readdirSync(`${settings.dataDir}/capture/git/${key}/refs/tidemark/snapshots`),
    );
    expect(new Set(held).size).toBe(2);
    expect(held).toContain(third.id);
  });

  test('programs configured in a submodule do not run', async () => {
    const marker = testFolder().at('ran');
    const library = testRepository({ f: '1\n' });
    const repo = testRepository({ a: '1\n' });
    repo.sh(`git -c protocol.file.allow=always submodule add -q '${library.path}' sub; git commit -qm sub`);
    repo.sh(`printf '#!/bin/sh\\ntouch "${marker}"\\n' > program; chmod +x program; d=.git/modules/sub; cp program $d/hooks/post-index-change
      git -C sub config core.fsmonitor "${repo.at('program')}"; git -C sub config core.hooksPath "${repo.path}/$d/hooks"; git -C sub config diff.external "${repo.at('program')}"
      git -C sub config filter.x.clean "${repo.at('program')}"; echo '* filter=x' > sub/.gitattributes; rm -f '${marker}'`);
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.write('sub/f', '2\n'));
    expect(rows).toEqual(['M sub/f +1 -1']);
    expect(repo.sh(`ls '${marker}' 2>&1 || true`)).toContain('No such file');
  });

  test('a broken nested repository is a gap that names it, and costs nothing else', async () => {
    const repo = testRepository({ a: '1\n' });
    testRepository({ f: '1\n' }, repo.at('n'));
    repo.sh('git -C n config core.repositoryformatversion 99');
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('echo 2 >> a; echo 2 >> n/f'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.gaps).toMatchObject([{ reason: 'nested_repository_unreadable', path: 'n/' }]);
  });
});

describe('ignored files', () => {
  test('I1: a small one that stands on its own is watched', async () => {
    const repo = testRepository({ '.gitignore': '.env\nnode_modules/\n*.log\n' });
    repo.sh('echo A=1 > .env; mkdir -p node_modules/x deep/er; echo 1 > node_modules/x/y.js; echo B=1 > deep/er/.env');
    const { span } = await watch(repo.path);
    const { rows } = await span(() =>
      repo.sh('echo A=2 > .env; echo 2 > node_modules/x/y.js; echo B=2 > deep/er/.env; echo new > deep/a.log'),
    );
    expect(rows).toEqual(['M .env +1 -1 ignored', 'A deep/a.log +1 -0 ignored', 'M deep/er/.env +1 -1 ignored']);
    const again = await span(() => repo.sh('rm .env; echo more >> deep/a.log'));
    expect(again.rows).toEqual(['D .env +0 -1 ignored', 'M deep/a.log +1 -0 ignored']);
  });

  test('a new ignored file in a folder that was empty', async () => {
    const repo = testRepository({ '.gitignore': '.env*\n', a: '1\n' });
    mkdirSync(repo.at('empty'));
    const { span, capture, location } = await watch(repo.path);
    await capture.takeSnapshot(location);
    const { rows } = await span(() => repo.write('empty/.env.local', 'A=1\n'));
    expect(rows).toEqual(['A empty/.env.local +1 -0 ignored']);
  });

  test('a new ignored file, after looks in which no folder had changed', async () => {
    const repo = testRepository({ '.gitignore': '.env*\n', 'one/a': '1\n', 'two/b': '1\n' });
    const { span, capture, location } = await watch(repo.path);
    await capture.takeSnapshot(location);
    // What is learned in the background, and the ticks of the clock that stamps files.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (const edit of [2, 3])
      expect((await span(() => repo.sh(`echo ${edit} >> one/a`))).rows).toEqual(['M one/a +1 -0']);
    const { rows } = await span(() => repo.write('two/.env', 'A=1\n'));
    expect(rows).toEqual(['A two/.env +1 -0 ignored']);
    const again = await span(() =>
      repo.sh('mkdir three; echo A=1 > three/.env.local; git status; echo A=2 > two/.env'),
    );
    expect(again.rows).toEqual(['A three/.env.local +1 -0 ignored', 'M two/.env +1 -1 ignored']);
  });

  test('a tracked one that was away while the user’s index was refreshed', async () => {
    const repo = testRepository({ '.gitignore': '*.log\n', a: '1\n' });
    repo.sh('mkdir logs; seq 9 > logs/kept.log; seq 30000 > logs/long.log; git add -f logs; git commit -qm log');
    const { span } = await watch(repo.path);
    const refresh = 'touch a; git status';
    const gone = await span(() => repo.sh(`rm logs/*; ${refresh}`));
    expect(gone.rows).toEqual(['D logs/kept.log +0 -9', 'D logs/long.log +0 -30000']);
    expect((await span(() => repo.sh(refresh))).rows).toEqual([]);
    const { rows } = await span(() => repo.sh('mkdir -p logs; seq 3 > logs/kept.log; seq 20000 > logs/long.log'));
    // Whether it is called ignored until the user's index is looked at again is another matter.
    const told = rows.map((row) => row.replace(/ ignored$/, ''));
    expect(told).toEqual(['A logs/kept.log +3 -0', 'A logs/long.log +20000 -0']);
  });

  test('large, binary and skipped ignored files are not watched', async () => {
    const repo = testRepository({ '.gitignore': 'x*\n' });
    repo.write('x.big', 'b'.repeat(70_000));
    repo.write('x.bin', Buffer.from([1, 0, 1]));
    repo.write('x.pyc', 'text\n');
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> x.big; echo 2 >> x.bin; echo 2 >> x.pyc'));
    expect(rows).toEqual([]);
  });

  test('I2: a file that becomes ignored during the run stays visible', async () => {
    const repo = testRepository({ '.gitignore': 'dist/\n' });
    repo.write('mine.txt', '1\n');
    const { span } = await watch(repo.path);
    const { rows } = await span(() =>
      repo.sh('echo new.txt >> .gitignore; echo mine.txt >> .gitignore; echo n > new.txt; echo 2 >> mine.txt'),
    );
    expect(rows).toEqual(['M .gitignore +2 -0', 'M mine.txt +1 -0', 'A new.txt +1 -0 ignored']);
  });

  test('files that come under cover because a rule goes away are not added', async () => {
    const repo = testRepository({ '.gitignore': 'dist/\n*.log\n' });
    repo.sh('mkdir dist; for i in $(seq 50); do echo $i > dist/$i; done; echo 1 > a.log');

    await new Promise((resolve) => setTimeout(resolve, 120));
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() =>
      repo.sh(': > .gitignore; echo changed >> dist/7; echo n > dist/new; echo 2 >> a.log'),
    );
    expect(delta.gaps).toEqual([]);
    expect(rows).toEqual(['M .gitignore +0 -2', 'M a.log +1 -0', 'M dist/7 +0 -0 oversized', 'A dist/new +1 -0']);
    expect(fileAt(delta, 'dist/7')).toMatchObject({ sizeBefore: null, contentBefore: null });
  });

  test('I3: a tracked file of an ignored folder', async () => {
    const repo = testRepository({ 'dist/a.js': '1\n' });
    repo.sh(
      'echo dist/ > .gitignore; git add .gitignore; git commit -qm i; for i in $(seq 30); do echo $i > dist/b$i.js; done',
    );
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('echo 2 >> dist/a.js; echo 2 >> dist/b7.js'));
    expect(delta.gaps).toEqual([]);
    expect(rows).toEqual(['M dist/a.js +1 -0']);
  });

  test('global excludes and info/exclude count as git has it', async () => {
    const home = testFolder();
    home.write('.config/git/ignore', '*.global\n');
    const repo = testRepository({ a: '1\n' });
    repo.sh('mkdir d; echo /d/ >> .git/info/exclude; echo 1 > d/x; echo 1 > big.global');
    const { span } = await watch(repo.path, captureSettings({ home: home.path }));
    const { rows } = await span(() => {
      repo.sh('echo 2 >> d/x; echo 2 >> a');
      writeFileSync(repo.at('big.global'), 'x'.repeat(100));
    });
    expect(rows).toEqual(['M a +1 -0', 'M big.global +1 -1 ignored']);
  });
});

describe('large files', () => {
  test('an untracked one costs nothing, is no change when touched, and is listed when it grows or moves', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.write('big.log', Buffer.alloc(3 * 1024 * 1024, 'log line\n'));
    const { span } = await watch(repo.path);
    const touched = await span(() => repo.sh('sleep 0.02; touch big.log'));
    expect(touched.rows).toEqual([]);
    const grown = await span(() => repo.sh('echo more >> big.log'));
    expect(grown.rows).toEqual(['M big.log +0 -0 oversized']);
    expect(fileAt(grown.delta, 'big.log')).toMatchObject({ sizeBefore: 3145728, sizeAfter: 3145733, patch: null });
    const moved = await span(() => repo.sh('mv big.log other.log'));
    expect(moved.rows).toEqual(['R big.log -> other.log +0 -0 oversized']);
    const gone = await span(() => repo.sh('rm other.log'));
    expect(gone.rows).toEqual(['D other.log +0 -0 oversized']);
  });

  test('an edit of the same size with a restored time is seen', async () => {
    const repo = testRepository({ a: '1\n', tracked: 'aaaa\n' });
    repo.write('big.log', Buffer.alloc(3 * 1024 * 1024, 'x'));
    const { span } = await watch(repo.path);
    const { rows } = await span(() =>
      repo.sh(
        'for f in big.log tracked; do touch -r $f ../ref-$$; printf y | dd of=$f bs=1 seek=2 conv=notrunc 2>/dev/null; touch -r ../ref-$$ $f; rm ../ref-$$; done; printf y | dd of=big.log bs=1 seek=1500000 conv=notrunc 2>/dev/null',
      ),
    );
    expect(rows).toEqual(['M big.log +0 -0 oversized', 'M tracked +1 -1']);
  });

  test('a small untracked file that outgrows the limit, and one that shrinks below it', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.write('grows', 'x\n');
    repo.write('shrinks', Buffer.alloc(3 * 1024 * 1024, 'x'));
    const { span } = await watch(repo.path);
    const { rows } = await span(() => {
      repo.write('grows', Buffer.alloc(3 * 1024 * 1024, 'x'));
      repo.write('shrinks', 'x\n');
    });
    expect(rows).toEqual(['M grows +0 -0 oversized', 'M shrinks +0 -0 oversized']);
    const still = await span(() => {});
    expect(still.rows).toEqual([]);
  });

  test('new files beyond the budget of one snapshot are counted by the record', async () => {
    const repo = testRepository({ a: '1\n' });
    const { span } = await watch(repo.path, captureSettings({ limitsOf: { untrackedFiles: 10 } }));
    const { rows, delta } = await span(() => repo.sh('for i in $(seq 30); do echo $i > "u $i"; done; echo 2 >> a'));
    expect(rows).toHaveLength(31);
    expect(rows.every((row) => row.endsWith('+1 -0'))).toBe(true);
    expect(fileAt(delta, 'u 30').patch).toContain('+30');
    const again = await span(() => repo.sh('echo x >> "u 30"; echo x >> "u 1"'));
    expect(again.rows).toEqual(['M u 1 +1 -0', 'M u 30 +0 -0 oversized']);
  });

  test('files beyond the budget of one snapshot are remembered, not lost', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('for i in $(seq 30); do echo $i > u$i; done');
    const { span } = await watch(repo.path, captureSettings({ limitsOf: { untrackedFiles: 10 } }));
    const { rows, before } = await span(() => repo.sh('echo x >> u1; echo x >> u9; echo x >> u30; rm u8'));
    expect(before.fileCount).toBe(31);
    expect(rows.map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual(['M u1', 'M u30', 'D u8', 'M u9']);
  });
});
