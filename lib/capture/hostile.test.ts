/** What goes wrong on real computers: full disks, few file handles, killed gits, files that change while they are read. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCapture } from '@/lib/capture/open-capture';
import { captureSettings, rowsOf, watch } from '@/lib/testing/capture-span';
import { tempFolder } from '@/lib/testing/temp-workspace';
import { testFolder, testRepository } from '@/lib/testing/test-folder';

const isRoot = process.getuid?.() === 0;
const canMount = isRoot && process.platform === 'linux' && tryMount();

function tryMount(): boolean {
  const probe = spawnSync('sh', [
    '-c',
    'd=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s',
  ]);
  return probe.status === 0;
}

/** Runs snapshots in a process of its own, started through `wrapper`, and returns the rows and gaps it found. */
async function inOwnProcess(
  wrapper: string[],
  repo: string,
  dataDir: string,
  act: string,
): Promise<{ rows: string[]; gaps: { reason: string }[] }> {
  const folder = tempFolder('bundle');
  execFileSync('chmod', ['755', folder]);
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `import { execFileSync } from 'node:child_process';
     import { openCapture } from '@/lib/capture/open-capture';
     import { DEFAULT_LIMITS } from '@/lib/domain/limits';
     import { rowsOf } from '@/lib/testing/capture-rows';
     const capture = openCapture({ dataDir: ${JSON.stringify(dataDir)}, limits: DEFAULT_LIMITS, privatePaths: [], namesOnly: false, includeDirs: [], home: '/nonexistent', tempDirs: [] });
     const location = await capture.locate(${JSON.stringify(repo)});
     const before = await capture.takeSnapshot(location);
     execFileSync('sh', ['-ec', ${JSON.stringify(act)}], { cwd: ${JSON.stringify(repo)} });
     const after = await capture.takeSnapshot(location);
     const delta = await capture.compare(location, before, after, { keepAs: 'k', patches: true, captures: [] });
     console.log(JSON.stringify({ rows: rowsOf(delta), gaps: delta.gaps }));`,
  );
  const outfile = join(folder, 'entry.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: { '@': resolve('.') },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const [program = process.execPath, ...args] = [...wrapper, process.execPath, outfile];
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: '/nonexistent' },
  });
  let out = '';
  for await (const chunk of child.stdout) out += chunk;
  return JSON.parse(out);
}

describe('disks and handles', () => {
  test.runIf(canMount)('a full disk in the data folder: the record says so, and the next one works again', async () => {
    const disk = tempFolder('disk');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', disk]);
    onTestFinished(() => void spawnSync('umount', ['-l', disk]));
    const repo = testRepository({ a: '1\n' });
    const { capture, location, span } = await watch(repo.path, captureSettings({ dataDir: join(disk, 'data') }));
    const ok = await span(() => repo.sh('echo 2 >> a'));
    expect(ok.rows).toEqual(['M a +1 -0']);
    execFileSync('sh', ['-c', `head -c 1000000 /dev/zero > '${disk}/fill' || true`]);
    const full = await span(() => repo.sh('for i in $(seq 50); do head -c 3000 /dev/urandom | base64 > r$i; done'), {
      keepAs: null,
    });
    expect(full.delta.gaps.map((gap) => gap.reason)).toContain('git_refused');
    execFileSync('rm', [join(disk, 'fill')]);
    const before = await capture.takeSnapshot(location);
    repo.sh('echo 3 >> a');
    const delta = await capture.compare(location, before, await capture.takeSnapshot(location), {
      keepAs: null,
      patches: true,
      captures: [],
    });
    expect(rowsOf(delta)).toEqual(['M a +1 -0']);
    expect(delta.gaps).toEqual([]);
  });

  test('few file handles', async () => {
    const repo = testRepository({ a: '1\n' });
    repo.sh('for i in $(seq 400); do echo $i > u$i; done');
    const { rows, gaps } = await inOwnProcess(
      ['sh', '-c', 'ulimit -n 40; exec "$@"', 'sh'],
      repo.path,
      join(tempFolder('data'), 'd'),
      'echo 2 >> a; for i in $(seq 100); do echo x >> u$i; done',
    );
    // Either all is right or it is said that something was not.
    if (gaps.length === 0) expect(rows).toHaveLength(101);
    else
      expect(
        gaps.every((gap) => ['git_refused', 'file_unreadable', 'delta_failed', 'git_missing'].includes(gap.reason)),
      ).toBe(true);
  });

  test.runIf(isRoot)('G27: an unreadable file and an unreadable folder are gaps, and cost no other file', async () => {
    const repo = testRepository({ a: '1\n', secret: '1\n', 'closed/x': '1\n', 'open/y': '1\n' });
    repo.write('untracked-secret', '1\n');
    const data = tempFolder('data');
    repo.sh(`chown -R nobody . '${data}'; chmod 755 .`);
    const { rows, gaps } = await inOwnProcess(
      ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
      repo.path,
      join(data, 'd'),
      'echo 2 >> a; echo 2 >> open/y; echo 2 >> secret; chmod 0 secret untracked-secret; chmod 0 closed',
    );
    expect(rows).toEqual(['M a +1 -0', 'M open/y +1 -0']);
    expect(gaps.map((gap) => gap.reason)).toContain('file_unreadable');
    expect(JSON.stringify(gaps)).toContain('secret');
    repo.sh('chmod 755 closed');
  });
});

describe('time', () => {
  test('a same-size edit in the instant of a commit, and of a snapshot', async () => {
    for (let round = 0; round < 15; round += 1) {
      const repo = testRepository({ a: 'aaaa\n' });
      repo.write('a', 'bbbb\n');
      const { span } = await watch(repo.path);
      const first = await span(() => repo.write('a', 'aaaa\n'));
      expect(first.rows).toEqual(['M a +1 -1']);
      const second = await span(() => repo.write('a', 'cccc\n'));
      expect(second.rows).toEqual(['M a +1 -1']);
    }
  }, 60_000);

  test('clocks that went backwards, and files from the future', async () => {
    const repo = testRepository({ a: '1\n', b: '1\n' });
    const future = Date.now() / 1000 + 86_400;
    utimesSync(repo.at('a'), future, future);
    const { span } = await watch(repo.path);
    const { rows } = await span(() => {
      repo.write('a', '2\n');
      utimesSync(repo.at('a'), future, future);
      repo.write('b', '2\n');
      utimesSync(repo.at('b'), 1, 1);
    });
    expect(rows).toEqual(['M a +1 -1', 'M b +1 -1']);
    const touched = await span(() => utimesSync(repo.at('b'), 2, 2));
    expect(touched.rows).toEqual([]);
  });

  test('files that come and go while they are looked at', async () => {
    const repo = testRepository({ a: '1\n' });
    const { capture, location, span } = await watch(repo.path);
    const churn = spawn(
      'sh',
      [
        '-c',
        'while :; do for i in 1 2 3 4 5 6 7 8; do echo $i > churn$i; mkdir -p d$i; echo $i > d$i/f; rm -rf d$i churn$i; done; done',
      ],
      { cwd: repo.path, detached: true },
    );
    try {
      for (let round = 0; round < 12; round += 1) {
        const snapshot = await capture.takeSnapshot(location);
        const telling = snapshot.gaps.filter((gap) => gap.reason !== 'file_unreadable');
        expect(telling).toEqual([]);
      }
    } finally {
      process.kill(-(churn.pid as number), 'SIGKILL');
    }
    await new Promise((resolve) => churn.once('exit', resolve));
    repo.sh('rm -rf churn* d*');
    const { rows } = await span(() => repo.sh('echo 2 >> a'));
    expect(rows).toEqual(['M a +1 -0']);
  });
});

describe('processes', () => {
  test('locks and unfinished objects of a killed git are taken away', async () => {
    const repo = testRepository({ a: '1\n' });
    const settings = captureSettings();
    const { span } = await watch(repo.path, settings);
    await span(() => {});
    const store = join(
      settings.dataDir,
      'capture/git',
      readdirSync(join(settings.dataDir, 'capture/git'))[0] as string,
    );
    for (const name of ['index.lock', 'HEAD.lock', 'config.lock']) writeFileSync(join(store, name), '');
    mkdirSync(join(store, 'objects/ab'), { recursive: true });
    writeFileSync(join(store, 'objects/ab/tmp_obj_x'), 'x');
    writeFileSync(join(store, 'objects/pack/tmp_pack_x'), 'x');
    const later = openCapture(settings);
    const location = await later.locate(repo.path);
    const before = await later.takeSnapshot(location);
    repo.write('a', '2\n');
    const delta = await later.compare(location, before, await later.takeSnapshot(location), {
      keepAs: 'k',
      patches: true,
      captures: [],
    });
    expect(rowsOf(delta)).toEqual(['M a +1 -1']);
    expect(readdirSync(store).filter((name) => name.endsWith('.lock'))).toEqual([]);
    expect(readdirSync(join(store, 'objects/pack')).filter((name) => name.startsWith('tmp_'))).toEqual([]);
  });

  test('a damaged private index or directory is made again', async () => {
    const repo = testRepository({ a: '1\n' });
    const settings = captureSettings();
    const { span } = await watch(repo.path, settings);
    await span(() => {});
    const store = join(
      settings.dataDir,
      'capture/git',
      readdirSync(join(settings.dataDir, 'capture/git'))[0] as string,
    );
    writeFileSync(join(store, 'index'), 'DIRC nonsense');
    expect((await span(() => repo.write('a', '2\n'))).rows).toEqual(['M a +1 -1']);
    writeFileSync(join(store, 'HEAD'), 'nonsense');
    expect((await span(() => repo.write('a', '3\n'))).rows).toEqual(['M a +1 -1']);
  });

  test('snapshots that are asked for together share one look, and each is its own', async () => {
    const repo = testRepository({ a: '1\n' });
    const { capture, location } = await watch(repo.path);
    const taken = await Promise.all(Array.from({ length: 8 }, () => capture.takeSnapshot(location)));
    expect(new Set(taken.map((snapshot) => snapshot.id)).size).toBe(8);
    for (const snapshot of taken.slice(1)) await capture.releaseSnapshot(snapshot);
    await capture.collect();
    repo.write('a', '2\n');
    const delta = await capture.compare(location, taken[0] as (typeof taken)[0], await capture.takeSnapshot(location), {
      keepAs: null,
      patches: true,
      captures: [],
    });
    expect(rowsOf(delta)).toEqual(['M a +1 -1']);
  });

  test('git that takes too long leaves a bounded record, and is not tried again at once', async () => {
    const repo = testRepository({ a: '1\n' });
    const bin = testFolder();
    const real = bin.sh('command -v git').trim();
    bin.write('git', `#!/bin/sh\ncase "$*" in *status*) sleep 60;; esac\nexec '${real}' "$@"\n`);
    bin.sh('chmod +x git');
    const settings = captureSettings({ path: `${bin.path}:/usr/bin:/bin`, limitsOf: { gitMs: 3_000 } });
    const { span } = await watch(repo.path, settings);
    const { rows, delta } = await span(() => repo.write('a', '2\n'));
    expect(rows).toEqual(['M a +1 -1']);
    expect(delta.gaps.map((gap) => gap.reason)).toContain('git_refused');
    expect(JSON.stringify(delta.gaps)).toContain('in time');
  });

  test('git that takes too long at the end of a run alone: both ends are compared all the same', async () => {
    const repo = testRepository({ a: '1\n', '.gitignore': 'out/\n', 'src/b': '1\n' });
    repo.sh('mkdir out; echo 1 > out/old; git gc -q');
    const bin = testFolder();
    const real = bin.sh('command -v git').trim();
    bin.write(
      'git',
      `#!/bin/sh\n[ -e '${bin.at('slow')}' ] && case "$*" in *status*) sleep 60;; esac\nexec '${real}' "$@"\n`,
    );
    bin.sh('chmod +x git');
    const settings = captureSettings({ path: `${bin.path}:/usr/bin:/bin`, limitsOf: { gitMs: 3_000 } });
    const { span } = await watch(repo.path, settings);
    const { rows, delta } = await span(() => {
      bin.write('slow', '');
      repo.sh('echo 2 >> a; mkdir new; echo n > new/n; rm src/b; echo 2 >> out/old');
    });
    expect(rows).toEqual(['M a +1 -0', 'A new/n +1 -0', 'D src/b +0 -1']);
    expect(delta.gaps.map(({ reason }) => reason)).toEqual(['git_refused']);
  });

  test('a snapshot that nobody waits for any more', async () => {
    const repo = testRepository({ a: '1\n' });
    const { capture, location } = await watch(repo.path);
    const abort = new AbortController();
    const taking = capture.takeSnapshot(location, { signal: abort.signal });
    abort.abort(new Error('left'));
    await expect(taking).rejects.toThrow('left');
    expect((await capture.takeSnapshot(location)).gaps).toEqual([]);
  });
});

describe('odd places', () => {
  test('a folder whose own path is strange', async () => {
    for (const name of [
      'with space',
      'co:lon',
      'quo"te',
      "apo'strophe",
      'new\nline',
      '-dash',
      '#hash',
      'é日',
      'back\\slash',
      '$HOME',
      '[a]*?',
    ]) {
      const repo = testRepository({ a: '1\n', 'd/b': '1\n' }, join(tempFolder('odd'), name));
      testRepository({ n: '1\n' }, repo.at('inner'));
      const { span, capture } = await watch(repo.path, captureSettings({ dataDir: join(tempFolder('odd'), name) }));
      const { rows, delta } = await span(() =>
        repo.sh('echo 2 >> a; git commit -qam x; echo 2 >> inner/n; mv d/b d/c'),
      );
      expect(rows, name).toEqual(['M a +1 -0', 'R d/b -> d/c +0 -0', 'M inner/n +1 -0']);
      expect(delta.gaps, name).toEqual([]);
      const before = await capture.captureFile(await capture.locate(repo.path), repo.at('a'));
      expect(before.state, name).toBe('file');
    }
  }, 60_000);

  test('a junk .git folder above is nobody’s repository', async () => {
    const outer = testFolder();
    mkdirSync(outer.at('.git'));
    outer.write('w/a', '1\n');
    const { span } = await watch(outer.at('w'));
    const { rows, delta } = await span(() => outer.sh('echo 2 >> w/a'));
    expect(rows).toEqual(['M a +1 -0']);
    expect(delta.gaps).toEqual([]);
  });

  test('a folder in a home that is itself a repository is looked at by itself', async () => {
    const home = testRepository({ '.bashrc': '1\n', 'code/a': '1\n' });
    const { span, location } = await watch(home.at('code'), captureSettings({ home: home.path }));
    expect(location).toMatchObject({ kind: 'filesystem', repository: null, wholeFolder: false });
    const { rows } = await span(() => home.sh('echo 2 >> code/a; echo 2 >> .bashrc'));
    expect(rows).toEqual(['M a +1 -0']);
  });

  test('a work tree that its repository keeps elsewhere', async () => {
    const folder = testFolder();
    folder.sh(
      'mkdir tree; git init -q --separate-git-dir="$PWD/elsewhere" tree; cd tree; echo 1 > a; git add a; git commit -qm a',
    );
    const { span } = await watch(folder.at('tree'));
    const { rows } = await span(() => folder.sh('cd tree; echo 2 >> a; git commit -qam x; echo n > n'));
    expect(rows).toEqual(['M a +1 -0', 'A n +1 -0']);
  });

  test('a shallow clone, a partial clone, and one that borrows its own objects', async () => {
    const origin = testRepository({ a: '1\n', 'd/b': '1\n' });
    origin.sh('echo 2 >> a; git commit -qam two; git config uploadpack.allowFilter true');
    for (const option of ['--depth=1', '--filter=blob:none --no-checkout', '--shared']) {
      const folder = testFolder();
      folder.sh(
        `git clone -q ${option} "file://${origin.path}" c || git clone -q ${option} '${origin.path}' c; cd c; git checkout -q main`,
      );
      const { span } = await watch(folder.at('c'));
      const { rows, delta } = await span(() => folder.sh('cd c; echo 3 >> a; rm d/b; git commit -qam x; echo 4 >> a'));
      expect(rows, option).toEqual(['M a +2 -0', 'D d/b +0 -1']);
      expect(delta.gaps, option).toEqual([]);
    }
  });

  test('paths that move to and fro between link, file and folder', async () => {
    const repo = testRepository({ x: '1\n', 'y/a': '1\n', 'z/a': '1\n' });
    const { span } = await watch(repo.path);
    const one = await span(() => repo.sh('rm -r y; ln -s z y; rm x; mkdir x; echo 1 > x/in'));
    expect(one.rows).toEqual(['R x -> x/in +0 -0', 'A y +1 -0', 'D y/a +0 -1']);
    const two = await span(() => repo.sh('rm y; echo f > y; rm -r x; ln -s y x'));
    expect(two.rows).toEqual(['A x +1 -0', 'D x/in +0 -1', 'M y +1 -1 kind symlink file']);
  });
});
