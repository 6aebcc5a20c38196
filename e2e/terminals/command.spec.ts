import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireRun } from '../conformance/client';
import { expect, PROJECT, test } from './fixtures';

const LINK = /http:\/\/127\.0\.0\.1:\d+\/runs\/(run_\w+)/;

test.describe('tidemark run', () => {
  test('lists what the command changed, and leaves its streams and exit code alone', async ({
    tidemark,
    repository,
  }) => {
    const { path } = repository();
    const script = 'cat; echo said >&2; echo more >> hello.txt; rm doomed.txt; echo n > "a new.txt"; exit 7';
    const { code, stdout, stderr } = await tidemark.run(['run', '--', 'sh', '-c', script], {
      cwd: path,
      input: 'given\n',
    });
    expect(code).toBe(7);
    expect(stdout).toBe('given\n');
    expect(stderr).toMatch(
      /^said\n\nChanged 3 files {2}\+2 −1\nA a new\.txt {3}\+1 −0\nD doomed\.txt {2}\+0 −1\nM hello\.txt {3}\+1 −0\nhttp:/,
    );
    expect(stderr).toMatch(LINK);
    expect(stderr).not.toContain('\u001b');
  });

  test('prints one JSON document for programs, and nothing else on standard output', async ({
    tidemark,
    repository,
    client,
  }) => {
    const { path } = repository();
    const result = await tidemark.run(['run', '--json', '--', 'sh', '-c', 'echo out; echo x >> hello.txt'], {
      cwd: path,
    });
    const { run, change, link, exit_code } = JSON.parse(result.stdout);
    expect(result.stderr).toBe('out\n');
    expect([exit_code, run.status, run.prompt]).toEqual([0, 'completed', "$ sh -c 'echo out; echo x >> hello.txt'"]);
    expect(change.files.map((file: { path: string }) => file.path)).toEqual(['hello.txt']);
    expect(link).toMatch(LINK);
    expect((await client.readRun(run.id)).change?.changed_count).toBe(1);
  });

  test('records a command that failed, one that is not there and one that cannot be run', async ({
    tidemark,
    repository,
    client,
  }) => {
    const { path } = repository({ 'not-a-program': 'text\n' });
    const exits = [];
    const runs: WireRun[] = [];
    for (const command of [['false'], ['no-such-command'], ['./not-a-program']]) {
      const { code, stdout } = await tidemark.run(['run', '--json', '--', ...command], { cwd: path });
      exits.push(code);
      runs.push((await client.readRun(JSON.parse(stdout).run.id)).run);
    }
    expect(exits).toEqual([1, 127, 126]);
    expect(runs.map(({ status, error }) => `${status}: ${error}`)).toEqual([
      'failed: exit 1',
      'failed: no-such-command: command not found',
      'failed: ./not-a-program: permission denied',
    ]);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`passes ${signal} on, records what was done until then, and ends as the command did`, async ({
      tidemark,
      repository,
      client,
    }) => {
      const { path, has } = repository();
      const child = tidemark.start(['run', '--', 'sh', '-c', 'echo x > begun; while :; do sleep 0.05; done'], {
        cwd: path,
      });
      await expect.poll(() => existsSync(join(path, 'begun'))).toBe(true);
      expect(has).toBeDefined();
      child.kill(signal);
      const [code, ended] = await once(child, 'exit');
      expect([code, ended]).toEqual([null, signal]);
      const [run] = (await list(client, path)) as [WireRun];
      expect(run).toMatchObject({ status: 'cancelled', error: `signal ${signal}` });
      expect((await client.readRun(run.id)).change?.files.map((file) => file.path)).toEqual(['begun']);
    });
  }

  test('lets a command that handles a signal decide', async ({ tidemark, repository }) => {
    const { path } = repository();
    const script = 'trap "echo caught > caught; exit 5" TERM; echo x > begun; while :; do sleep 0.05; done';
    const child = tidemark.start(['run', '--', 'sh', '-c', script], { cwd: path });
    await expect.poll(() => existsSync(join(path, 'begun'))).toBe(true);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([5, null]);
    expect(existsSync(join(path, 'caught'))).toBe(true);
  });

  test('works in another folder, through a link, and in one session for one folder', async ({
    tidemark,
    repository,
    folder,
    client,
  }) => {
    const { path } = repository();
    const link = join(folder, 'link');
    symlinkSync(path, link);
    for (const where of [path, link, `${path}/`]) {
      await tidemark.run(['run', '--workspace', where, '--', 'sh', '-c', 'pwd > where'], { cwd: folder });
    }
    const runs = await list(client, path);
    expect(runs).toHaveLength(3);
    expect(new Set(runs.map(({ session_id }) => session_id)).size).toBe(1);
    expect(readFileSync(join(path, 'where'), 'utf8')).toBe(`${path}\n`);
    const named = await tidemark.run(['run', '--json', '--title', 'Formatter', '--', 'true'], { cwd: path });
    expect(JSON.parse(named.stdout).run.session_id).not.toBe(runs[0]?.session_id);
  });

  test('two at once in one folder each have a run', async ({ tidemark, repository, client }) => {
    const { path } = repository();
    const both = await Promise.all(
      ['a', 'b'].map((name) =>
        tidemark.run(['run', '--', 'sh', '-c', `echo ${name} > ${name}; sleep 0.5`], { cwd: path }),
      ),
    );
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await list(client, path)).toHaveLength(2);
  });

  test('runs nothing without a server, and says how to start it', async ({ tidemark, folder, repository }) => {
    const { path } = repository();
    const { code, stdout, stderr } = await tidemark.run(['run', '--', 'touch', 'ran'], {
      cwd: path,
      env: { TIDEMARK_DATA_DIR: join(folder, 'empty') },
    });
    expect([code, stdout]).toEqual([69, '']);
    expect(stderr).toMatch(/^tidemark: Tidemark is not running .*\nStart it with `tidemark start`/);
    expect(existsSync(join(path, 'ran'))).toBe(false);
  });

  test('lets the command finish where the server goes away meanwhile', async ({ anotherServer, repository }) => {
    const { path } = repository();
    const { server, tidemark } = await anotherServer();
    const running = tidemark.run(['run', '--', 'sh', '-c', 'echo x > begun; sleep 1.5; echo done; exit 4'], {
      cwd: path,
    });
    await expect.poll(() => existsSync(join(path, 'begun'))).toBe(true);
    await server.kill();
    expect(await running).toMatchObject({
      code: 4,
      stdout: 'done\n',
      stderr: expect.stringContaining('was not recorded'),
    });
  });

  test('says what is wrong with a folder', async ({ tidemark, folder }) => {
    const { code, stderr } = await tidemark.run(['run', '--workspace', join(folder, 'nowhere'), '--', 'true']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tidemark: .*folder/i);
  });
});

test('changes, patch and share tell of the last run here, and of any run', async ({ tidemark, repository, folder }) => {
  const repo = repository({ 'a.txt': 'one\ntwo\n', 'pkg/b.txt': 'b\n' });
  const cwd = repo.path;
  expect(await tidemark.run(['changes'], { cwd: folder })).toMatchObject({
    code: 66,
    stderr: expect.stringContaining('No run is recorded'),
  });
  const first = await tidemark.run(
    ['run', '--json', '--', 'sh', '-c', "printf 'one\\n2\\n' > a.txt; echo 'a\tb' > 'odd\u001b[31m.txt'"],
    { cwd },
  );
  const { id } = JSON.parse(first.stdout).run;
  for (const word of [[], ['last'], [id], [`http://127.0.0.1/runs/${id}`]]) {
    const { stdout } = await tidemark.run(['changes', ...word], { cwd: join(cwd, 'pkg') });
    expect(stdout).toContain('Changed 2 files  +2 −1\n');
    // Names that could drive a terminal are written out.
    expect(stdout).toContain('"odd\\033[31m.txt"');
    expect(stdout).not.toContain('\u001b');
  }
  const { stdout: patch } = await tidemark.run(['patch', 'last'], { cwd });
  expect(patch).toContain('-two\n+2\n');
  repo.write({ 'undo.patch': patch });
  repo.git('apply', '-R', 'undo.patch');
  expect(repo.git('status', '--porcelain').trim()).toBe('?? undo.patch');
  expect(JSON.parse((await tidemark.run(['patch', id, '--json'], { cwd })).stdout)).toMatchObject({
    run_id: id,
    apply_from: '.',
    omitted: 0,
  });
  expect(await tidemark.run(['patch', 'run_nothing'], { cwd })).toMatchObject({ code: 66, stdout: '' });
  const shared = await tidemark.run(['share', 'last', '--days', '7'], { cwd });
  expect(shared).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]+\n$/) });
  expect(await tidemark.run(['share', 'last', '--days', 'soon'], { cwd })).toMatchObject({ code: 64 });
});

test('start, status and stop: in the background, once, and for good', async ({ tidemark, folder }) => {
  const env = { TIDEMARK_DATA_DIR: join(folder, 'own data'), TIDEMARK_PORT: '0' };
  expect(await tidemark.run(['status'], { env })).toMatchObject({
    code: 69,
    stdout: expect.stringContaining('is not running'),
  });
  const started = await tidemark.run(['start'], { env });
  expect(started).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Tidemark is ready at http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/),
  });
  try {
    const { link } = JSON.parse((await tidemark.run(['status', '--json'], { env })).stdout);
    expect(started.stdout).toContain(link);
    expect((await tidemark.run(['start'], { env })).stdout).toContain('is running already');
    const answer = await fetch(link, { redirect: 'manual' });
    expect(answer.headers.get('set-cookie')).toContain('tidemark_');
  } finally {
    expect(await tidemark.run(['stop'], { env })).toMatchObject({ code: 0, stdout: 'Tidemark stopped.\n' });
  }
  expect(await tidemark.run(['stop'], { env })).toMatchObject({ code: 0, stdout: 'Tidemark is not running.\n' });
});

test('does not believe a file that a crash left, and ends no process that is not Tidemark', async ({
  tidemark,
  folder,
}) => {
  const dataDir = join(folder, 'stale');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'token'), 'x'.repeat(40));
  // The pid is ours: it must survive.
  const file = { url: 'http://127.0.0.1:9', pid: process.pid, token_file: join(dataDir, 'token'), version: '0' };
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify(file));
  const env = { TIDEMARK_DATA_DIR: dataDir };
  expect(await tidemark.run(['stop'], { env })).toMatchObject({ code: 0, stdout: 'Tidemark is not running.\n' });
  expect(await tidemark.run(['changes'], { env })).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('nothing answers at http://127.0.0.1:9'),
  });
  writeFileSync(join(dataDir, 'server.json'), '{ "url": ');
  expect(await tidemark.run(['status'], { env })).toMatchObject({ code: 69 });
});

test('a token that the server does not know is said to be one', async ({ tidemark, server, folder }) => {
  const dataDir = join(folder, 'other token');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'token'), 'y'.repeat(40));
  const file = { url: server.client.url, pid: 1, token_file: join(dataDir, 'token'), version: '0' };
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify(file));
  expect(await tidemark.run(['changes'], { env: { TIDEMARK_DATA_DIR: dataDir } })).toMatchObject({ code: 77 });
});

test('teaches by example, and says what is wrong with what was typed', async ({ tidemark }) => {
  const overview = await tidemark.run([]);
  expect(overview.stdout).toContain('tidemark run -- npm run format');
  for (const command of [
    'start',
    'stop',
    'status',
    'run',
    'hooks',
    'hook',
    'mcp',
    'changes',
    'patch',
    'share',
    'completion',
  ]) {
    const { code, stdout } = await tidemark.run([command, '--help']);
    expect([command, code]).toEqual([command, 0]);
    expect(stdout).toContain('Examples');
    expect(stdout).toContain('--json');
    expect((await tidemark.run(['help', command])).stdout).toBe(stdout);
  }
  expect((await tidemark.run(['--version'])).stdout).toBe(
    `${JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).version}\n`,
  );
  for (const [words, hint] of [
    [['chnages'], 'Do you mean `tidemark changes`?'],
    [['run'], 'needs a command to run'],
    [['changes', 'a', 'b'], 'does not know what to do with "b"'],
    [['status', '--colour'], "Unknown option '--colour'"],
    [['--frob', 'status'], "Unknown option '--frob'"],
    [['patch'], 'needs RUN'],
  ] as [string[], string][]) {
    const { code, stdout, stderr } = await tidemark.run(words);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(hint);
  }
  const failed = await tidemark.run(['patch', '--json']);
  expect(JSON.parse(failed.stdout)).toMatchObject({ error: { exit_code: 64 } });
});

test('completes in bash', async ({ tidemark }) => {
  const { stdout: script } = await tidemark.run(['completion', 'bash']);
  const asked = `${script}\ncomplete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tidemark; printf '%s ' "\${COMPREPLY[@]}"; echo; }
complete_words tidemark ch; complete_words tidemark hooks ins; complete_words tidemark hooks install cod; complete_words tidemark patch --a; complete_words tidemark run -- ech`;
  const { execFileSync } = await import('node:child_process');
  expect(
    execFileSync('bash', ['-c', asked], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(['changes', 'install', 'codex', '--all', expect.stringContaining('echo'), '']);
  for (const shell of ['zsh', 'fish']) expect((await tidemark.run(['completion', shell])).stdout).toContain('tidemark');
});

async function list(client: { request(method: string, path: string): Promise<{ bytes: Uint8Array }> }, path: string) {
  const { bytes } = await client.request('GET', `/api/runs?workspace=${encodeURIComponent(path)}`);
  return (JSON.parse(Buffer.from(bytes).toString()) as { runs: WireRun[] }).runs;
}
