/** Measures one click in a page: until the patch is painted, until it is coloured, and what that cost. */

/** Runs in the page, before anything else: keeps the long tasks, and looks through shadow roots. */
export const PROBE = `
  globalThis.probe = {
    tasks: [],
    all(root = document) {
      const found = [...root.querySelectorAll('*')];
      for (const element of [...found]) if (element.shadowRoot) found.push(...globalThis.probe.all(element.shadowRoot));
      return found;
    },
  };
  new PerformanceObserver((list) => probe.tasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })))).observe({ type: 'longtask', buffered: true });
`;

async function cpu(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { task: of('TaskDuration') * 1000, heap: of('JSHeapUsedSize') };
}

/**
 * Clicks `button` and waits for `painted` and `coloured` (functions of the page as text, answering a boolean).
 * All times are milliseconds from the click.
 */
export async function measureClick(page, { button, painted, coloured }) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.evaluate(() => globalThis.gc?.());
  const before = await cpu(session);
  const times = await page.evaluate(
    async ({ button, painted, coloured }) => {
      const isPainted = new Function(`return (${painted})()`);
      const isColoured = coloured ? new Function(`return (${coloured})()`) : null;
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())));
      // The work of a frame is done when the task after it begins.
      const afterPaint = () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now());
          requestAnimationFrame(() => port2.postMessage(0));
        });
      await frame();
      probe.tasks.length = 0;
      const start = performance.now();
      document.querySelector(button).click();
      const MOST_MS = 60_000;
      const until = async (reached) => {
        while (!reached()) {
          if (performance.now() - start > MOST_MS) return null;
          await frame();
        }
        return (await afterPaint()) - start;
      };
      const paint = await until(isPainted);
      if (paint === null) throw new Error('nothing was painted in a minute');
      const nodes = probe.all().length;
      // What has no colours in a minute counts as having them then.
      const colour = isColoured ? ((await until(isColoured)) ?? MOST_MS) : null;
      const longest = Math.max(
        0,
        ...probe.tasks.filter((task) => task.startTime + task.duration > start).map((task) => task.duration),
      );
      return { paint, colour, nodes, nodesColoured: probe.all().length, longest };
    },
    { button, painted, coloured },
  );
  const after = await cpu(session);
  await session.detach();
  return { ...times, cpu: after.task - before.task, heap: (after.heap - before.heap) / 2 ** 20 };
}

/**
 * Frames per second, and the main thread's milliseconds, while the wheel turns through the page for some seconds.
 * `slowdown`: how many times slower the page's main thread is made, so that the 60 frames that a browser draws at most
 * hide no difference.
 */
export async function measureScroll(page, { seconds = 4, step = 600, slowdown = 1 } = {}) {
  const size = page.viewportSize();
  await page.mouse.move(size.width / 2, size.height / 2);
  await page.evaluate(() => {
    probe.frames = [];
    const tick = (now) => {
      probe.frames.push(now);
      probe.ticking = requestAnimationFrame(tick);
    };
    probe.ticking = requestAnimationFrame(tick);
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const before = await cpu(session);
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    await page.mouse.wheel(0, step);
    await page.waitForTimeout(16);
  }
  const after = await cpu(session);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  const seen = await page.evaluate(() => {
    cancelAnimationFrame(probe.ticking);
    const { frames } = probe;
    const gaps = frames.slice(1).map((now, at) => now - frames[at]);
    return {
      fps: ((frames.length - 1) * 1000) / (frames.at(-1) - frames[0]),
      worst: Math.max(...gaps),
      scrolled: Math.max(document.scrollingElement.scrollTop, ...probe.all().map((element) => element.scrollTop)),
    };
  });
  return { ...seen, cpu: after.task - before.task };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
