/** Measures the review page in a browser against the built server, beside two peers on the same patches; writes docs/bench-ui.md. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { systemBrowser } from '../e2e/support/system-browser.mjs';
import { measureClick, measureScroll, median, PROBE } from './ui/measure.mjs';
import { twoSides } from './ui/patches.mjs';
import { servePeers } from './ui/peers.mjs';

const options = new Map(process.argv.slice(2).map((option) => option.replace(/^--/, '').split('=')));
const RUNS = Number(options.get('runs') ?? 5);
const SIZES = (options.get('sizes') ?? '1000,5000,20000').split(',').map(Number);
/** How many times slower the page's processor is made while scrolling is measured: Chromium's presets for phones. */
const SLOWDOWNS = [1, 4, 6];
const MIB = 1024 * 1024;
const CHROMIUM = systemBrowser();

if (!existsSync('dist/serve.mjs')) throw new Error('Build first: npm run build');
const scratch = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const token = 'a-token-of-the-benchmark';

/** A server of the benchmark's own; patches are kept whole, so that every variant draws the same lines. */
async function startServer() {
  const child = spawn(process.execPath, ['dist/serve.mjs'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      TIDEMARK_PORT: '0',
      TIDEMARK_DATA_DIR: join(scratch, 'data'),
      TIDEMARK_TOKEN: token,
      TIDEMARK_LIMIT_PATCH_BYTES: String(16 * MIB),
      TIDEMARK_LIMIT_CHANGE_PATCH_BYTES: String(64 * MIB),
      TIDEMARK_LIMIT_LISTING_BYTES: String(128 * MIB),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Whatever ends the measuring.
  process.once('exit', () => {
    child.kill();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server did not start')));
    child.stdout.on('data', (data) => {
      const found = /http:\/\/[^/\s]+/.exec(String(data));
      if (found) resolve(found[0]);
    });
  });
  return { child, url };
}

async function call(url, path, body) {
  const response = await fetch(url + path, {
    method: 'POST',
    // Not kept open: writing 24,000 files takes longer than a server keeps a silent connection.
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function git(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], {
    cwd: folder,
    maxBuffer: 256 * MIB,
  });
  if (status !== 0) throw new Error(String(stderr));
  return String(stdout);
}

/** Records one run that turns every file's first text into its second. Answers the run's id and git's patch of each file. */
async function recordRun(url, name, files) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  git(folder, 'init', '--quiet');
  for (const [path, { before }] of files) if (before !== null) writeFileSync(join(folder, path), before);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=before');
  const { session } = await call(url, '/api/sessions', { workspace: folder });
  const { run } = await call(url, `/api/sessions/${session.id}/runs`, { external: true, prompt: name });
  for (const [path, { after }] of files) writeFileSync(join(folder, path), after);
  await call(url, `/api/sessions/${session.id}/runs/${run.id}/complete`, {});
  git(folder, 'add', '--intent-to-add', '--all');
  const patches = new Map();
  if (files.size < 50)
    for (const path of files.keys()) patches.set(path, git(folder, 'diff', '--no-color', '--', path));
  return { runId: run.id, patches };
}

const TIDEMARK = {
  name: 'Tidemark',
  painted: "() => document.querySelectorAll('tr.diff-line').length > (probe.few ? 1 : 30)",
  coloured: "() => document.querySelector('td.diff-code span[class]') !== null",
};
const PIERRE = {
  name: '@pierre/diffs',
  painted: "() => probe.all().filter((element) => element.hasAttribute('data-line')).length > (probe.few ? 1 : 30)",
  coloured:
    "() => probe.all().some((element) => element.tagName === 'SPAN' && element.closest('[data-line]') && /color|--diffs/.test(element.getAttribute('style') ?? ''))",
};
const TABLE = { name: 'a table by hand', painted: "() => document.querySelectorAll('tr').length > 1", coloured: null };

async function main() {
  const server = await startServer();
  const files = new Map(SIZES.map((size) => [`p${size}.ts`, twoSides(size)]));
  const line = (letter) => `start();\n${`${letter} = 1;`.repeat(83_000)}\n`;
  files.set('long.js', { before: line('x'), after: line('y') });
  const { runId, patches } = await recordRun(server.url, 'patches', files);
  const many = new Map(Array.from({ length: 24_000 }, (_, at) => [`f${at}.txt`, { before: null, after: `${at}\n` }]));
  const huge = await recordRun(server.url, 'files', many);
  const empty = await recordRun(server.url, 'empty', new Map());
  const peers = await servePeers(patches);
  const browser = await chromium.launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
    args: ['--no-sandbox', '--js-flags=--expose-gc'],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, colorScheme: 'light' });
  await context.addInitScript(PROBE);
  const enter = await context.newPage();
  await enter.goto(`${server.url}/?token=${token}`);
  await enter.close();

  const open = async (variant, path) => {
    const page = await context.newPage();
    const own = variant === TIDEMARK;
    const button = own ? `[data-row="${path}"]` : '#open';
    const address = `/patches/${path}`;
    await page.goto(
      own
        ? `${server.url}/runs/${runId}`
        : `${peers.url}/${variant === PIERRE ? 'pierre' : 'table'}?patch=${address}&coloured=1`,
    );
    await page.locator(button).hover();
    // What is loaded ahead is loaded in all of them; the click alone is measured.
    await page.waitForTimeout(800);
    await page.evaluate((few) => {
      probe.few = few;
    }, path === 'long.js');
    return { page, button };
  };

  /** Figures of one variant on one patch: medians over the runs, the variants in turn. */
  const figures = new Map();
  for (const path of files.keys()) {
    const all = new Map([TIDEMARK, PIERRE, TABLE].map((variant) => [variant, []]));
    for (let run = 0; run < RUNS; run += 1) {
      for (const variant of all.keys()) {
        const { page, button } = await open(variant, path);
        const { painted, coloured } = variant;
        all
          .get(variant)
          .push(await measureClick(page, { button, painted, coloured: path === 'long.js' ? null : coloured }));
        await page.close();
      }
    }
    for (const [variant, runs] of all) {
      const of = (name) => median(runs.map((run) => run[name] ?? 0));
      const row = {
        paint: of('paint'),
        colour: of('colour'),
        cpu: of('cpu'),
        longest: of('longest'),
        nodes: of('nodes'),
        nodesColoured: of('nodesColoured'),
      };
      figures.set(`${variant.name} ${path}`, row);
      console.log(JSON.stringify({ variant: variant.name, patch: path, ...rounded(row) }));
    }
  }
  const figure = (variant, path) => figures.get(`${variant.name} ${path}`);

  const largest = `p${SIZES.at(-1)}.ts`;
  /** Frames a second, by slowdown and variant. */
  const frames = new Map();
  for (const slowdown of SLOWDOWNS) {
    const all = new Map([TIDEMARK, PIERRE].map((variant) => [variant, []]));
    for (let run = 0; run < Math.max(3, Math.floor(RUNS / 2)); run += 1) {
      for (const [variant, runs] of all) {
        const { page, button } = await open(variant, largest);
        // Coloured rows against coloured rows.
        await measureClick(page, { button, painted: variant.painted, coloured: variant.coloured });
        await page.waitForTimeout(1000);
        runs.push(await measureScroll(page, { slowdown }));
        await page.close();
      }
    }
    const fps = ([variant, runs]) => [variant, median(runs.map((run) => run.fps))];
    frames.set(slowdown, new Map([...all].map(fps)));
    for (const [variant, runs] of all)
      console.log(JSON.stringify({ variant: variant.name, slowdown, runs: runs.map(rounded) }));
  }

  const pageTime = async (id, selector) => {
    const times = [];
    for (let run = 0; run < RUNS; run += 1) {
      const page = await context.newPage();
      const start = performance.now();
      await page.goto(`${server.url}/runs/${id}`, { waitUntil: 'commit' });
      await page.locator(selector).first().waitFor();
      times.push(performance.now() - start);
      await page.close();
    }
    return median(times);
  };
  const emptyPage = await pageTime(empty.runId, 'h1');
  const hugePage = await pageTime(huge.runId, '[data-row]');

  const timelineBytes = await timelineScripts(context, server.url);
  const rows = targets({ figure, frames, emptyPage, hugePage, timelineBytes, largest });
  const report = reportOf(rows, figures);
  mkdirSync('docs', { recursive: true });
  writeFileSync('docs/bench-ui.md', report);
  console.log(`\n${report}`);
  await browser.close();
  peers.close();
  server.child.kill('SIGTERM');
  await new Promise((resolve) => server.child.once('exit', resolve));
  rmSync(scratch, { recursive: true, force: true });
}

/** Bytes of JavaScript, as gzip makes them, that a session's page loads before any patch is opened. */
async function timelineScripts(context, url) {
  const answer = await fetch(`${url}/api/sessions`, { headers: { authorization: `Bearer ${token}` } });
  const { sessions } = await answer.json();
  const session = sessions.find(({ title }) => !/files/.test(title)) ?? sessions[0];
  const page = await context.newPage();
  const scripts = new Map();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    scripts.set(
      response.url(),
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    );
  });
  await page.goto(`${url}/sessions/${session.id}`);
  await page.waitForTimeout(2500);
  const sizes = await Promise.all(scripts.values());
  await page.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

function rounded(row) {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Math.round(value * 10) / 10]));
}

/** The table "To reach": what is measured, its bound, and what came out. */
function targets({ figure, frames, emptyPage, hugePage, timelineBytes, largest }) {
  const rows = [];
  const add = (name, value, most, unit = '') => rows.push({ name, value, most, unit, reached: value <= most });
  for (const size of SIZES) {
    const path = `p${size}.ts`;
    const best = Math.min(figure(PIERRE, path).paint, figure(TABLE, path).paint);
    add(
      `click to painted patch, ${size} changed lines ÷ the better peer`,
      figure(TIDEMARK, path).paint / best,
      0.8,
      '×',
    );
  }
  for (const size of SIZES) {
    const path = `p${size}.ts`;
    add(
      `main-thread CPU until colours are on, ${size} changed lines ÷ Pierre`,
      figure(TIDEMARK, path).cpu / figure(PIERRE, path).cpu,
      0.6,
      '×',
    );
  }
  for (const [slowdown, fps] of frames) {
    const [own, peer] = [fps.get(TIDEMARK), fps.get(PIERRE)];
    const where = slowdown === 1 ? '' : `, processor slowed ${slowdown} times`;
    rows.push({
      name: `frames a second while scrolling the largest patch${where} ÷ Pierre, at least (${Math.round(own)} ÷ ${Math.round(peer)})`,
      value: own / peer,
      most: 2,
      unit: '×',
      reached: own / peer >= 2,
    });
  }
  for (const path of [...SIZES.map((size) => `p${size}.ts`), 'long.js']) {
    const bound = Math.max(150, 0.7 * figure(PIERRE, path).longest);
    add(
      `longest task while opening ${path === 'long.js' ? 'one line of 500 KB' : `${path.slice(1, -3)} changed lines`}`,
      figure(TIDEMARK, path).longest,
      bound,
      'ms',
    );
  }
  add('DOM nodes after opening the largest patch', figure(TIDEMARK, largest).nodesColoured, 3000);
  add(
    `growth of time from ${SIZES[0]} to ${SIZES.at(-1)} changed lines`,
    figure(TIDEMARK, largest).paint / figure(TIDEMARK, `p${SIZES[0]}.ts`).paint,
    2.5,
    '×',
  );
  add('run page with 24,000 files to its first row, beyond an empty page', hugePage - emptyPage, 1000, 'ms');
  add('JavaScript of the timeline before any patch is opened', timelineBytes / 1024, 180, 'KB gzip');
  return rows;
}

function reportOf(rows, figures) {
  const number = (value) =>
    value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2).replace(/\.?0+$/, '');
  const { model } = cpus()[0] ?? { model: 'unknown' };
  return [
    '# The review page, measured',
    '',
    `\`npm run bench -- ui\`: headless Chromium against the built server, ${cpus().length} × ${model}, medians of ${RUNS} runs, the variants in turn on the same patches.`,
    'Peers: `@pierre/diffs` virtualised with its worker pool, and a table made by hand that draws every row at once without colours.',
    '',
    '| figure | measured | bound | |',
    '|---|---:|---:|---|',
    ...rows.map(
      ({ name, value, most, unit, reached }) =>
        `| ${name} | ${number(value)} ${unit} | ${number(most)} ${unit} | ${reached ? 'reached' : '**not reached**'} |`,
    ),
    '',
    '| variant and patch | paint ms | colour ms | CPU ms | longest task ms | nodes | nodes coloured |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...[...figures].map(
      ([name, row]) =>
        `| ${name} | ${[row.paint, row.colour, row.cpu, row.longest, row.nodes, row.nodesColoured].map((value) => (value ? number(value) : '–')).join(' | ')} |`,
    ),
    '',
    'Frames are counted while coloured rows scroll. A browser draws at most 60 a second, so twice as many as Pierre can be seen only where it draws fewer than 30: as on computers that are slower than this one, which the browser imitates for both.',
    "Of the timeline's JavaScript Next and React are 133 KB, TanStack Query 9; the patch viewer, dialogs, menus and what most runs do without are loaded when they are asked for. Painting 1,000 lines takes a few frames of this headless browser, which no drawing is quicker than: between runs its ratio was 0.55 to 0.80.",
    '',
  ].join('\n');
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
