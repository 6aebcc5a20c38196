/** Runs `work` once the page has nothing better to do. Answers a way to call it off. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: 2000 });
    return () => cancelIdleCallback(id);
  }
  // Safari has no idle callback; a timer far enough behind the first paint does there.
  const timer = setTimeout(work, 100);
  return () => clearTimeout(timer);
}
