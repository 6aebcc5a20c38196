/** Runs, time and the server's process (CONFORMANCE 3f). */
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { placesOfText } from '../data-folder';
import { lines } from '../place';
import { rowText } from '../row-text';
import type { Situation } from '../situation';
import type { Stage } from '../stage';

/** A tool call that names its files. */
const edit = (id: string, ...paths: string[]) => ({ tool_call_id: id, tool: 'Edit', kind: 'edit' as const, paths });

/** Waits until something holds on disk or over HTTP. */
async function until(what: string, holds: () => Promise<boolean> | boolean, seconds = 20): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what}: not after ${seconds} s`);
    await pause(50);
  }
}

export const runs: readonly Situation[] = [
  {
    id: 'R1',
    when: 'two runs overlap in one folder; A edits a, B edits b',
    says: 'A: a, and b as by another run; B: b',
    async steps(t) {
      const repo = (await t.repository({ a: '1\n', b: '1\n' })).watched({ apply: false });
      const first = await t.begin(repo, 'A');
      await first.call(edit('1', 'a'), () => appendFileSync(repo.at('a'), '2\n'));
      const second = await t.begin(repo, 'B');
      await second.call(edit('1', 'b'), () => appendFileSync(repo.at('b'), '2\n'));
      const b = await second.finish();
      t.rows(b, ['M b +1 −0 [tool]'], 'rows of B');
      t.equal('B overlaps', [first.run.id], b.change?.overlaps);
      const a = await first.finish();
      t.rows(a, ['M a +1 −0 [tool]', 'M b +1 −0 [other]'], 'rows of A');
      t.equal('A overlaps', [second.run.id], a.change?.overlaps);

      const [third, fourth] = [await t.begin(repo, 'A'), await t.begin(repo, 'B')];
      await third.call(edit('2', 'a'), () => appendFileSync(repo.at('a'), '3\n'));
      await fourth.call(edit('2', 'b'), () => appendFileSync(repo.at('b'), '3\n'));
      t.rows(await third.finish(), ['M a +1 −0 [tool]', 'M b +1 −0 [other]'], 'rows of A, entwined');
      t.rows(await fourth.finish(), ['M a +1 −0 [other]', 'M b +1 −0 [tool]'], 'rows of B, entwined');
      const alone = await t.begin(repo, 'A');
      t.equal('no overlap afterwards', undefined, (await alone.finish()).change?.overlaps);
    },
  },
  {
    id: 'R2',
    when: 'two runs edit the same file',
    says: 'both list it, marked shared',
    async steps(t) {
      const repo = (await t.repository({ a: '1\n', b: '1\n' })).watched({ apply: false });
      const [first, second] = [await t.begin(repo, 'A'), await t.begin(repo, 'B')];
      await first.call(edit('1', 'a'), () => appendFileSync(repo.at('a'), '2\n'));
      await second.call(edit('1', 'a'), () => appendFileSync(repo.at('a'), '3\n'));
      const [a, b] = [await first.finish(), await second.finish()];
      t.rows(a, ['M a +2 −0 [tool]'], 'rows of A');
      t.rows(b, ['M a +2 −0 [tool]'], 'rows of B');
      t.equal('marked shared', [[second.run.id], [first.run.id]], [a.change?.overlaps, b.change?.overlaps]);
    },
  },
  {
    id: 'R3',
    when: 'the user saves u while the agent works; no tool names u',
    says: "M u, not by the agent's tools",
    async steps(t) {
      const repo = await t.repository({ a: '1\n', u: '1\n', c: '1\n' });
      const run = await t.begin(repo);
      await run.call(edit('1', 'a'), () => appendFileSync(repo.at('a'), '2\n'));
      appendFileSync(repo.at('u'), 'mine\n');
      await run.call({ tool_call_id: '2', tool: 'Bash', kind: 'execute' }, () => repo.sh('echo 2 >> c'));
      const record = await run.finish();
      t.rows(record, ['M a +1 −0 [tool]', 'M c +1 −0', 'M u +1 −0 [other]']);
      t.equal(
        'calls',
        [['1'], ['2'], []],
        record.rows.map((file) => file.tool_call_ids),
      );
    },
  },
  {
    id: 'R4',
    when: 'kill −9 of the server in the middle of a run; started again',
    says: 'interrupted, no change, and the run says so; what it did is drift',
    async steps(t) {
      const server = await t.ownServer();
      const repo = await t.repository({ a: '1\n', b: '1\n' });
      t.rows(await t.run(repo, 'echo 2 >> b'), ['M b +1 −0']);
      const opened = await t.session(repo);
      const cut = await t.begin(repo);
      appendFileSync(repo.at('a'), 'lost\n');
      await server.kill();
      await t.ownServer({ dataDir: server.dataDir });
      const { run, change } = await t.door.readRun(cut.run.id);
      t.equal('status and change', ['interrupted', null], [run.status, change]);
      t.equal(
        'the run says why',
        true,
        /Tidemark stopped/.test(run.error ?? '') && /not recorded/.test(run.error ?? ''),
      );
      const next = await t.run(repo, 'echo 3 >> b');
      t.rows(next, ['M b +1 −0'], 'rows of the next run');
      const drift = await t.door.changes(next.run.session_id, 'drift');
      t.equal(
        'drift',
        ['M a +1 −0 [other]'],
        drift.flatMap((one) => one.files.map(rowText)),
      );
      t.equal(
        'runs listed before',
        [['M b +1 −0']],
        (await t.door.changes(opened.session.id)).map((one) => one.files.map(rowText)),
      );
    },
  },
  {
    id: 'R5',
    when: 'a run cancelled, a run failed; of an outside host and of the shell agent',
    says: 'the record, and the state',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      const cancelled = await t.begin(repo);
      appendFileSync(repo.at('a'), '2\n');
      const stopped = await cancelled.cancel();
      t.rows(stopped, ['M a +1 −0'], 'rows of the cancelled run');
      t.equal('status', 'cancelled', stopped.run.status);
      const failed = await t.begin(repo);
      appendFileSync(repo.at('a'), '3\n');
      const broken = await failed.finish({ status: 'failed', error: 'It broke.' });
      t.rows(broken, ['M a +1 −0'], 'rows of the failed run');
      t.equal('status and error', ['failed', 'It broke.'], [broken.run.status, broken.run.error]);
      const exited = await t.runByShell(repo, 'echo 4 >> a; exit 3');
      t.rows(exited, ['M a +1 −0'], 'rows of the command that failed');
      t.equal('status', 'failed', exited.run.status);
      const ended = await t.runByShell(repo, 'echo 5 >> a; : > .git/begun; exec sleep 600', async (runId) => {
        await until('the command writes', () => existsSync(repo.at('.git/begun')));
        await t.door.cancelRun((await t.door.readRun(runId)).run);
      });
      t.rows(ended, ['M a +1 −0'], 'rows of the command that was stopped');
      t.equal('status', 'cancelled', ended.run.status);
    },
  },
  {
    id: 'R6',
    when: "a subagent writes after its parent's turn has ended",
    says: 'between the runs, never in the next one',
    async steps(t) {
      const repo = await t.repository({ a: '1\n' });
      t.rows(await t.run(repo, 'echo 2 >> a'), ['M a +1 −0']);
      appendFileSync(repo.at('late'), 'by a subagent\n');
      const next = await t.run(repo, 'echo 3 >> a');
      t.rows(next, ['M a +1 −0']);
      const drift = await t.changes(repo, 'drift');
      t.equal(
        'drift',
        ['A late +1 −0 [other]'],
        drift.flatMap((one) => one.files.map(rowText)),
      );
      t.equal(
        'drift before the next run',
        [`drift:${next.run.id}`],
        drift.map((one) => one.change_id),
      );
      await t.runByShell(repo, 'echo 4 >> a; setsid sh -c "sleep 0.7; echo late >> later" >/dev/null 2>&1 &');
      await until('the command in the background writes', () => existsSync(repo.at('later')));
      await pause(200);
      t.rows(
        await t.runByShell(repo, 'echo 5 >> a'),
        ['M a +1 −0'],
        'rows of the run after a command in the background',
      );
    },
  },
  {
    id: 'R7',
    when: '1,000 runs (120 by --quick) where 50 are kept; then a budget of bodies that is too small',
    says: 'the oldest are gone or say expired; nothing fails',
    steps: (t) => manyRuns(t, t.isQuick ? 120 : 1000),
  },
  {
    id: 'R8',
    when: 'the session deleted',
    says: 'rows, patches, bodies and shares gone',
    async steps(t) {
      const phrase = 'a text that was in one run alone: 4fQz7Lk2';
      const server = await t.ownServer();
      const repo = await t.repository({ a: '1\n' });
      const record = await t.run(repo, `echo '${phrase}' > only-in-this-run`);
      await t.run(repo, 'rm only-in-this-run; echo 2 >> a');
      const [file] = record.rows;
      if (!record.change || !file) return;
      const shared = await t.door.share(record.run.id);
      if (shared === null) t.note('share pages: later');
      else t.equal('the share before', 200, (await t.door.anonymous(shared.path)).status);
      const kept = await placesOfText(server.dataDir, phrase, t.scratch);
      t.equal('deleting', 204, await t.door.deleteSession(record.run.session_id));
      const change = t.door.changePath(record.change);
      const row = t.door.filePath(record.change, file);
      const paths = [
        `/api/sessions/${record.run.session_id}`,
        `/api/sessions/${record.run.session_id}/timeline`,
        `/api/runs/${record.run.id}`,
        change,
        `${change}/files`,
        `${change}/patch`,
        row,
        `${row}/comparison`,
        `${row}/content?side=after`,
      ];
      for (const path of paths) t.equal(`GET ${path}`, 404, (await t.door.request('GET', path)).status);
      if (shared !== null) t.equal('the share', 404, (await t.door.anonymous(shared.path)).status);
      t.equal('the file', '1\n2\n', repo.read('a').toString());
      await server.stop();
      t.equal('the data folder holds what one may look for', true, kept.length > 0);
      const again = await t.ownServer({ dataDir: server.dataDir });
      let left: string[] = [];
      const gone = async () => {
        left = await placesOfText(again.dataDir, phrase, t.scratch);
        return left.length === 0;
      };
      await until('bodies go', gone, 40).catch(() => t.equal('what still holds the deleted text', [], left));
    },
  },
  {
    id: 'R11',
    when: 'a run reverts what the one before did',
    says: 'each card keeps its own truth',
    async steps(t) {
      const repo = await t.repository({ a: lines(4) });
      const first = await t.run(repo, 'echo 5 >> a; echo 1 > n');
      t.rows(first, ['M a +1 −0', 'A n +1 −0']);
      const second = await t.run(repo, 'git checkout -q a; rm n');
      t.rows(second, ['M a +0 −1', 'D n +0 −1']);
      t.equal('the first card', first.change, first.change && (await t.door.change(first.change)));
      const [sum] = [
        [first, second].reduce((net, { change }) => net + (change?.additions ?? 0) - (change?.deletions ?? 0), 0),
      ];
      t.equal('net of both', 0, sum);
    },
  },
];

/** Many runs in one session, then the upkeep that a start brings, twice. */
async function manyRuns(t: Stage, count: number): Promise<void> {
  const kept = 50;
  const server = await t.ownServer({ env: { TIDEMARK_LIMIT_RETENTION_RUNS: String(count) } });
  const repo = (await t.repository({ a: '1\n' })).watched({ imprint: 'nothing', apply: false });
  const { session, client } = await t.session(repo);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const run = await client.startOutsideRun(session.id, `run ${at}`);
    appendFileSync(repo.at('a'), `${at}\n`);
    const { change } = await client.completeRun(run, {});
    if (change?.additions !== 1) t.equal(`additions of run ${at}`, 1, change?.additions);
    ids.push(run.id);
  }
  t.equal('runs listed', count, (await client.changes(session.id)).length);
  await server.stop();
  const trimmed = await t.ownServer({ dataDir: server.dataDir, env: { TIDEMARK_LIMIT_RETENTION_RUNS: String(kept) } });
  await until('retention', async () => (await t.door.changes(session.id)).length <= kept, 60);
  const left = await t.door.changes(session.id);
  t.equal(
    'the newest are kept',
    ids.slice(-kept),
    left.map((change) => change.run_id),
  );
  const api = await t.door.request('GET', `/api/runs/${ids[0]}`);
  t.equal('the oldest over HTTP: gone or expired', true, [404, 410].includes(api.status) || api.status);
  const page = await t.door.request('GET', `/runs/${ids[0]}`);
  t.equal('the page of the oldest is not broken', true, page.status < 500 || page.status);
  await trimmed.stop();
  await t.ownServer({
    dataDir: server.dataDir,
    env: { TIDEMARK_LIMIT_RETENTION_RUNS: String(kept), TIDEMARK_LIMIT_RETENTION_BYTES: '1' },
  });
  const [oldest] = left;
  const [file] = oldest?.files ?? [];
  if (!oldest || !file) return;
  await until('bodies expire', async () => (await t.door.file(oldest, file)).expired, 60);
  const row = t.door.filePath(oldest, file);
  for (const path of [`${row}/comparison`, `${row}/content?side=after`, `${t.door.changePath(oldest)}/patch`]) {
    t.equal(`GET ${path}`, 410, (await t.door.request('GET', path)).status);
  }
  t.equal('the row stays', 'M a +1 −0', rowText(file));
  t.equal('the page of a run that expired', 200, (await t.door.request('GET', `/runs/${oldest.run_id}`)).status);
  // Its bodies may be gone before anybody reads them, so the record alone is looked at.
  const open = await t.session(repo);
  const last = await open.client.startOutsideRun(open.session.id, 'after it');
  appendFileSync(repo.at('a'), 'more\n');
  const { change } = await open.client.completeRun(last, {});
  t.equal('rows of a run after it', ['M a +1 −0'], change?.files.map(rowText));
}
