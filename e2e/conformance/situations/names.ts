/** Names of every kind (CONFORMANCE 3d): each is created, edited, renamed away and renamed back. */
import { appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { comparePaths, writePath } from '@/lib/domain/workspace';
import type { Place } from '../place';
import type { Situation } from '../situation';
import type { Stage } from '../stage';

/** A name as text, or as bytes where it is none. */
type Name = string | Buffer;

const bytesOf = (name: Name): Buffer => Buffer.from(name);
const fullPath = (place: Place, name: Name) => Buffer.concat([Buffer.from(`${place.path}/`), bytesOf(name)]);
const written = (name: Name) => writePath(bytesOf(name)).path;

/** Lines of which no two files have one in common. */
const contentOf = (at: number) => Array.from({ length: 12 }, (_, line) => `file ${at} line ${line}\n`).join('');

/**
 * Creates, edits, renames and renames back files of these names, in a repository and in a plain folder; a quick run takes
 * one of the two, so that both are seen over all rows.
 */
async function liveThrough(t: Stage, names: readonly Name[]): Promise<void> {
  const both = [await t.repository({ 'neighbour.txt': '1\n' }), t.folder({ 'neighbour.txt': '1\n' })];
  for (const place of t.isQuick ? both.slice(names.length % 2, (names.length % 2) + 1) : both) {
    const where = place.isGit ? 'in a repository' : 'in a plain folder';
    const expect = (rows: readonly { path: string; text: string }[]) =>
      [...rows].sort((a, b) => comparePaths(a.path, b.path)).map(({ text }) => text);
    const made = await t.run(place, () => {
      for (const [at, name] of names.entries()) {
        const path = fullPath(place, name);
        const slash = path.lastIndexOf(0x2f);
        mkdirSync(path.subarray(0, slash), { recursive: true });
        writeFileSync(path, contentOf(at));
      }
    });
    const rows = (text: (path: string, at: number) => string, pathOf = (name: Name, _: number) => written(name)) =>
      expect(names.map((name, at) => ({ path: pathOf(name, at), text: text(written(name), at) })));
    t.rows(
      made,
      rows((path) => `A ${path} +12 −0`),
      `created ${where}`,
    );
    for (const file of made.rows) t.equal(`${file.path} is quoted`, isQuoted(names, file.path), file.path_quoted);

    const edited = await t.run(place, () => {
      for (const name of names) appendFileSync(fullPath(place, name), 'more\n');
    });
    t.rows(
      edited,
      rows((path) => `M ${path} +1 −0`),
      `edited ${where}`,
    );

    const plain = (at: number) => `renamed/${String(at).padStart(3, '0')}`;
    const away = await t.run(place, () => {
      mkdirSync(place.at('renamed'));
      for (const [at, name] of names.entries()) renameSync(fullPath(place, name), place.at(plain(at)));
    });
    t.rows(
      away,
      rows(
        (path, at) => `R ${path} → ${plain(at)} +0 −0`,
        (_, at) => plain(at),
      ),
      `renamed ${where}`,
    );

    const back = await t.run(place, () => {
      for (const [at, name] of names.entries()) renameSync(place.at(plain(at)), fullPath(place, name));
    });
    t.rows(
      back,
      rows((path, at) => `R ${plain(at)} → ${path} +0 −0`),
      `renamed back ${where}`,
    );

    // A file tool names them too: by the same path as the snapshots do.
    const text = names.filter((name): name is string => typeof name === 'string');
    const run = await t.begin(place, 'tools');
    await run.call({ tool_call_id: 'call/1: %2F', tool: 'Write', kind: 'edit', paths: text }, () => {
      for (const name of text) appendFileSync(fullPath(place, name), 'by a tool\n');
    });
    const named = await run.finish();
    t.rows(
      named,
      expect(text.map((name) => ({ path: written(name), text: `M ${written(name)} +1 −0 [tool]` }))),
      `edited by a tool ${where}`,
    );
    const page = await t.door.request('GET', `/runs/${made.run.id}`);
    t.equal('the page of the run', 200, page.status);
  }
}

function isQuoted(names: readonly Name[], path: string): boolean {
  const found = names.find((name) => written(name) === path);
  return found !== undefined && writePath(bytesOf(found)).quoted;
}

export const names: readonly Situation[] = [
  {
    id: 'P1',
    when: 'Japanese names, é composed and decomposed, emoji, tabs, newlines, quotes, bytes that are no UTF-8',
    says: 'the exact name; two different files stay two',
    async steps(t) {
      await liveThrough(t, [
        '日本語/ファイル.txt',
        '\u00e9.txt',
        'e\u0301.txt',
        'emoji 👩‍👩‍👧.md',
        'tab\there',
        'line\nbreak',
        '"quoted"',
        'back\\slash',
        'bell\u0007',
        '\ufeffbom',
        'replacement \ufffd',
        Buffer.from([0x6c, 0x61, 0x74, 0xe9, 0x6e]),
        Buffer.from([0xff, 0xfe, 0x2f, 0x80]),
      ]);
    },
  },
  {
    id: 'P3',
    when: 'app/[id]/page.tsx next to app/i/page.tsx, *.txt next to a.txt, :(top)x, !x, {a,b}, ?.c',
    says: 'only the named one',
    async steps(t) {
      const special = [
        'app/[id]/page.tsx',
        '*.txt',
        ':(top)x',
        '!x',
        '{a,b}.ts',
        '?.c',
        ':/y',
        '[!a].md',
        '**/z',
        '\\*.txt',
      ];
      const beside = [
        'app/i/page.tsx',
        'app/d/page.tsx',
        'a.txt',
        'x',
        'a.ts',
        'b.ts',
        'd.c',
        'y',
        'b.md',
        'q/z',
        '*x.txt',
      ];
      for (const place of [await t.repository(), t.folder()]) {
        for (const name of [...special, ...beside]) place.write(name, `${name}\n`);
        if (place.isGit) await place.sh('git add -A; git commit -qm all; echo 1 > wip');
        for (const name of special) {
          t.rows(
            await t.run(place, () => appendFileSync(place.at(name), 'more\n')),
            [`M ${name} +1 −0`],
            `rows of ${name}`,
          );
        }
      }
      await liveThrough(t, special);
    },
  },
  {
    id: 'P4',
    when: '-n, --help, ..dots.txt, ..., a#b?c%20d&e, $&.txt, $$, a`b, spaces at the ends, 255 bytes, 12 folders deep',
    says: 'exact; the link to the page works',
    async steps(t) {
      await liveThrough(t, [
        '-n',
        '--help',
        '--',
        '..dots.txt',
        '...',
        'a#b?c%20d&e',
        '%2e%2e',
        '$&.txt',
        '$$',
        "$'.txt",
        'a`b',
        "it's",
        ' leading',
        'trailing ',
        'a  b',
        'semi;colon',
        'pipe|',
        '~',
        '@{u}',
        'HEAD',
        'n'.repeat(255),
        `${'deep/'.repeat(12)}file`,
      ]);
    },
  },
  {
    id: 'P6',
    when: 'a rename of case alone: A.ts → a.ts',
    says: 'R on a disk that tells case',
    async steps(t) {
      const repo = await t.repository({ 'A.ts': contentOf(1), 'B.ts': contentOf(2) });
      if (existsSync(repo.at('a.TS'))) t.skip('this disk does not tell case');
      t.rows(await t.run(repo, 'mv A.ts a.ts'), ['R A.ts → a.ts +0 −0']);
      t.rows(await t.run(repo, 'git mv B.ts b.ts; echo more >> b.ts'), ['R B.ts → b.ts +1 −0']);
      await liveThrough(t, ['README', 'readme', 'Readme', 'src/X', 'SRC/x']);
    },
  },
  {
    id: 'P8',
    when: '__proto__, constructor, <img src=x onerror=…>.ts, right-to-left override',
    says: 'text alone, the exact name',
    async steps(t) {
      const image = '<img src=x onerror=alert(1)>.ts';
      await liveThrough(t, [
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        '__proto__x/__proto__',
        image,
        '"><script>x<',
        'invoice\u202etxt.js',
        'zero\u200bwidth',
        '{{7*7}}',
        '\u0024{x}',
      ]);
      const repo = await t.repository();
      const record = await t.run(repo, () => writeFileSync(repo.at(image), '1\n'));
      const page = Buffer.from((await t.door.request('GET', `/runs/${record.run.id}`)).bytes).toString();
      t.equal('the page holds the name as text alone', false, page.includes('<img src=x'));
    },
  },
  {
    id: 'P9',
    when: 'nul, con.txt, aux, names that other systems reserve',
    says: 'ordinary rows',
    async steps(t) {
      await liveThrough(t, ['nul', 'con.txt', 'aux', 'com1', 'a:b', 'dot.', 'q?', 'git', '.gitx', 'sub/.GIT-not']);
    },
  },
];
