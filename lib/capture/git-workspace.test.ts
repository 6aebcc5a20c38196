/** What a run's record says of ordinary changes in a git workspace; git itself is the judge of counts and patches. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { captureSettings, fileAt, watch } from '@/lib/testing/capture-span';
import { testRepository } from '@/lib/testing/test-folder';

const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');

describe('ordinary truth (conformance 3a)', () => {
  test('T1: a new file in a new folder', async () => {
    const repo = testRepository({ a: '1\n' });
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('mkdir -p src/new; printf "a\\nb\\nc\\n" > src/new/x.ts'));
    expect(rows).toEqual(['A src/new/x.ts +3 -0']);
  });

  test('T2, T3: edits that are committed during the run', async () => {
    const repo = testRepository({ a: '1\n' });
    const { span } = await watch(repo.path);
    const once = await span(() => repo.sh('echo 2 >> a; git commit -qam x'));
    expect(once.rows).toEqual(['M a +1 -0']);
    expect(once.delta.git?.moves.map(({ action, commits }) => ({ action, commits }))).toEqual([
      { action: 'commit', commits: 1 },
    ]);
    const twice = await span(() => repo.sh('echo 3 >> a; git commit -qam y; echo 4 >> a'));
    expect(twice.rows).toEqual(['M a +2 -0']);
  });

  test('T4, T6: what was dirty before and stays so is absent; an untracked file is modified, not added', async () => {
    const repo = testRepository({ a: '1\n', b: '1\n' });
    repo.sh('echo mine >> a; mkdir wip; echo u > wip/u');
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> b; echo 2 >> wip/u'));
    expect(rows).toEqual(['M b +1 -0', 'M wip/u +1 -0']);
  });

  test('T7, T8: binary files are rows with sizes and bytes of both sides', async () => {
    const repo = testRepository({ 'x.bin': Buffer.from([1, 0, 2]) });
    const { span, capture } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.write('x.bin', Buffer.from([9, 0, 9, 9])));
    expect(rows).toEqual(['M x.bin +0 -0 binary']);
    const file = fileAt(delta, 'x.bin');
    expect([file.sizeBefore, file.sizeAfter]).toEqual([3, 4]);
    expect(Buffer.from(await capture.readContent(delta.kept, file, 'before'))).toEqual(Buffer.from([1, 0, 2]));
    expect(Buffer.from(await capture.readContent(delta.kept, file, 'after'))).toEqual(Buffer.from([9, 0, 9, 9]));
    expect(await capture.readComparison(delta.kept, file, { context: 3 })).toMatchObject({
      kind: 'binary',
      sizeAfter: 4,
    });
  });

  test('T10: a large text file keeps its counts and has no patch', async () => {
    const repo = testRepository({ 'big.txt': lines(400_000, 'some text to make it large') });
    const { span, capture } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh('echo more >> big.txt'));
    expect(rows).toEqual(['M big.txt +1 -0 oversized']);
    const file = fileAt(delta, 'big.txt');
    expect(file.patch).toBeNull();
    expect(file.sizeAfter).toBe((file.sizeBefore as number) + 5);
    expect(await capture.readComparison(delta.kept, file, { context: 3 })).toMatchObject({ kind: 'oversized' });
  });

  test('T11, T12, T13: empty files, modes and renames are changes', async () => {
    const repo = testRepository({ 'run.sh': 'echo\n', 'old.ts': lines(30) });
    const { span } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.sh(': > __init__.py; chmod +x run.sh; mv old.ts new.ts'));
    expect(rows).toEqual(['A __init__.py +0 -0', 'R old.ts -> new.ts +0 -0', 'M run.sh +0 -0 mode 100644 100755']);
    expect(fileAt(delta, 'run.sh').patch).toContain('old mode 100644\nnew mode 100755\n');
  });

  test('T15: lines that look like patch headers are counted and shown', async () => {
    const repo = testRepository({ 'q.lua': '-- a\n-- b\nx\n' });
    const { span, capture } = await watch(repo.path);
    const { rows, delta } = await span(() => repo.write('q.lua', 'x\n++ i\n'));
    expect(rows).toEqual(['M q.lua +1 -2']);
    const shown = await capture.readComparison(delta.kept, fileAt(delta, 'q.lua'), { context: 3 });
    expect(shown).toMatchObject({
      kind: 'text',
      hunks: [
        {
          lines: [
            { type: 'removed', text: '-- a' },
            { type: 'removed', text: '-- b' },
            { type: 'context', text: 'x' },
            { type: 'added', text: '++ i' },
          ],
        },
      ],
    });
  });

  test('T16: an edit that was taken back is no change', async () => {
    const repo = testRepository({ a: '1\n' });
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('echo 2 >> a; printf "1\\n" > a'));
    expect(rows).toEqual([]);
  });

  test('T18, T19: a file becomes a folder; a folder is deleted', async () => {
    const repo = testRepository({ t: 'x\n', 'd/1': '1\n', 'd/2': '2\n', 'd/3': '3\n', 'd/4': '4\n', 'd/5': '5\n' });
    const { span } = await watch(repo.path);
    const swapped = await span(() => repo.sh('rm t; mkdir t; echo y > t/x'));
    expect(swapped.rows).toEqual(['D t +0 -1', 'A t/x +1 -0']);
    const back = await span(() => repo.sh('rm -r t; echo z > t; rm -r d'));
    expect(back.rows).toEqual([
      'D d/1 +0 -1',
      'D d/2 +0 -1',
      'D d/3 +0 -1',
      'D d/4 +0 -1',
      'D d/5 +0 -1',
      'A t +1 -0',
      'D t/x +0 -1',
    ]);
  });

  test('T21: two hundred new files are two hundred rows', async () => {
    const repo = testRepository({ a: '1\n' });
    const { span } = await watch(repo.path);
    const { rows } = await span(() => repo.sh('for i in $(seq 200); do echo $i > n$i; done'));
    expect(rows).toHaveLength(200);
    expect(rows.every((row) => row.endsWith('+1 -0'))).toBe(true);
  });

  test('each patch is what git says of the file', async () => {
    const repo = testRepository({ 'a b.txt': lines(40), 's.sql': '-- one\n', '日本.txt': lines(10) });
    const { span } = await watch(repo.path);
    const { delta } = await span(() =>
      repo.sh("sed -i 's/line 3$/three/; s/line 30$/thirty/' 'a b.txt'; echo '-- two' > s.sql; echo x >> 日本.txt"),
    );
    for (const file of delta.files) {
      const theirs = repo.git('-c', 'core.quotePath=false', 'diff', '--', file.path);
      expect(withoutIndexLine(file.patch as string)).toBe(`${withoutIndexLine(theirs)}\n`);
    }
  });

  test('after a change git opens no folder that did not change', async () => {
    const repo = testRepository({ a: '1\n', 'one/b': '1\n', 'two/c': '1\n' });
    // git trusts no time of a folder that is as young as its index.
    repo.sh('touch -d "1 minute ago" . one two');
    const settings = captureSettings();
    const { span } = await watch(repo.path, settings);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await span(() => repo.sh('echo 2 >> one/b'))).rows).toEqual(['M one/b +1 -0']);
    const [key] = readdirSync(`${settings.dataDir}/capture/git`);
    const trace = repo.sh(
      `GIT_DIR='${settings.dataDir}/capture/git/${key}' GIT_WORK_TREE='${repo.path}' GIT_TRACE2_EVENT=2 GIT_TRACE2_EVENT_NESTING=5 git status --porcelain=v2 -uall 2>&1`,
    );
    expect(trace).toMatch(/"category":"read_directory","key":"opendir","value":"?0"?}/);
  });

  test('nothing is written into the repository', async () => {
    const repo = testRepository({ a: '1\n', 'd/b': '1\n' });
    repo.sh('echo 2 >> a; echo u > u; git add d; git stash list');
    const look = () =>
      repo.sh(
        'find .git -type f -printf "%p %s %i\\n" | sort; sha1sum .git/index; stat -c %y .git/index; git for-each-ref; git reflog',
      );
    const before = look();
    const { span } = await watch(repo.path);
    await span(() => repo.sh('echo 3 > d/b; rm u'));
    repo.sh('echo 1 > d/b; echo u > u');
    expect(look()).toBe(before);
  });

  test('the whole patch applies to the start and reversed to the end', async () => {
    const repo = testRepository({
      a: lines(20),
      'x.bin': Buffer.from([0, 1, 2]),
      old: lines(30),
      'm.sh': 'echo\n',
      n: 'no end',
    });
    const { span, capture, location } = await watch(repo.path);
    const { delta } = await span(() =>
      repo.sh(
        'echo z >> a; printf "\\000\\003" > x.bin; mv old new; echo 1 >> new; chmod +x m.sh; printf "other end" > n; mkdir q; : > q/e; ln -s a l',
      ),
    );
    const patch = await capture.readPatch(delta.kept, location, delta.files);
    const pieces: Uint8Array[] = [];
    for await (const piece of patch.text) pieces.push(piece);
    const data = captureSettings().dataDir;
    repo.write('../patch', Buffer.concat(pieces));
    repo.sh('git apply -R --check ../patch; git stash -qu; git apply --check ../patch; git stash pop -q; rm ../patch');
    expect(patch.omitted).toBe(0);
    expect(data).not.toBe('');
  });
});

const withoutIndexLine = (patch: string) => patch.replace(/^index .*\n/gm, '');
