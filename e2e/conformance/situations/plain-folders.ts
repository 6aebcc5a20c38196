/** Folders without git (CONFORMANCE 3e). */
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { lines, Place } from '../place';
import type { Situation } from '../situation';

export const plainFolders: readonly Situation[] = [
  {
    id: 'F1',
    when: 'bin/cli.js, out/x, vendor/y and notes.md edited',
    says: 'four rows',
    async steps(t) {
      const folder = t.folder({
        'bin/cli.js': '1\n',
        'out/x': '1\n',
        'vendor/y': '1\n',
        'notes.md': '1\n',
        'tmp/t': '1\n',
        'log/l': '1\n',
        'deps/d': '1\n',
      });
      const record = await t.run(
        folder,
        'for f in bin/cli.js out/x vendor/y notes.md tmp/t log/l deps/d; do echo 2 >> $f; done',
      );
      t.rows(record, [
        'M bin/cli.js +1 −0',
        'M deps/d +1 −0',
        'M log/l +1 −0',
        'M notes.md +1 −0',
        'M out/x +1 −0',
        'M tmp/t +1 −0',
        'M vendor/y +1 −0',
      ]);
      t.equal('kind of workspace', 'filesystem', record.change?.workspace_kind);
      t.gaps(record, []);
      // What the defaults leave out is no secret.
      folder.write('node_modules/p/index.js', '1\n');
      folder.write('build/b', '1\n');
      const skipped = await t.run(folder, 'echo 2 >> node_modules/p/index.js; echo 2 >> build/b; echo 3 >> notes.md');
      t.rows(skipped, ['M notes.md +1 −0']);
      t.gaps(skipped, ['skipped_by_default']);
    },
  },
  {
    id: 'F2',
    when: 'files added, deleted, renamed (20 lines), made executable, linked, emptied',
    says: 'A, D, R, mode 644 → 755',
    by: ['host', 'announcing host', 'shell agent'],
    async steps(t) {
      const folder = t.folder({
        gone: lines(2),
        old: lines(20),
        'run.sh': '1\n',
        'x.bin': Buffer.from([0, 1]),
        full: '1\n',
        t: 't\n',
      });
      await folder.sh('chmod 644 run.sh; ln -s gone link');
      const record = await t.run(
        folder,
        "echo new > new; rm gone; mv old renamed; chmod +x run.sh; printf '\\0\\0\\0' > x.bin; : > full; ln -sfn full link; rm t; mkdir t; echo y > t/x; : > empty",
      );
      t.rows(record, [
        'A empty +0 −0 empty',
        'M full +0 −1',
        'D gone +0 −2',
        'M link +1 −1 link',
        'A new +1 −0',
        'R old → renamed +0 −0',
        'M run.sh +0 −0 mode 644 → 755',
        'D t +0 −1',
        'A t/x +1 −0',
        'M x.bin binary',
      ]);
      t.rows(await t.run(folder, 'echo 2 >> renamed; mv renamed again'), ['R renamed → again +1 −0']);
      t.rows(await t.run(folder, 'touch new again; echo x > n; rm n'), []);
      t.rows(await t.run(folder, "printf '2\\n' > new"), ['M new +1 −1']);
    },
  },
  {
    id: 'F4',
    when: '200 MB of text; one small file edited',
    says: 'its row; memory stays bounded',
    isLarge: true,
    async steps(t) {
      const folder = t.folder({ small: '1\n' }).watched({ apply: false });
      const line = `${'x'.repeat(99)}\n`;
      for (let at = 0; at < 20; at += 1) folder.write(`big/${at}.txt`, `${at}\n${line.repeat(100_000)}`);
      for (let at = 0; at < 400; at += 1) folder.write(`many/${at}.txt`, `${at}\n${line.repeat(20)}`);
      const server = await t.ownServer();
      await t.run(folder, 'true');
      const before = await server.memory();
      const record = await t.run(folder, 'echo 2 >> small; echo more >> big/7.txt');
      t.rows(record, ['M big/7.txt too large', 'M small +1 −0']);
      const grown = (await server.memory()) - before;
      t.equal('the server grew by less than 150 MB', true, grown < 150e6 || grown);
      t.note(`the server grew by ${Math.max(0, Math.round(grown / 1e6))} MB`);
    },
  },
  {
    id: 'F5',
    when: '.gitignore there, no .git; ignored files changed and made',
    says: 'rows, marked ignored',
    async steps(t) {
      const folder = t.folder({ '.gitignore': '.env\n*.local\ncache/\n', '.env': 'A=1\n', 'cache/x': '1\n', a: '1\n' });
      const record = await t.run(folder, 'echo B=2 >> .env; echo 1 > app.local; echo 2 >> cache/x; echo 2 >> a');
      t.rows(record, ['M .env +1 −0 ignored', 'M a +1 −0', 'A app.local +1 −0 ignored']);
    },
  },
  {
    id: 'F8',
    when: 'the workspace is the home folder, /, or the temporary folder; one file edited by a tool',
    says: "the tool's row from its capture; gap whole_folder_off",
    async steps(t) {
      const home = t.folder({ 'work/n.txt': '1\n' }, 'home');
      await t.ownServer({ env: { HOME: home.path } });
      const temporary = realpathSync(tmpdir());
      for (const root of [home.path, '/', temporary]) {
        const place = new Place(root, root, false, t.scratch).watched({ imprint: 'nothing', apply: false });
        const path = home.at(`work/${root.length}.txt`);
        mkdirSync(home.at('work'), { recursive: true });
        writeFileSync(path, '1\n');
        const run = await t.begin(place);
        await run.call({ tool_call_id: 'edit', tool: 'Edit', kind: 'edit', paths: [path] }, () =>
          appendFileSync(path, '2\n'),
        );
        writeFileSync(home.at('work/by-a-command.txt'), 'nobody looks\n');
        const record = await run.finish();
        const inside = path.slice(root === '/' ? 1 : root.length + 1);
        t.rows(record, [`M ${inside} +1 −0 [tool]`], `rows of ${root}`);
        t.equal(
          `evidence of ${root}`,
          [['capture']],
          record.rows.map((file) => file.evidence),
        );
        t.gaps(record, ['whole_folder_off']);
        const idle = await t.begin(place);
        const nothing = await idle.finish();
        t.equal(`rows of a run in ${root} that did nothing`, 0, nothing.rows.length);
        t.gaps(nothing, ['whole_folder_off']);
      }
    },
  },
];
