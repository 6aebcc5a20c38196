/** How the colour worker is started here; a page without a server replaces this module. */

export function startColourWorker(): Worker {
  return new Worker(new URL('./colour-worker.ts', import.meta.url), { type: 'module' });
}
