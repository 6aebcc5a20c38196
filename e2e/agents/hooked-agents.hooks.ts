import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'playwright/test';
import { finished } from '@/lib/testing/command-line';
import type { WireRun } from '../conformance/client';
import { prepareScratch, type Scratch } from '../conformance/commands';
import { Server } from '../conformance/server';
import { Repository } from '../support/repository';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model';
import { tidemarkFor } from '../terminals/fixtures';
import { clockPlugin, clockScript, medians, readTimes } from './hook-times';
import { HOOKED } from './hooked-setups';
import { recordHooked } from './hooks-page';
import { installAgent, isWanted } from './install-agent';

/** The five rows, whichever agent did it. */
const ROWS = [
  'added by-shell.txt +1 -0 command',
  'added new.txt +1 -0 tool',
  'deleted doomed.txt +0 -1 command',
  'modified hello.txt +1 -1 tool',
  'renamed new-name.txt +0 -0 command',
];

let base: string;
let model: ScriptedModel;
let scratch: Scratch;
let server: Server;

test.beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-hooked-')));
  scratch = prepareScratch(base, process.env.PATH ?? '');
  model = await startScriptedModel();
  server = await Server.start(process.cwd(), scratch, { dataDir: join(base, 'data') });
});
test.afterEach(async () => {
  await server.stop();
  await model.close();
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
});

for (const { agent, setup, args, env: more } of HOOKED.filter(isWanted)) {
  test(`${setup.name} ${setup.version} in a terminal, with the installed hooks, makes one run with what it did`, async () => {
    test.setTimeout(25 * 60_000);
    const program = installAgent(setup as Parameters<typeof installAgent>[0]);
    const home = join(base, 'agent-home');
    const temporary = join(base, 'agent-tmp');
    for (const folder of [home, temporary]) mkdirSync(folder);
    const env = {
      ...scratch.env,
      HOME: home,
      TMPDIR: temporary,
      ...setup.prepare({ home, modelUrl: model.url }),
      ...more,
    };
    const tidemark = tidemarkFor(join(base, 'data'), scratch, home);
    const installed = await tidemark.run(['hooks', 'install', agent, '--json'], {
      env: { CODEX_HOME: join(home, '.codex') },
    });
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    const { hooks } = JSON.parse(installed.stdout) as { hooks: { file: string }[] };
    const log = join(base, 'times');
    if (agent === 'opencode') clockPlugin(hooks[0]?.file ?? '', log);
    else clockScript(tidemark.dataDir, agent, log);

    const repository = Repository.create({
      'hello.txt': 'hello world\n',
      'doomed.txt': 'x\n',
      'old-name.txt': 'one\ntwo\nthree\nfour\n',
    });
    try {
      const prompt = `SCRIPT:everything DIR:${repository.path} please`;
      const child = spawn(program, args(prompt), {
        cwd: repository.path,
        env: env as unknown as NodeJS.ProcessEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const result = await finished(child);
      // What happened on disk, told by git.
      expect(
        repository.git('status', '--porcelain').trimEnd().split('\n').sort(),
        `${result.stdout}\n${result.stderr}`,
      ).toEqual(
        [' D doomed.txt', ' D old-name.txt', ' M hello.txt', '?? by-shell.txt', '?? new-name.txt', '?? new.txt'].sort(),
      );
      // What Tidemark says of it.
      const runs = async () => {
        const { bytes } = await server.client.request('GET', '/api/runs');
        return (JSON.parse(Buffer.from(bytes).toString()) as { runs: WireRun[] }).runs;
      };
      await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(['completed']);
      const [run] = await runs();
      expect(run).toMatchObject({
        workspace: repository.path,
        prompt: expect.stringContaining(prompt),
        external: true,
        baseline: 'ready',
      });
      const { change } = await server.client.readRun(run?.id ?? '');
      const rows = (change?.files ?? []).map(
        (file) => `${file.change_type} ${file.path} +${file.additions} -${file.deletions} ${file.origin}`,
      );
      expect(rows.toSorted()).toEqual(ROWS);
      const answer = Buffer.from((await server.client.request('GET', `/api/runs/${run?.id}`)).bytes).toString();
      expect(JSON.parse(answer).messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);
      expect(JSON.parse(answer).messages[1].text).toContain('All done');
      const status = await tidemark.run(['hooks', 'status', agent, '--json'], {
        env: { CODEX_HOME: join(home, '.codex') },
      });
      expect(JSON.parse(status.stdout).hooks[0]).toMatchObject({ problem: null, last_event_at: expect.any(Number) });

      recordHooked({
        agent,
        version: setup.version,
        day: new Date().toISOString().slice(0, 10),
        node: process.versions.node,
        rows,
        events: medians(readTimes(log)),
      });
    } finally {
      repository.remove();
    }
  });
}
