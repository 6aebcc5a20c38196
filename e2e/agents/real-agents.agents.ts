import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from 'playwright/test';
import { prepareScratch, type Scratch } from '../conformance/commands';
import { Server } from '../conformance/server';
import { letIn } from '../fixtures';
import { Repository } from '../support/repository';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model';
import { rowNames, SessionPage } from '../support/session-page';
import { type AgentSetup, SETUPS } from './agent-setups';
import { recordSeen } from './agents-page';
import { installAgent, isWanted } from './install-agent';

/** What the script `slow` runs: long, and nobody else's. */
const LONG_COMMAND = 'sleep 4711';

/** The five rows, whichever agent did it. */
const ROWS = [
  'added by-shell.txt, 1 addition',
  'deleted doomed.txt, 1 deletion',
  'modified hello.txt, 1 addition, 1 deletion',
  'renamed old-name.txt to new-name.txt, no line changes',
  'added new.txt, 1 addition',
];

let base: string;
let model: ScriptedModel;
let scratch: Scratch;

test.beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-agents-')));
  scratch = prepareScratch(base, process.env.PATH ?? '');
  model = await startScriptedModel();
});
test.afterEach(async () => {
  await model.close();
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
});

for (const setup of SETUPS.filter(isWanted)) {
  test(`${setup.name} ${setup.version} works in the browser chat, and the block says what it did`, async ({
    page,
    context,
  }) => {
    test.setTimeout(25 * 60_000);
    const agentsFile = agentsFileFor(setup, installAgent(setup));
    const start = () =>
      Server.start(process.cwd(), scratch, { dataDir: join(base, 'data'), env: { TIDEMARK_AGENTS: agentsFile } });
    let server = await start();
    const repository = Repository.create({
      'hello.txt': 'hello world\n',
      'doomed.txt': 'x\n',
      'old-name.txt': 'one\ntwo\nthree\nfour\n',
    });
    try {
      await letIn(context, server);
      const session = await openSession(page, server, repository.path);

      const sentAt = Date.now();
      await session.say(`SCRIPT:everything DIR:${repository.path} please`);
      const run = session.run(1);
      await expect(run.getByText('First I read')).toBeVisible();
      const firstWordMs = Date.now() - sentAt;
      const permissions = await allowUntilDone(session);

      // What happened on disk, told by git.
      expect(repository.read('hello.txt')).toBe('hello fake model\n');
      expect(repository.git('status', '--porcelain').trimEnd().split('\n').sort()).toEqual(
        [' D doomed.txt', ' D old-name.txt', ' M hello.txt', '?? by-shell.txt', '?? new-name.txt', '?? new.txt'].sort(),
      );
      // What the page says of it.
      const block = session.block(1);
      await expect(block).toHaveAccessibleName('Changed 5 files, run 1');
      const rows = await rowNames(block);
      expect([...rows].sort()).toEqual([...ROWS].sort());
      await expect(run.getByText('All done:')).toBeVisible();
      const cards = await checkCards(session, setup);

      const stopped = await stopInCommand(session, setup, repository.path);
      await server.stop();
      server = await start();
      await letIn(context, server);
      await page.goto(`${server.client.url}${new URL(page.url()).pathname}`);
      const resumed = await sayAgain(session, setup, repository.path);
      recordSeen({
        id: setup.id,
        version: setup.version,
        day: new Date().toISOString().slice(0, 10),
        node: process.versions.node,
        firstWordMs,
        permissions,
        cards,
        rows,
        stopped,
        resumed,
      });
    } finally {
      await server.stop();
      repository.remove();
    }
    // Nothing of the agent is left.
    expect(processesWith(`${setup.id}-${setup.version}`)).toEqual([]);
  });
}

function agentsFileFor(setup: AgentSetup, command: string): string {
  const home = join(base, 'agent-home');
  const temporary = join(base, 'agent-tmp');
  mkdirSync(home);
  mkdirSync(temporary);
  const env = { HOME: home, TMPDIR: temporary, ...setup.prepare({ home, modelUrl: model.url }) };
  const file = join(base, 'agents.json');
  writeFileSync(file, JSON.stringify({ agents: [{ id: setup.id, name: setup.name, command, args: setup.args, env }] }));
  return file;
}

async function openSession(page: Page, server: Server, workspace: string): Promise<SessionPage> {
  await page.goto(`${server.client.url}/sessions/new`);
  await page.getByLabel('Workspace folder').fill(workspace);
  await page
    .getByLabel('Agent')
    .selectOption({ index: (await page.getByLabel('Agent').locator('option').count()) - 1 });
  await page.getByRole('button', { name: 'Start session' }).click();
  const session = new SessionPage(page);
  await expect(session.message).toBeVisible();
  return session;
}

/** Answers every question with the first answer that allows once; returns how many there were. */
async function allowUntilDone(session: SessionPage): Promise<number> {
  const asked = session.page.getByRole('region', { name: 'Permission needed' });
  let answers = 0;
  for (;;) {
    if ((await session.stop.count()) === 0) return answers;
    if ((await asked.count()) === 0) {
      await session.page.waitForTimeout(100);
      continue;
    }
    const before = await session.timeline.getByText(/^Allowed /).count();
    await asked
      .first()
      .getByRole('button', { name: /^(Allow|Allow once|Yes)( 1| 2| 3)?$/ })
      .first()
      .click();
    await expect(session.timeline.getByText(/^Allowed /)).toHaveCount(before + 1);
    answers += 1;
  }
}

/** The edit's card shows what was applied; the failed command's card shows its exit code where the agent tells it. */
async function checkCards(session: SessionPage, setup: AgentSetup): Promise<number> {
  const run = session.run(1);
  const cards = run.locator('[data-status]');
  const edit = run.getByRole('button', { name: /^edit .*1 addition, 1 deletion/ }).first();
  await edit.click();
  const applied = run.getByRole('region', { name: 'Applied changes' }).first();
  await expect(applied.locator('tr', { hasText: 'hello fake model' })).toBeVisible();
  await expect(applied.locator('tr', { hasText: 'hello world' })).toBeVisible();
  if (setup.tellsExitCode) await expect(run.getByText('exit 3', { exact: true })).toBeVisible();
  return cards.count();
}

async function stopInCommand(session: SessionPage, setup: AgentSetup, folder: string): Promise<string> {
  if (!setup.runsLongCommands) return 'refuses to sleep';
  const run = await session.say(`SCRIPT:slow DIR:${folder} please`);
  const asked = session.page.getByRole('region', { name: 'Permission needed' });
  const card = run.getByRole('button', { name: new RegExp(`^run ${LONG_COMMAND}`) });
  await expect(card.or(asked).first()).toBeVisible();
  if (await asked.count())
    await asked
      .getByRole('button', { name: /^(Allow|Allow once|Yes)/ })
      .first()
      .click();
  await expect.poll(() => processesWith(LONG_COMMAND).length).toBeGreaterThan(0);
  await session.stop.click();
  await session.untilIdle();
  await expect(run.getByText(/stopped|cancelled/i).first()).toBeVisible();
  await expect.poll(() => processesWith(LONG_COMMAND)).toEqual([]);
  await expect(card).toHaveAccessibleName(/, (cancelled|failed|exit \d+)/);
  return 'yes';
}

async function sayAgain(session: SessionPage, setup: AgentSetup, folder: string): Promise<string> {
  // The page was opened anew: what was said before stands first.
  await expect(session.runs).toHaveCount(setup.runsLongCommands ? 2 : 1);
  const run = await session.say(`SCRIPT:again DIR:${folder} please`);
  await expect(run.getByText('I still know what we did.')).toBeVisible();
  await session.untilIdle();
  const isLost = (await run.getByText(/starts without the earlier conversation/).count()) > 0;
  if (setup.resumes !== null) expect(isLost).toBe(!setup.resumes);
  return isLost ? 'no, and it says so' : 'yes';
}

/** Command lines of processes that hold `text`, ours and `ps` itself left out. */
function processesWith(text: string): string[] {
  return execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !line.includes('ps -eo') && !line.includes(`${process.pid} `));
}
