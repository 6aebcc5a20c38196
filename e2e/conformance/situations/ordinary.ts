/** Ordinary truth (CONFORMANCE 3a): each of these fails in at least one system that people use. */
import { bytesUnder } from '../data-folder';
import { lines } from '../place';
import type { Situation } from '../situation';
import { WORKERS } from '../worker';

const by = WORKERS;

/** The smallest PNG there is, in two colours. */
export const PNG_RED = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
export const PNG_BLUE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
);

export const ordinary: readonly Situation[] = [
  {
    id: 'T1',
    when: 'a new file in a new folder',
    says: 'A src/new/x.ts +3 −0',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      const one = await t.run(repo, "mkdir -p src/new; printf 'a\\nb\\nc\\n' > src/new/x.ts");
      t.rows(one, ['A src/new/x.ts +3 −0']);
      t.gaps(one, []);
      const deep = await t.run(
        repo,
        "mkdir -p p/q/r/s; printf 'no end' > p/q/r/s/y; printf 'b\\n' > p/q/z; echo 2 > b",
      );
      t.rows(deep, ['A b +1 −0', 'A p/q/r/s/y +1 −0', 'A p/q/z +1 −0']);
    },
  },
  {
    id: 'T2',
    when: 'a line appended and committed',
    says: 'M a +1 −0, 1 commit made',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      const once = await t.run(repo, 'echo 2 >> a; git commit -qam x');
      t.rows(once, ['M a +1 −0']);
      const moves = once.change?.git?.moves.map(({ action, commits }) => `${action} ${commits}`);
      t.equal('moves of git', ['commit 1'], moves);
      const head = (await repo.git('rev-parse', 'HEAD')).trim();
      t.equal('head after', head, once.change?.git?.head_after);
      t.equal('branch', ['main', 'main'], [once.change?.git?.branch_before, once.change?.git?.branch_after]);
      const amended = await t.run(repo, 'echo 3 >> a; echo n > n; git add n a; git commit -q --amend -m y');
      t.rows(amended, ['M a +1 −0', 'A n +1 −0']);
      const two = await t.run(repo, 'echo 4 >> a; git commit -qam one; echo 5 >> a; git commit -qam two');
      t.rows(two, ['M a +2 −0']);
      t.equal(
        'commits',
        2,
        two.change?.git?.moves.reduce((sum, move) => sum + move.commits, 0),
      );
    },
  },
  {
    id: 'T3',
    when: 'a line appended, committed, one more appended',
    says: 'M a +2 −0',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      t.rows(await t.run(repo, 'echo 2 >> a; git commit -qam x; echo 3 >> a'), ['M a +2 −0']);
    },
  },
  {
    id: 'T4',
    when: 'files that the user had changed before; only b is edited',
    says: 'M b only',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n', b: '1\n', staged: '1\n', gone: '1\n', removed: '1\n' });
      await repo.sh(
        'echo mine >> a; echo mine >> staged; git add staged; rm gone; git rm -q removed; echo u > untracked',
      );
      t.rows(await t.run(repo, 'echo 2 >> b'), ['M b +1 −0']);
      t.rows(await t.run(repo, 'echo 2 >> a; echo 2 >> staged'), ['M a +1 −0', 'M staged +1 −0']);
    },
  },
  {
    id: 'T6',
    when: 'an untracked file that was there before is appended to',
    says: 'M wip/u +1 −0, not A',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      repo.write('wip/u', '1\n');
      repo.write('wip/v', lines(30, 'v'));
      t.rows(await t.run(repo, 'echo 2 >> wip/u'), ['M wip/u +1 −0']);
      t.rows(await t.run(repo, 'rm wip/u; mv wip/v wip/w'), ['D wip/u +0 −2', 'R wip/v → wip/w +0 −0']);
    },
  },
  {
    id: 'T7',
    when: 'bytes of a binary file replaced',
    says: 'M x.bin, binary, sizes before and after, no counts',
    by,
    async steps(t) {
      const repo = await t.repository({ 'x.bin': Buffer.from([1, 0, 2]), 'y.bin': Buffer.from([0, 10, 0, 10]) });
      const record = await t.run(repo, "printf '\\0\\1\\0\\1\\0' > x.bin; rm y.bin; printf 'n\\0\\n' > z.bin");
      t.rows(record, ['M x.bin binary', 'D y.bin binary', 'A z.bin binary']);
      t.equal('sizes', [3, 5], [record.rows[0]?.size_before, record.rows[0]?.size_after]);
      t.equal('binary files', 3, record.change?.binary_count);
      const back = await t.run(repo, "printf 'now text\\n' > x.bin");
      t.rows(back, ['M x.bin binary']);
    },
  },
  {
    id: 'T8',
    when: 'an image replaced',
    says: 'M logo.png, binary, both images are served',
    by,
    async steps(t) {
      const repo = await t.repository({ 'logo.png': PNG_RED });
      repo.write('.git/info/blue.png', PNG_BLUE);
      const record = await t.run(repo, 'cp .git/info/blue.png logo.png');
      t.rows(record, ['M logo.png binary']);
      const [file] = record.rows;
      if (!record.change || !file) return;
      for (const [side, image] of [
        ['before', PNG_RED],
        ['after', PNG_BLUE],
      ] as const) {
        const content = await t.door.content(record.change, file, side);
        t.equal(`type of the image ${side}`, 'image/png', content.headers.get('content-type'));
        t.equal(`image ${side}`, image.toString('base64'), Buffer.from(content.bytes).toString('base64'));
      }
    },
  },
  {
    id: 'T10',
    when: '30 MB of text, tracked and untracked; a line appended',
    says: 'M, too large, sizes; never absent',
    async steps(t) {
      const line = `${'x'.repeat(59)}\n`;
      const text = line.repeat(500_000);
      const repo = await t.repository({ 'tracked.txt': text });
      repo.write('untracked.txt', text);
      const record = await t.run(repo, 'echo more >> tracked.txt; echo more >> untracked.txt');
      t.rows(record, ['M tracked.txt +1 −0 too large', 'M untracked.txt too large']);
      for (const file of record.rows) {
        t.equal(`sizes of ${file.path}`, [text.length, text.length + 5], [file.size_before, file.size_after]);
      }
      t.rows(await t.run(repo, 'touch tracked.txt untracked.txt'), []);
      t.rows(await t.run(repo, 'rm untracked.txt'), ['D untracked.txt too large']);
    },
  },
  {
    id: 'T11',
    when: 'an empty file made',
    says: 'A __init__.py, empty',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n', full: lines(3) });
      t.rows(await t.run(repo, 'mkdir pkg; : > __init__.py; : > pkg/__init__.py'), [
        'A __init__.py +0 −0 empty',
        'A pkg/__init__.py +0 −0 empty',
      ]);
      t.rows(await t.run(repo, ': > full; rm __init__.py'), ['D __init__.py +0 −0 empty', 'M full +0 −3']);
    },
  },
  {
    id: 'T12',
    when: 'a script made executable',
    says: 'M run.sh, mode 644 → 755, +0 −0',
    by,
    async steps(t) {
      const repo = await t.repository({ 'run.sh': '#!/bin/sh\n', 'b.sh': '#!/bin/sh\n' });
      repo.write('wip.sh', '#!/bin/sh\n');
      await repo.sh('chmod 644 run.sh wip.sh; chmod 755 b.sh');
      const record = await t.run(repo, 'chmod +x run.sh wip.sh; chmod -x b.sh; echo true >> b.sh');
      t.rows(record, ['M b.sh +1 −0 mode 755 → 644', 'M run.sh +0 −0 mode 644 → 755', 'M wip.sh +0 −0 mode 644 → 755']);
      t.rows(await t.run(repo, 'chmod 600 run.sh; chmod 755 run.sh'), []);
    },
  },
  {
    id: 'T13',
    when: 'a file of 30 lines moved',
    says: 'R old.ts → new.ts +0 −0, one row',
    by,
    async steps(t) {
      const repo = await t.repository({ 'old.ts': lines(30), 'b.ts': lines(30, 'b'), 'dir/c.ts': lines(30, 'c') });
      t.rows(await t.run(repo, 'mv old.ts new.ts'), ['R old.ts → new.ts +0 −0']);
      const more = await t.run(repo, 'git mv b.ts src-b.ts; echo more >> src-b.ts; mv dir folder');
      t.rows(more, ['R dir/c.ts → folder/c.ts +0 −0', 'R b.ts → src-b.ts +1 −0']);
      t.rows(await t.run(repo, 'cp new.ts copy.ts'), ['A copy.ts +30 −0']);
    },
  },
  {
    id: 'T15',
    when: 'lines that begin with -- removed, one with ++ added',
    says: 'M q.lua +1 −2, all three in the patch',
    by,
    async steps(t) {
      const repo = await t.repository({ 'q.lua': '-- a\n-- b\nx\n' });
      const record = await t.run(repo, "printf 'x\\n++ i\\n' > q.lua");
      t.rows(record, ['M q.lua +1 −2']);
      const [file] = record.rows;
      if (!record.change || !file) return;
      const comparison = await t.door.comparison(record.change, file);
      const changed = comparison.kind === 'text' ? comparison.hunks.flatMap((hunk) => hunk.lines) : [];
      t.equal(
        'lines',
        ['removed -- a', 'removed -- b', 'context x', 'added ++ i'],
        changed.map(({ type, text }) => `${type} ${text}`),
      );
    },
  },
  {
    id: 'T16',
    when: 'an edit, then the same bytes again',
    says: 'no card',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n', b: lines(20), c: '1\n' });
      repo.write('wip', '1\n');
      t.rows(await t.run(repo, "echo 2 >> a; printf '1\\n' > a"), []);
      t.rows(await t.run(repo, 'echo x > n; rm n; mkdir d; rmdir d; mv b b2; mv b2 b'), []);
      t.rows(await t.run(repo, 'touch a wip; cp -p c c2; rm c; mv c2 c; chmod +x a; chmod -x a'), []);
      t.rows(await t.run(repo, 'echo 2 >> wip; printf "1\\n" > wip; git add wip; git reset -q wip'), []);
      t.rows(await t.run(repo, 'true'), []);
    },
  },
  {
    id: 'T18',
    when: 'a file becomes a folder, a folder a file, a file a link',
    says: 'D t −1, A t/x +1; M f, became a link',
    by,
    async steps(t) {
      const repo = await t.repository({ t: 't\n', 'd/e': 'e\n', f: lines(3) });
      t.rows(await t.run(repo, 'rm t; mkdir t; echo y > t/x'), ['D t +0 −1', 'A t/x +1 −0']);
      t.rows(await t.run(repo, 'rm -r d; echo now > d'), ['A d +1 −0', 'D d/e +0 −1']);
      t.rows(await t.run(repo, 'rm f; ln -s t/x f'), ['M f +1 −3 became a link']);
      t.rows(await t.run(repo, 'rm f; echo again > f'), ['M f +1 −1 no longer a link']);
    },
  },
  {
    id: 'T19',
    when: 'a folder of 5 files deleted',
    says: '5 D rows',
    by,
    async steps(t) {
      const repo = await t.repository({
        a: '1\n',
        ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`d/f${n}`, lines(n, `f${n}`)])),
      });
      const deleted = [1, 2, 3, 4, 5].map((n) => `D d/f${n} +0 −${n}`);
      t.rows(await t.run(repo, 'rm -r d'), deleted);
    },
  },
  {
    id: 'T21',
    when: '200 new files',
    says: '200 files, +200, all reachable',
    by,
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      const record = await t.run(repo, 'mkdir n; i=0; while [ $i -lt 200 ]; do echo $i > n/$i; i=$((i+1)); done');
      t.equal('header', [200, 200, 200, 0], headerOf(record.change));
      t.equal('rows', 200, record.rows.length);
      t.equal('listed', 200, record.change?.files.length);
    },
  },
  {
    id: 'T22',
    when: '24,000 new files in one folder',
    says: 'the header is exact, the list pages, the store stays small',
    isLarge: true,
    async steps(t) {
      const repo = (await t.repository({ a: '1\n' })).watched({ imprint: 'git', apply: false });
      const before = bytesUnder(t.server.dataDir);
      const record = await t.run(
        repo,
        'mkdir n; seq -f "n/%.0f.txt" 24000 | xargs touch; for f in n/*; do echo $f > $f; done',
      );
      const [changed, added, additions, deletions] = headerOf(record.change);
      t.equal('files in the header', [24_000, 24_000, 0], [changed, added, deletions]);
      const unread = record.rows.filter((file) => file.oversized).length;
      t.equal('lines counted, and rows that nobody read', 24_000, (additions ?? 0) + unread);
      t.equal('rows that nobody read are those past 20,000 new files', true, unread <= 4_000);
      t.equal('rows', 24_000, record.rows.length);
      t.gaps(record, ['patch_limit']);
      t.equal('rows in the summary', 500, record.change?.files.length);
      const grown = bytesUnder(t.server.dataDir) - before;
      t.equal('the data folder grew by less than 100 MB', true, grown < 100e6 || grown);
      const startedAt = performance.now();
      const page = await t.door.request('GET', `/runs/${record.run.id}`);
      t.equal('the page of the run', 200, page.status);
      const took = Math.round(performance.now() - startedAt);
      t.note(`the data folder grew by ${Math.round(grown / 1e6)} MB; the page came in ${took} ms`);
    },
  },
];

function headerOf(change: { changed_count: number; added_count: number; additions: number; deletions: number } | null) {
  return change ? [change.changed_count, change.added_count, change.additions, change.deletions] : [];
}
