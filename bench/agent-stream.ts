/** Measures the chat: from an agent's word to the painted pixel, and how smoothly the page scrolls while 2,000 updates arrive. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { prepareScratch } from '@/e2e/conformance/commands';
import { Server } from '@/e2e/conformance/server';
import { letIn } from '@/e2e/fixtures';

const RUNS = 10;
const WORDS_A_RUN = 20;
/** Milliseconds between two words: slower than they are gathered, so that each is measured by itself. */
const PAUSE_MS = 120;

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-bench-')));
const workspace = join(base, 'work');
mkdirSync(workspace);
const agents = join(base, 'agents.json');
const args = [join(process.cwd(), 'e2e', 'support', 'scripted-agent.mjs')];
writeFileSync(
  agents,
  JSON.stringify({ agents: [{ id: 'scripted', name: 'Scripted', command: process.execPath, args }] }),
);

const server = await Server.start(process.cwd(), prepareScratch(base, process.env.PATH ?? ''), {
  dataDir: join(base, 'data'),
  env: { TIDEMARK_AGENTS: agents },
});
let browser: Browser | null = null;
try {
  browser = await chromium.launch({
    ...(process.env.TIDEMARK_E2E_CHROMIUM && { executablePath: process.env.TIDEMARK_E2E_CHROMIUM }),
    args: ['--no-sandbox'],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  await letIn(context, server);
  const page = await context.newPage();
  const { id } = await server.client.createSession({ workspace, agent: 'scripted' });
  await page.goto(`${server.client.url}/sessions/${id}`);
  await watchWords(page);

  const first: number[] = [];
  const later: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const seen = await wordsOf(page, `stamps ${WORDS_A_RUN} ${PAUSE_MS}`, WORDS_A_RUN);
    // The first prompt starts the agent; a word counts from when it was said, so that is no part of it.
    first.push(seen[0] as number);
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    later.push(...seen.slice(1));
  }
  report('first word of a run → pixel', first);
  report('later words → pixel', later);
  await measureScroll(page);
} finally {
  await browser?.close();
  await server.stop();
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}

/** Notes for every word when the frame that holds it was painted. */
async function watchWords(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new Map<string, number>();
    Object.assign(window, { seen });
    const look = () => {
      const fresh = (document.querySelector('[role=log]')?.textContent ?? '').match(/t\d{13}(?:\.\d+)?/g) ?? [];
      const unseen = fresh.filter((word) => !seen.has(word));
      if (unseen.length === 0) return;
      for (const word of unseen) seen.set(word, Number.NaN);
      // Painted: after the frame that follows the next one's callbacks began.
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          for (const word of unseen) seen.set(word, performance.timeOrigin + performance.now() - Number(word.slice(1)));
        };
        channel.port2.postMessage(null);
      });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** Says something and returns the milliseconds of each word, in the order they were said. */
async function wordsOf(page: Page, prompt: string, count: number): Promise<number[]> {
  const sentAt = Date.now();
  await page.getByRole('textbox', { name: 'Message' }).fill(prompt);
  await page.getByRole('button', { name: 'Send' }).click();
  for (;;) {
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Map<string, number> }).seen]);
    const fresh = seen.filter(([word, ms]) => Number(word.slice(1)) > sentAt && !Number.isNaN(ms));
    if (fresh.length >= count) return fresh.map(([, ms]) => ms);
    await page.waitForTimeout(200);
  }
}

/** Scrolls up and down while an answer of 2,000 updates streams in, and counts the frames. */
async function measureScroll(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('stream 2000 2 word\\n\\n');
  await page.getByRole('button', { name: 'Send' }).click();
  await page
    .getByText(/word20 /)
    .first()
    .waitFor();
  const frames = await page.evaluate(async () => {
    const log = document.querySelector('[role=log]') as HTMLElement;
    const scroller = [log, log.parentElement as HTMLElement].find((one) => one.scrollHeight > one.clientHeight) ?? log;
    const gaps: number[] = [];
    let last = performance.now();
    const end = last + 5_000;
    while (last < end) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      scroller.scrollTop = ((Math.sin(now / 400) + 1) / 2) * scroller.scrollHeight;
    }
    return gaps;
  });
  report('frames while 2,000 updates arrive and the page is scrolled', frames);
  const long = frames.filter((gap) => gap > 50).length;
  console.log(`${(frames.length / 5).toFixed(0)} frames a second, ${long} of ${frames.length} longer than 50 ms`);
}

function report(what: string, values: number[]): void {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  console.log(`${what}: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, worst ${at(1)} ms (${values.length} measured)`);
}
