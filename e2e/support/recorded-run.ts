/** A run that an outside host did: whatever a test writes between its start and its end is what it changed. */
import { expect, type Locator, type Page } from 'playwright/test';
import type { Client } from '../conformance/client';
import type { Repository } from './repository';

/** Records one run in the repository; `act` does what the run does. Answers its id. */
export async function recordRun(
  client: Client,
  repository: Repository,
  act: () => void,
  {
    prompt = 'Change something',
    message = 'Done.',
    sessionId,
  }: { prompt?: string; message?: string; sessionId?: string } = {},
): Promise<string> {
  const session = sessionId ?? (await client.createSession({ workspace: repository.path })).id;
  const run = await client.startOutsideRun(session, prompt);
  act();
  // Connections that the server closed meanwhile are noticed before they are used again.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await client.completeRun(run, { status: 'completed', message });
  return run.id;
}

/** The open file's part of the page: what stands under its row. */
export function fileOf(page: Page, path: string) {
  const row = page.locator(`button[data-row="${path}"]`);
  return { row, patch: page.locator('li', { has: row }).getByRole('group') };
}

/** Where an element stands in the window, in pixels from its top. */
export async function topOf(element: {
  evaluate: <Answer>(read: (node: Element) => Answer) => Promise<Answer>;
}): Promise<number> {
  return element.evaluate((node) => node.getBoundingClientRect().top);
}

/** The same once nothing is being loaded any more and it stays there. */
export async function settledTop(element: Locator, loading: () => Promise<number>): Promise<number> {
  let last = Number.NaN;
  await expect
    .poll(
      async () => {
        const top = await topOf(element);
        const isSettled = top === last && (await loading()) === 0;
        last = top;
        return isSettled;
      },
      { intervals: [250], timeout: 30_000 },
    )
    .toBe(true);
  return last;
}

/** The lines of an open patch, each with its mark. */
export async function patchLines(patch: Locator): Promise<string[]> {
  return patch.locator('td.diff-code').evaluateAll((cells) =>
    cells.map((cell) => {
      const mark = cell.matches('.diff-code-insert') ? '+' : cell.matches('.diff-code-delete') ? '-' : ' ';
      return mark + (cell.textContent ?? '');
    }),
  );
}
