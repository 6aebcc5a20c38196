/** `npm run conformance`: checks Tidemark's claim row by row, prints what it found, and writes it down. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun, prepareScratch, type Scratch } from './commands';
import { type Options, readOptions, USAGE } from './options';
import {
  type Circumstances,
  headLines,
  listLines,
  markdownReport,
  outcomeLines,
  type Screen,
  sectionLine,
  totalLine,
  totalsOf,
} from './report';
import { Runner } from './runner';
import { endEveryServer } from './server';
import type { Outcome, Section } from './situation';
import { SECTIONS } from './situations/table';

/** The project's folder: the bundle lies in its `dist`. */
const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

const screen: Screen = {
  columns: process.stdout.columns ?? 140,
  colour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
};

function chosenSections({ only, isQuick }: Options): Section[] {
  const known = new Set(SECTIONS.flatMap((section) => section.situations.map(({ id }) => id)));
  const unknown = only.find((id) => !known.has(id));
  if (unknown) throw new Error(`There is no row ${unknown}; --list names them all.`);
  return SECTIONS.map((section) => ({
    ...section,
    situations: section.situations.filter(({ id, isLarge }) =>
      only.length > 0 ? only.includes(id) : !(isQuick && isLarge),
    ),
  })).filter((section) => section.situations.length > 0);
}

async function circumstances(scratch: Scratch, version: string): Promise<Circumstances> {
  const git = await mustRun('git', ['--version'], { cwd: scratch.base, env: scratch.env });
  return {
    version,
    git: git.trim().replace(' version', ''),
    node: process.versions.node,
    system: `${platform()} ${release()} ${arch()}`,
    cores: cpus().length,
    day: new Date().toISOString().slice(0, 10),
  };
}

async function main(options: Options): Promise<number> {
  const sections = chosenSections(options);
  if (options.isList) {
    process.stdout.write(listLines(sections, screen));
    return 0;
  }
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-conformance-')));
  const cleanUp = () => {
    endEveryServer();
    if (!options.keep) rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on('exit', cleanUp);
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => process.exit(status));
  }

  const scratch = prepareScratch(base, process.env.PATH ?? '/usr/bin:/bin');
  const runner = new Runner({ project: PROJECT, scratch, keep: options.keep, isQuick: options.isQuick });
  const startedAt = performance.now();
  const { version } = await (await runner.sharedServer()).client.health();
  const about = await circumstances(scratch, version);
  process.stdout.write(headLines(about, screen));
  const outcomes: Outcome[] = [];
  for (const section of sections) {
    process.stdout.write(sectionLine(section, screen));
    for (const situation of section.situations) {
      if (screen.colour) process.stdout.write(`  · ${situation.id} …`);
      const outcome = await runner.run(section, situation);
      outcomes.push(outcome);
      process.stdout.write((screen.colour ? '\r\u001b[K' : '') + outcomeLines(outcome, screen));
    }
  }
  await runner.stop();
  const totals = totalsOf(outcomes);
  process.stdout.write(totalLine(totals, (performance.now() - startedAt) / 1000, screen));
  if (options.keep) process.stdout.write(`The folders are in ${base}\n`);
  if (options.json !== null)
    writeFileSync(options.json, `${JSON.stringify({ ...totals, rows: outcomes, about }, null, 2)}\n`);
  if (options.only.length === 0 && !options.isQuick) {
    const page = join(PROJECT, 'docs', 'conformance.md');
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, markdownReport(sections, outcomes, about));
    process.stdout.write(`The table is in ${page}\n`);
  }
  return totals.wrong === 0 ? 0 : 1;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.isHelp) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  process.exit(await main(options));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
